// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace scales_test {

using namespace calibscope;
using test::containsText;
using test::ProgramRun;
using test::runProgram;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

ProgramRun scales(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "scales");
    return runProgram("calib", arguments);
}

/// An activation of 4 samples in batches of 2, and a weight of two channels.
test::H5File small()
{
    test::H5File file;
    file.write("/activations/a", {4, 2}, std::vector<float>{1, -2, 3, 0, 12.7F, 1, 1, 1});
    file.attribute("/activations/a", "batch_size", std::int64_t{2});
    file.write("/weights/w", {2, 2}, std::vector<float>{1.27F, -1, 0.5F, 25.4F});
    file.attribute("/weights/w", "channel_axis", std::int64_t{0});
    return file;
}

TEST_CASE("scales: without a choice every published recipe has its row")
{
    const ProgramRun run = scales({sample, "--tensor", "swish_13.tmp_0", "--columns", "recipe"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "recipe\nrebellions-vision\nrebellions-language\nmoffett-cnn\nnvidia-"
                        "entropy\nnvidia-fractional\n"
                        "qualcomm-mse\nqualcomm-kl\nqualcomm-percentile\n");
}

TEST_CASE("scales: a fixed threshold, a preset and a recipe beside each other")
{
    const test::H5File file = small();
    const ProgramRun run =
        scales({file.path(), "--tensor", "a", "--recipe", "nvidia-fractional", "--preset",
                "rebellions-fixed", "--calibrator", "fixed:threshold=254,bits=8", "--columns",
                "recipe,preset,calibrator,threshold,scale"});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.output, containsText("nvidia-fractional,,min-max,12.687"));
    CHECK_THAT(run.output, containsText(",rebellions-fixed,fixed,1,0.007874015748031496\n"));
    CHECK_THAT(run.output, containsText(",,fixed,254,2\n"));
}

TEST_CASE("scales: rows of channels follow the row for all, in JSON they are arrays")
{
    const test::H5File file = small();
    const std::vector<std::string> choice = {file.path(),   "--role", "weight", "--recipe",
                                             "moffett-cnn", "--rows", "channel"};
    std::vector<std::string> csv = choice;
    csv.insert(csv.end(), {"--columns", "channel,threshold"});
    CHECK(scales(csv).output == "channel,threshold\n*,25.399999618530273\n0,1.2699999809265137\n"
                                "1,25.399999618530273\n");
    std::vector<std::string> json = choice;
    json.insert(json.end(), {"--format", "json"});
    CHECK_THAT(scales(json).output,
               containsText("\"threshold\":[1.2699999809265137,25.399999618530273]"));
}

TEST_CASE("scales: options override what a choice says")
{
    const test::H5File file = small();
    const std::string columns = "scheme,bits,low,high,scale";
    const ProgramRun run =
        scales({file.path(), "--tensor", "a", "--calibrator", "min-max", "--scheme", "affine",
                "--bits", "4", "--batches", "1", "--columns", columns});
    CHECK(run.output == columns + "\naffine,4,-2,3,0.3333333333333333\n");
}

TEST_CASE("scales: what can't be read costs exit code 3, counters and texts beside do not")
{
    test::H5File file;
    file.write("/a", {2}, std::vector<float>{1.0F, 2.0F});
    file.writeBytes("/step", {}, std::string(8, '\0'),
                    {.kind = test::RawType::Kind::Signed, .bytes = 8});
    file.writeScalar("/logit_scale", 4.6);
    file.writeTexts("/names", {"a"});
    const std::vector<std::string> minMax = {"--calibrator", "min-max", "--columns", "tensor"};
    std::vector<std::string> arguments = {file.path()};
    arguments.insert(arguments.end(), minMax.begin(), minMax.end());
    CHECK(scales(arguments).exitCode == 0);
    arguments.insert(arguments.end(), {"--tensor", "*"});
    const ProgramRun asked = scales(arguments);
    CHECK(asked.exitCode == 3);
    CHECK(asked.output == "tensor\na\n");
    CHECK_THAT(asked.errors, containsText("/step: it is a single value, not a tensor"));
}

TEST_CASE("scales: a missing file costs exit code 3 after the others were written")
{
    const test::H5File file = small();
    const ProgramRun run = scales({"/nowhere/x.h5", file.path(), "--tensor", "a", "--calibrator",
                                   "min-max", "--columns", "tensor,threshold"});
    CHECK(run.exitCode == 3);
    CHECK(run.output == "tensor,threshold\na,12.699999809265137\n");
    CHECK_THAT(run.errors, containsText("/nowhere/x.h5"));
}

