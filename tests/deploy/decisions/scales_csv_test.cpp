// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/decisions/scales_csv.h"

#include "core/base/error.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/recipe.h"
#include "core/report/tables/scales_table.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

namespace scales_csv_test {

using namespace calibscope;
using test::Approx;
using test::containsText;

std::string csvOf(const std::vector<DecidedTensor>& tensors, bool withChannels)
{
    std::string text;
    TableWriter writer([&text](std::string_view piece) { text += piece; }, TableFormat::Csv,
                       scaleColumns());
    for (const DecidedTensor& tensor : tensors)
        for (const std::vector<Cell>& row : scaleRows(tensor.outcome, withChannels))
            writer.row(row);
    writer.finish();
    return text;
}

/// Problems of a table on a dump with the activation `a` and the weight `w` of two channels.
std::vector<std::string> problemsOf(const std::string& rows)
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{1, 2, 3, 4});
    file.write("/weights/w", {2, 2}, std::vector<float>{1, 2, 3, 4});
    const auto written =
        deploy::scalesFromCsv("tensor,channel,scheme,bits,scale,zero_point\n" + rows, "s.csv");
    return deploy::decidedBy(*DumpFile::open(file.path()), written, "s.csv").problems;
}

TEST_CASE("a table of scales reads back to the same scales, zero points and levels")
{
    test::H5File file;
    file.write("/activations/a[0], \"b\"", {2, 3}, std::vector<float>{-1, 2, 0.1F, 5, 7.3F, 1e-9F});
    file.write("/activations/u", {2, 3}, std::vector<float>{1, 2, 0, 5, 7.3F, 1e-9F});
    file.write("/weights/w", {3, 2}, std::vector<float>{1e-30F, -0.3F, 7, 5, 0, 0});
    const auto dump = DumpFile::open(file.path());
    const std::vector<Choice> choices = {
        makeChoice("min-max", {}, SchemeKind::Affine, Granularity::Channel),
        makeChoice("min-max", {{"bits", "4"}}, SchemeKind::SymmetricFull, Granularity::Tensor),
        makeChoice("percentile", {{"unsigned", "when-positive"}}, SchemeKind::SymmetricRestricted,
                   Granularity::Tensor)};
    for (const Choice& choice : choices) {
        const deploy::Decisions decisions = deploy::decidedBy(
            *dump, [&choice](const TensorInfo& tensor) { return fittedTo(choice, tensor); });
        REQUIRE(decisions.tensors.size() == 3);
        const auto written = deploy::scalesFromCsv(csvOf(decisions.tensors, true), "s.csv");
        const deploy::Decisions back = deploy::decidedBy(*dump, written, "s.csv");
        CHECK(back.problems.empty());
        REQUIRE(back.tensors.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            const Outcome& one = decisions.tensors[i].outcome;
            const Outcome& other = back.tensors[i].outcome;
            INFO(one.tensor << " " << choice.calibrator);
            CHECK(other.tensor == one.tensor);
            CHECK(other.choice.settings == one.choice.settings);
            CHECK(other.choice.scheme == one.choice.scheme);
            REQUIRE(other.channels.size() == one.channels.size());
            const auto isSame = [](const ScaleRow& a, const ScaleRow& b) {
                return a.quantizer.scale == b.quantizer.scale &&
                       a.quantizer.zeroPoint == b.quantizer.zeroPoint &&
                       a.quantizer.lowLevel == b.quantizer.lowLevel &&
                       a.quantizer.highLevel == b.quantizer.highLevel &&
                       a.quantizer.clip == b.quantizer.clip &&
                       a.quantizer.rounding == b.quantizer.rounding;
            };
            CHECK(isSame(other.whole, one.whole));
            CHECK(std::ranges::equal(other.channels, one.channels, isSame));
        }
    }
}

TEST_CASE("numbers are taken as written, also of a calibrator that is not ours")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{1, 2, 3, 4});
    const auto written =
        deploy::scalesFromCsv("scale,tensor,zero_point,bits,scheme,calibrator,settings,odd\n"
                              "0.1,a,3,8,affine,theirs,file=x.cache,?\n",
                              "s.csv");
    const deploy::Decisions decisions =
        deploy::decidedBy(*DumpFile::open(file.path()), written, "s.csv");
    REQUIRE(decisions.tensors.size() == 1);
    const Outcome& outcome = decisions.tensors[0].outcome;
    CHECK(outcome.choice.calibrator == "theirs");
    CHECK(outcome.whole.quantizer.scale == 0.1);
    CHECK(outcome.whole.quantizer.zeroPoint == 3.0);
    CHECK(outcome.whole.quantizer.clip.low == Approx(-13.1));  // 0.1 (-128 - 3)
}

