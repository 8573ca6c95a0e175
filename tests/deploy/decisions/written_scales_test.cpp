// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/decisions/written_scales.h"

#include "core/base/error.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/recipe.h"
#include "core/report/tables/scales_table.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

namespace written_scales_test {

using namespace calibscope;
using test::Approx;
using test::containsText;

/// What `calib scales --format json` writes of them.
std::string jsonOf(const std::vector<DecidedTensor>& tensors, bool withChannels)
{
    std::string text = "{\"outcomes\":[";
    for (const DecidedTensor& tensor : tensors)
        text += (text.back() == '[' ? "" : ",") + outcomeJson(tensor.outcome, withChannels, false);
    return text + "]}";
}

/// An outcome of that tensor, and further members.
std::string outcome(const std::string& tensor, const std::string& members)
{
    return R"({"tensor":")" + tensor + R"(","scheme":"affine","bits":8,)" + members + "}";
}

const std::string whole = R"("scale":0.1,"zero_point":0)";

/// Problems of outcomes on a dump with the activation `a` and the weight `w` of two channels.
std::vector<std::string> problemsOf(const std::string& outcomes)
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{1, 2, 3, 4});
    file.write("/weights/w", {2, 2}, std::vector<float>{1, 2, 3, 4});
    const auto written = deploy::scalesFromJson("{\"outcomes\":[" + outcomes + "]}", "s.json");
    return deploy::decidedBy(*DumpFile::open(file.path()), written, "s.json").problems;
}

TEST_CASE("scales read back to the same scales, zero points and levels")
{
    test::H5File file;
    file.write("/activations/a[0], \"b\"", {2, 3}, std::vector<float>{-1, 2, 0.1F, 5, 7.3F, 1e-9F});
    file.write("/activations/u", {2, 3}, std::vector<float>{1, 2, 0, 5, 7.3F, 1e-9F});
    file.write("/weights/w", {3, 4},
               std::vector<float>{1e-30F, -0.3F, 7, 5, 0, 0, 1, 2, 3, 4, 5, -6});
    const auto dump = DumpFile::open(file.path());
    const std::vector<Choice> choices = {
        makeChoice("min-max", {}, SchemeKind::Affine, Granularity::Channel),
        makeChoice("min-max", {{"bits", "4"}}, SchemeKind::SymmetricFull, Granularity::Tensor),
        makeChoice("percentile", {{"unsigned", "when-positive"}}, SchemeKind::SymmetricRestricted,
                   Granularity::Tensor),
        makeChoice("min-max", {{"bits", "4"}}, SchemeKind::Affine, parseGranularity("g2")),
        makeChoice("min-max", {}, SchemeKind::Affine, Granularity::Row)};
    for (const Choice& choice : choices) {
        const deploy::Decisions decisions = deploy::decidedBy(
            *dump, [&choice](const TensorInfo& tensor) { return fittedTo(choice, tensor); });
        REQUIRE(decisions.tensors.size() == 3);
        const auto written = deploy::scalesFromJson(jsonOf(decisions.tensors, true), "s.json");
        const deploy::Decisions back = deploy::decidedBy(*dump, written, "s.json");
        CHECK(back.problems.empty());
        REQUIRE(back.tensors.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            const Outcome& one = decisions.tensors[i].outcome;
            const Outcome& other = back.tensors[i].outcome;
            INFO(one.tensor << " " << choice.calibrator);
            CHECK(other.tensor == one.tensor);
            CHECK(other.choice.settings == one.choice.settings);
            CHECK(other.choice.scheme == one.choice.scheme);
            CHECK(other.choice.granularity == one.choice.granularity);
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
    const auto written = deploy::scalesFromJson(
        R"({"outcomes":[{"scale":0.1,"tensor":"a","zero_point":3,"bits":8,"scheme":"affine",
            "calibrator":"theirs","settings":"file=x,y.cache","odd":null}]})",
        "s.json");
    const deploy::Decisions decisions =
        deploy::decidedBy(*DumpFile::open(file.path()), written, "s.json");
    REQUIRE(decisions.tensors.size() == 1);
    const Outcome& found = decisions.tensors[0].outcome;
    CHECK(found.choice.calibrator == "theirs");
    CHECK(found.whole.quantizer.scale == 0.1);
    CHECK(found.whole.quantizer.zeroPoint == 3.0);
    CHECK(found.whole.quantizer.clip.low == Approx(-13.1));  // 0.1 (-128 - 3)
}

TEST_CASE("outcomes that contradict are problems of their tensor alone")
{
    const std::string channels = R"("channel":"*","scale":0.1,"zero_point":0,"channels":)";
    const std::string ofTwo = channels + R"({"scale":[0.1,0.2],"zero_point":[0,1]})";
    CHECK(problemsOf(outcome("a", whole) + "," + outcome("w", whole)).empty());
    CHECK(problemsOf(outcome("x", whole) + "," + outcome("a", whole)) ==
          std::vector<std::string>{"s.json: outcomes[0]: x is not in the dump"});
    CHECK(problemsOf(outcome("w", ofTwo)).empty());
    CHECK(problemsOf(outcome("w", R"("channels":{"scale":[1,2],"zero_point":[0,0]})")).empty());
    CHECK_THAT(problemsOf(outcome("w", R"("channel":"*",)" + whole)).at(0),
               containsText("--rows channel"));
    CHECK_THAT(problemsOf(outcome("w", channels + R"({"scale":[0.1],"zero_point":[0]})")).at(0),
               containsText("w has scales of 1 channel, but the tensor has 2"));
    const auto inGroups = [&](const std::string& granularity) {
        return problemsOf(outcome("w", R"("granularity":")" + granularity + "\"," + ofTwo)).at(0);
    };
    CHECK(problemsOf(outcome("w", R"("granularity":"g2",)" + ofTwo)).empty());
    CHECK_THAT(inGroups("tensor"), containsText("w has no blocks of the granularity tensor"));
    CHECK_THAT(inGroups("g4"), containsText("w has no blocks of the granularity g4"));
    CHECK_THAT(problemsOf(outcome("w", R"("granularity":"g2",)" + channels +
                                           R"({"scale":[1],"zero_point":[0]})"))
                   .at(0),
               containsText("w has scales of 1 block, but the tensor has 2"));
}