TEST_CASE("scales: estimated errors say so and are near the exact ones, the scale is the same")
{
    const std::vector<std::string> arguments{
        sample,       "--tensor",  "swish_13.tmp_0",     "--calibrator",
        "percentile", "--columns", "scale,sqnr_db,notes"};
    std::vector<std::string> further = arguments;
    further.emplace_back("--estimate");
    const std::string exact = scales(arguments).output;
    const std::string estimate = scales(further).output;
    CHECK_THAT(exact, !containsText("metrics estimated"));
    CHECK_THAT(estimate, containsText("metrics estimated"));
    const auto cell = [](const std::string& table, std::size_t column) {
        std::size_t begin = table.find('\n') + 1;
        for (; column > 0; --column)
            begin = table.find(',', begin) + 1;
        return table.substr(begin, table.find(',', begin) - begin);
    };
    CHECK(cell(estimate, 0) == cell(exact, 0));
    CHECK(std::stod(cell(estimate, 1)) == test::Approx(std::stod(cell(exact, 1))).margin(0.05));
    CHECK(scales({sample, "--estimate", "--exact"}).exitCode == 2);
}

TEST_CASE("scales: an estimate has a bar that holds, for scripts and for people")
{
    const std::vector<std::string> arguments{sample,
                                             "--tensor",
                                             "swish_13.tmp_0",
                                             "--calibrator",
                                             "min-max:bits=12",
                                             "--columns",
                                             "sqnr_db,sqnr_bound_db"};
    const auto numbersOf = [&](const std::vector<std::string>& further) {
        std::vector<std::string> all = arguments;
        all.insert(all.end(), further.begin(), further.end());
        const std::string output = scales(all).output;
        const std::string row = output.substr(output.find('\n') + 1);
        const std::size_t comma = row.find(',');
        return std::pair(row.substr(0, comma), row.substr(comma + 1, row.size() - comma - 2));
    };
    const auto [exact, none] = numbersOf({});
    const auto [estimate, bar] = numbersOf({"--estimate"});
    CHECK(none.empty());
    CHECK(std::abs(std::stod(estimate) - std::stod(exact)) <= std::stod(bar));
    CHECK(std::stod(bar) < 0.1);
    std::vector<std::string> table = arguments;
    table.insert(table.end(), {"--estimate", "--format", "table"});
    CHECK_THAT(scales(table).output, containsText("+- dB"));
}

TEST_CASE("scales: wrong names and values are found before a file is opened")
{
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"--recipe", "none"},
                                               {"--preset", "none"},
                                               {"--calibrator", "none"},
                                               {"--calibrator", "percentile:alpha=101"},
                                               {"--calibrator", "percentile:beta=1"},
                                               {"--scheme", "none"},
                                               {"--granularity", "none"},
                                               {"--bits", "1"},
                                               {"--columns", "none"}}) {
        std::vector<std::string> arguments = {"/nowhere/x.h5"};
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        const ProgramRun run = scales(arguments);
        INFO(wrong[0] + " " + wrong[1]);
        CHECK(run.exitCode == 2);
        CHECK(run.output.empty());
        CHECK(run.errors.find("No such file") == std::string::npos);
    }
}

TEST_CASE("scales: a recipe of the user's own")
{
    const test::H5File file = small();
    const std::string recipePath = file.path() + ".json";
    test::writeBytes(recipePath, R"({"id": "mine", "title": "Mine", "rules": [
        {"name": "a", "calibrator": "percentile", "settings": {"alpha": 50}}]})");
    const ProgramRun run =
        scales({file.path(), "--recipe-file", recipePath, "--columns", "tensor,recipe,threshold"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "tensor,recipe,threshold\na,mine,1\n");
}

TEST_CASE("scales: what reading has lost is noted, for the whole and for each channel")
{
    test::H5File file;
    file.write("/weights/w", {2, 3}, {1e300, 1e-50, 2.0, 1e-60, -1e-50, 1.0},
               test::Stored::Float64);
    file.attribute("/weights/w", "channel_axis", std::int64_t{0});
    const auto notes = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{file.path(), "--calibrator", "min-max", "--columns",
                                           "channel,zeros,inf,notes"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return scales(arguments).output;
    };
    const std::string whole = "1 finite value beyond float32 is read as infinite; 3 values other "
                              "than 0 are read as 0: too small for float32";
    for (const std::string how : {"--exact", "--estimate"}) {
        const std::string all = notes({"--granularity", "tensor", how});
        CHECK_THAT(all, containsText(",3,1,") && containsText(whole));
        CHECK_THAT(notes({"--rows", "channel", how}),
                   containsText(whole) &&
                       containsText("\n0,1,1,one value decides: no other has more than half its "
                                    "magnitude; 1 finite value beyond float32 is read as "
                                    "infinite; 1 value other than 0 is read as 0: too small for "
                                    "float32\n") &&
                       containsText("; 2 values other than 0 are read as 0: too small for "
                                    "float32\n"));
    }
    CHECK_THAT(notes({"--granularity", "row", "--rows", "channel"}), containsText(whole));
    CHECK_THAT(notes({"--calibrator", "percentile:alpha=90", "--rows", "channel"}),
               containsText("\n1,2,0,") && containsText("2 values other than 0 are read as 0"));
}