TEST_CASE("rows that contradict are problems of their tensor alone")
{
    CHECK(problemsOf("a,,affine,8,0.1,0\nw,,affine,8,0.1,0\n").empty());
    CHECK(problemsOf("x,,affine,8,0.1,0\na,,affine,8,0.1,0\n") ==
          std::vector<std::string>{"s.csv: line 2: x is not in the dump"});
    CHECK_THAT(problemsOf("a,,affine,8,0.1,0\na,,affine,4,0.1,0\n").at(0),
               containsText("a has several choices, in lines 2 and 3"));
    CHECK_THAT(problemsOf("a,,affine,8,0.1,0\na,,affine,8,0.2,0\n").at(0),
               containsText("a has several choices, in lines 2 and 3"));
    CHECK_THAT(problemsOf("w,*,affine,8,0.1,0\n").at(0), containsText("--rows channel"));
    CHECK_THAT(problemsOf("w,*,affine,8,0.1,0\nw,0,affine,8,0.1,0\n").at(0),
               containsText("w has scales of 1 channel, but the tensor has 2"));
    CHECK_THAT(problemsOf("w,0,affine,8,0.1,0\nw,0,affine,8,0.1,0\n").at(0),
               containsText("w has channel 0 twice, in lines 2 and 3"));
    CHECK(problemsOf("w,1,affine,8,0.1,0\nw,0,affine,8,0.2,0\n").empty());
    CHECK_THAT(problemsOf("a,,affine,8,0.1,0\n/activations/a,,affine,8,0.1,0\n").at(0),
               containsText("/activations/a is given twice, in lines 2 and 3"));
}

TEST_CASE("what is no such table is refused with its line")
{
    const auto complaint = [](const std::string& text) -> std::string {
        try {
            static_cast<void>(deploy::scalesFromCsv(text, "s.csv"));
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Input);
            return error.what();
        }
        return {};
    };
    const std::string head = "tensor,channel,scheme,bits,scale,zero_point\n";
    CHECK_THAT(complaint(""), containsText("s.csv: is empty"));
    CHECK_THAT(complaint("tensor,scale\n"), containsText("has no column scheme"));
    CHECK_THAT(complaint(head + "a,,affine,8,0.1\n"), containsText("line 2: has 5 fields"));
    CHECK_THAT(complaint(head + "a,,affine,8,x,0\n"), containsText("line 2: scale is \"x\""));
    CHECK_THAT(complaint(head + "a,,affine,8,,0\n"), containsText("line 2: scale is empty"));
    CHECK_THAT(complaint(head + "a,,affine,99,1,0\n"), containsText("line 2: "));
    CHECK_THAT(complaint(head + "a,,odd,8,1,0\n"), containsText("line 2: there is no"));
    CHECK_THAT(complaint(head + "a,1.5,affine,8,1,0\n"),
               containsText("line 2: channel is \"1.5\""));
    CHECK_THAT(complaint(head + "a,-1,affine,8,1,0\n"), containsText("line 2: channel is \"-1\""));
    CHECK_THROWS_AS(deploy::readScalesCsv("/dev/zero"), Error);
}

TEST_CASE("rows go to the dump that they name, by path or else by file name")
{
    const auto written = deploy::scalesFromCsv("file,tensor,scheme,bits,scale,zero_point\n"
                                               "x/a.h5,t,affine,8,0.1,0\n"
                                               "b.h5,t,affine,8,0.1,0\n"
                                               "c.h5,t,affine,8,0.1,0\n"
                                               ",u,affine,8,0.1,0\n",
                                               "s.csv");
    std::vector<std::string> problems;
    const auto parts =
        deploy::partedByDump(written, {"y/a.h5", "b.h5", "z/b.h5"}, "s.csv", problems);
    REQUIRE(parts.size() == 3);
    CHECK(parts[0].size() == 2);  // t and u
    CHECK(parts[1].size() == 2);
    CHECK(parts[2].size() == 1);  // u alone: b.h5 is another's path
    CHECK(problems ==
          std::vector<std::string>{"s.csv: line 4: c.h5 is none of the dumps that were given"});
}

}  // namespace scales_csv_test