TEST_CASE("an unknown granularity is refused")
{
    CHECK_THROWS_WITH(
        problemsOf(
            outcome("w", R"("granularity":"pairs","channels":{"scale":[1,2],"zero_point":[0,0]})")),
        containsText("outcomes[0]") && containsText("pairs"));
}

TEST_CASE("of several outcomes of one tensor none is taken")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{1, 2, 3, 4});
    file.write("/activations/b", {2, 2}, std::vector<float>{1, 2, 3, 4});
    const auto written =
        deploy::scalesFromJson("{\"outcomes\":[" + outcome("a", whole) + "," + outcome("b", whole) +
                                   "," + outcome("/activations/a", whole) + "]}",
                               "s.json");
    const deploy::Decisions decisions =
        deploy::decidedBy(*DumpFile::open(file.path()), written, "s.json");
    REQUIRE(decisions.tensors.size() == 1);
    CHECK(decisions.tensors[0].info.name == "b");
    CHECK(decisions.problems ==
          std::vector<std::string>{"s.json: outcomes[2]: /activations/a is in outcomes[0], too; "
                                   "write one choice for each tensor"});
}

TEST_CASE("what is no such JSON is refused with its outcome")
{
    const auto complaint = [](const std::string& text) -> std::string {
        try {
            static_cast<void>(deploy::scalesFromJson(text, "s.json"));
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Input);
            return error.what();
        }
        return {};
    };
    const auto ofOutcome = [&complaint](const std::string& text) {
        return complaint("{\"outcomes\":[" + text + "]}");
    };
    const std::string ofNone = R"({"tensor":"a","scheme":"affine","bits":8})";
    for (const std::string text : {"", " \n", "tensor,scheme,bits\na,affine,8\n", "[1]"})
        CHECK_THAT(complaint(text), containsText("s.json: holds no JSON of scales; give a session, "
                                                 "or what calib scales --rows channel --format json"
                                                 " writes"));
    CHECK_THAT(complaint("{"), containsText("s.json: "));
    CHECK_THAT(complaint("{}"), containsText("s.json: has no list outcomes"));
    CHECK_THAT(complaint(R"({"outcomes":3})"), containsText("s.json: has no list outcomes"));
    CHECK_THAT(ofOutcome("3"), containsText("s.json: outcomes[0]"));
    CHECK_THAT(ofOutcome("{}"), containsText("s.json: outcomes[0]"));
    CHECK_THAT(ofOutcome(ofNone), containsText("s.json: outcomes[0]: lacks scale"));
    CHECK_THAT(ofOutcome(outcome("a", whole) + "," + outcome("b", R"("scale":1)")),
               containsText("s.json: outcomes[1]: lacks zero_point"));
    CHECK_THAT(ofOutcome(outcome("a", R"("scale":"x","zero_point":0)")),
               containsText("s.json: outcomes[0]: scale"));
    CHECK_THAT(ofOutcome(R"({"tensor":"a","scheme":"affine","bits":99,)" + whole + "}"),
               containsText("s.json: outcomes[0]: "));
    CHECK_THAT(ofOutcome(R"({"tensor":"a","scheme":"odd","bits":8,)" + whole + "}"),
               containsText("s.json: outcomes[0]: there is no"));
    CHECK_THAT(ofOutcome(outcome("a", R"("settings":"bins",)" + whole)),
               containsText("s.json: outcomes[0]: settings: \"bins\" is not"));
    CHECK_THAT(ofOutcome(outcome("a", R"("channels":3)")), containsText("outcomes[0]: channels"));
    CHECK_THAT(ofOutcome(outcome("a", R"("channels":{"zero_point":[1]})")),
               containsText("outcomes[0]: channels: lacks its list scale"));
    CHECK_THAT(ofOutcome(outcome("a", R"("channels":{"scale":[1,2],"zero_point":[1]})")),
               containsText("zero_point is not a list of as many entries as scale"));
    CHECK_THAT(ofOutcome(outcome("a", R"("channels":{"scale":[1,null],"zero_point":[1,2]})")),
               containsText("outcomes[0]: channels[1]: lacks scale"));
    CHECK_THROWS_AS(deploy::readScalesJson("/dev/zero"), Error);
}

TEST_CASE("outcomes go to the dump that they name, by path or else by file name")
{
    const auto of = [](const std::string& file, const std::string& tensor) {
        return outcome(tensor, R"("file":")" + file + R"(",)" + whole);
    };
    const auto written =
        deploy::scalesFromJson("{\"outcomes\":[" + of("x/a.h5", "t") + "," + of("b.h5", "t") + "," +
                                   of("c.h5", "t") + "," + of("", "u") + "]}",
                               "s.json");
    std::vector<std::string> problems;
    const auto parts =
        deploy::partedByDump(written, {"y/a.h5", "b.h5", "z/b.h5"}, "s.json", problems);
    REQUIRE(parts.size() == 3);
    CHECK(parts[0].size() == 2);  // t and u
    CHECK(parts[1].size() == 2);
    CHECK(parts[2].size() == 1);  // u alone: b.h5 is another's path
    CHECK(problems ==
          std::vector<std::string>{"s.json: outcomes[2]: c.h5 is not one of the given dumps"});
}

}  // namespace written_scales_test