TEST_CASE("scales: a setting without effect, an empty range and lost negative values have notes")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{1, -2, 3, 2});
    file.write("/activations/tiny", {2, 2}, std::vector<float>{1e-44F, -1e-44F, 0, 1e-44F});
    const auto notes = [&](const std::string& tensor, const std::string& calibrator,
                           const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments{file.path(), "--tensor",  tensor,       "--calibrator",
                                           calibrator,  "--columns", "scale,notes"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return scales(arguments).output.substr(std::string("scale,notes\n").size());
    };
    CHECK(notes("a", "fixed:threshold=2,low=-1,high=4") ==
          "0.015748031496062992,low=-1 has no effect under a symmetric scheme; high=4 has no "
          "effect under a symmetric scheme\n");
    CHECK(notes("a", "fixed:low=-1,high=4", {"--scheme", "affine"}) == "0.0196078431372549,\n");
    CHECK(notes("a", "fixed:threshold=2,low=-1,high=4", {"--scheme", "affine"}) ==
          "0.0196078431372549,threshold=2 has no effect: both ends are given\n");
    CHECK(notes("a", "min-max:divisor=qmax+0.5", {"--scheme", "affine"}) ==
          "0.0196078431372549,divisor=qmax+0.5 has no effect under an affine scheme\n");
    CHECK(notes("a", "min-max:divisor=2^b-1") ==
          "0.011764705882352941,values below 0 become 0: divisor=2^b-1 has no level for them\n");
    CHECK(notes("a", "fixed:threshold=0") == "1,the clip range is empty: scale 1 is used\n");
    CHECK(notes("a", "fixed:low=0,high=0", {"--scheme", "affine"}) ==
          "1,the clip range is empty: scale 1 is used\n");
    CHECK_THAT(notes("tiny", "min-max"), containsText("the scale is 0 in float32; 1/scale "
                                                      "overflows float32\n"));
    CHECK_THAT(notes("a", "percentile:alpha=50,tails=full,bins=77"),
               containsText("bins=77 has no effect: the estimator linear needs no histogram; "
                            "tails=full has no effect under a symmetric scheme"));
}

TEST_CASE("scales: levels_used is a column, in CSV and in JSON")
{
    const test::H5File file = small();
    CHECK(scales({file.path(), "--tensor", "a", "--calibrator", "fixed:threshold=127", "--columns",
                  "levels_used"})
              .output == "levels_used\n5\n");  // -2, 0, 1, 3, 13
    CHECK_THAT(scales({file.path(), "--tensor", "w", "--calibrator", "min-max", "--rows", "channel",
                       "--format", "json"})
                   .output,
               containsText("\"levels_used\":[2,2]"));
}

TEST_CASE("scales: no number is a negative zero")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{0, 0, 0.5F, 1});
    for (const std::string format : {"csv", "json", "table"})
        for (const std::string scheme : {"affine", "affine-real", "symmetric-full"}) {
            const std::string output =
                scales({file.path(), "--calibrator", "min-max", "--calibrator", "mse", "--preset",
                        "torch-minmax-affine", "--scheme", scheme, "--format", format})
                    .output;
            CHECK_THAT(output, !containsText(",-0,") && !containsText(":-0,") &&
                                   !containsText(" -0 ") && !containsText(": -0,"));
        }
}

TEST_CASE("scales: integers that are asked for by name are not passed over in silence")
{
    test::H5File file;
    file.write("ints", {4}, std::vector<double>{1, 2, -3, 4}, test::Stored::Int32);
    const ProgramRun asked = scales({file.path(), "--tensor", "ints"});
    CHECK(asked.exitCode == 0);
    CHECK_THAT(asked.errors, containsText("/ints: holds integers, which no recipe calibrates"));
    const ProgramRun named = scales({file.path(), "--tensor", "ints", "--calibrator", "min-max"});
    CHECK(named.errors.empty());
    CHECK_THAT(named.output, containsText("min-max"));
}

}  // namespace scales_test
