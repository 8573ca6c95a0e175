// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/choice_json.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace samples_test {

using namespace calibscope;
using test::containsText;
using test::H5File;
using test::ProgramRun;
using test::runProgram;
using test::textLines;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

ProgramRun studied(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "samples");
    return runProgram("calib", arguments);
}

/// Rows without the line of names.
std::vector<std::string> rowsOf(const std::vector<std::string>& arguments)
{
    const ProgramRun run = studied(arguments);
    CHECK(run.errors.empty());
    REQUIRE(run.exitCode == 0);
    std::vector<std::string> lines = textLines(run.output);
    REQUIRE_FALSE(lines.empty());
    lines.erase(lines.begin());
    return lines;
}

TEST_CASE("calib samples writes a row for each tensor and choice, weights left out")
{
    const std::vector<std::string> rows =
        rowsOf({sample, "--calibrator", "min-max", "--calibrator", "percentile", "--columns",
                "tensor,calibrator,unit,units,resamples,seed"});
    REQUIRE(rows.size() == 32);
    CHECK(rows[0] == "batch_norm_3.tmp_2,min-max,sample,8,200,1");
    CHECK(rows[1] == "batch_norm_3.tmp_2,percentile,sample,8,200,1");
}

TEST_CASE("calib samples tells why there is no band, or nothing at all")
{
    CHECK(rowsOf({sample, "--tensor", "conv2d_10.w_0", "--calibrator", "min-max", "--columns",
                  "threshold,notes"}) == std::vector<std::string>{",a weight has no samples"});
    const std::vector<std::string> batches =
        rowsOf({sample, "--tensor", "swish_13.tmp_0", "--calibrator", "min-max", "--unit", "batch",
                "--columns", "units,threshold_low,converged,resamples,notes"});
    CHECK(batches ==
          std::vector<std::string>{"4,,unknown,,4 batches are too few for a band: 6 are needed"});
}

TEST_CASE("calib samples is the same for any number of threads, and follows its seed")
{
    const auto output = [&](const char* jobs, const char* seed) {
        return studied({sample, "--tensor", "hardswish_30.tmp_0", "--tensor", "p2o.Add.2*",
                        "--calibrator", "percentile:alpha=99", "--calibrator", "entropy", "--order",
                        "--held-out", "3", "--resamples", "9", "--jobs", jobs, "--seed", seed})
            .output;
    };
    const std::string one = output("1", "1");
    CHECK(textLines(one).size() == 7);
    CHECK(output("4", "1") == one);
    CHECK(output("4", "2") != one);
}

TEST_CASE("calib samples --curve writes a row for each point, in every format")
{
    const std::vector<std::string> rows =
        rowsOf({sample, "--tensor", "swish_13.tmp_0", "--calibrator", "min-max", "--curve",
                "--columns", "units,threshold,resamples"});
    REQUIRE(rows.size() == 8);
    CHECK(rows.front().starts_with("1,"));
    CHECK(rows.back() == "8,3.7346482276916504,200");
    const ProgramRun json = studied({sample, "--tensor", "swish_13.tmp_0", "--calibrator",
                                     "min-max", "--curve", "--format", "json"});
    CHECK_THAT(json.output, containsText("\"units\": 8"));
}

TEST_CASE("calib samples studies what a session has accepted, weights left out")
{
    H5File file;
    std::vector<double> values;
    for (int index = 0; index < 64; ++index)
        values.push_back(std::sin(index));
    file.write("activations/a", {8, 8}, values);
    file.write("activations/b", {8, 8}, values);
    file.write("weights/w", {8, 8}, values);
    const auto decision = [](const char* alpha) {
        const Choice choice = makeChoice("percentile", {{"alpha", alpha}},
                                         SchemeKind::SymmetricFull, Granularity::Tensor);
        return nlohmann::json{{"id", "x"}, {"choice", choiceJson(choice)}};
    };
    const nlohmann::json session = {
        {"format", "calibscope session"},
        {"version", 3},
        {"dumps",
         {{{"absolute", file.path()},
           {"size", std::filesystem::file_size(file.path())},
           {"decisions", {{"/activations/b", decision("90")}, {"/weights/w", decision("99")}}}}}}};
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a.calsession");
    std::ofstream(path) << session.dump();
    const std::vector<std::string> rows =
        rowsOf({file.path(), "--session", path, "--columns", "tensor,calibrator,scheme,units"});
    CHECK(rows == std::vector<std::string>{"b,percentile,symmetric-full,8"});
}

TEST_CASE("calib samples refuses what it can't mean")
{
    CHECK(studied({sample, "--held-out", "1"}).exitCode == 2);
    CHECK(studied({sample, "--unit", "image"}).exitCode == 2);
    CHECK(studied({sample, "--calibrator", "no"}).exitCode == 2);
    const ProgramRun both =
        studied({sample, "--session", "a.calibscope", "--calibrator", "min-max"});
    CHECK(both.exitCode == 2);
    CHECK_THAT(both.errors, containsText("--session already selects tensors and calibrators"));
    CHECK(studied({sample, "--session", "/no/such/session"}).exitCode == 3);
    CHECK(studied({sample, "-o", sample}).exitCode == 2);
}

TEST_CASE("calib samples studies what can be read, and tells of the rest")
{
    H5File file;
    std::vector<double> values;
    for (int index = 0; index < 64; ++index)
        values.push_back(std::sin(index));
    file.write("activations/good", {8, 8}, values);
    const ProgramRun run = studied(
        {"/no/such/dump.h5", file.path(), "--calibrator", "min-max", "--columns", "tensor,units"});
    CHECK(run.exitCode == 3);
    CHECK_THAT(run.errors, containsText("/no/such/dump.h5"));
    CHECK(run.output == "tensor,units\ngood,8\n");
}

}  // namespace samples_test
