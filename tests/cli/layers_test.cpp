// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace layers_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

const std::string goldenFolder = std::string(CALIBSCOPE_SOURCE_DIR) + "/tests/golden/";
const std::string dump = goldenFolder + "layers.h5";
const std::string scales = goldenFolder + "layers-scales.json";

TEST_CASE("an empty table has a sentence")
{
    const ProgramRun run = runProgram(
        "calib", {"layers", dump, "--scales", scales, "--layer", "matmul", "--equalization"});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.errors, test::containsText("calib: note: no rows: no two layers follow"));
}

TEST_CASE("layers have a row each, those without numbers with the reason")
{
    const ProgramRun run =
        runProgram("calib", {"layers", dump, "--scales", scales, "--layer", "matmul"});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.output,
               test::containsText("layer,op,input,weight,output_sqnr_db,interval_db,output_ac_db,"
                                  "input_db,weight_db,residual,positions,of,attributes,notes\n"
                                  "matmul,MatMul,matmul.x,matmul.w,"));
}

TEST_CASE("few positions have an interval and the seed, all of them none")
{
    const ProgramRun few =
        runProgram("calib", {"layers", dump, "--scales", scales, "--layer", "many", "--positions",
                             "256", "--seed", "5", "--format", "json"});
    REQUIRE(few.exitCode == 0);
    const nlohmann::json row = nlohmann::json::parse(few.output).front();
    CHECK(row["positions"] == 256);
    CHECK(row["of"] == 4096);
    CHECK(row["interval_db"].get<double>() > 0.0);
    CHECK(row["notes"] == "estimated, seed 5");
    const ProgramRun all = runProgram("calib", {"layers", dump, "--scales", scales, "--layer",
                                                "many", "--exact", "--format", "json"});
    CHECK_FALSE(nlohmann::json::parse(all.output).front().contains("interval_db"));
}

TEST_CASE("results are the same for any number of threads")
{
    const ProgramRun one = runProgram("calib", {"layers", dump, "--scales", scales, "--jobs", "1"});
    const ProgramRun four =
        runProgram("calib", {"layers", dump, "--scales", scales, "--jobs", "4"});
    CHECK(one.exitCode == 0);
    CHECK(one.output == four.output);
}

TEST_CASE("channels, candidates and equalizing are tables of their own")
{
    const ProgramRun channels = runProgram(
        "calib", {"layers", dump, "--scales", scales, "--layer", "matmul", "--channels"});
    CHECK(channels.exitCode == 0);
    CHECK_THAT(channels.output,
               test::containsText("layer,channel,signal,noise,sqnr_db,mean_error,gain_db,dead\n"
                                  "matmul,0,"));
    const ProgramRun candidates = runProgram(
        "calib", {"layers", dump, "--scales", scales, "--layer", "matmul", "--candidates"});
    CHECK(candidates.exitCode == 0);
    CHECK_THAT(candidates.output, test::containsText("matmul,both,"));
    const ProgramRun pairs =
        runProgram("calib", {"layers", dump, "--scales", scales, "--equalization"});
    CHECK(pairs.exitCode == 0);
    CHECK(pairs.output.starts_with("first,second,activation,"));
    CHECK(runProgram("calib", {"layers", dump, "--scales", scales, "--channels", "--candidates"})
              .exitCode == 2);
}

TEST_CASE("operands are analysed without decisions, by words that are known")
{
    const std::string operands = goldenFolder + "format_operands.h5";
    const auto rowsOf = [&](const char* analysis) {
        const ProgramRun run =
            runProgram("calib", {"layers", operands, "--analysis", analysis, "--format", "json"});
        REQUIRE(run.exitCode == 0);
        return nlohmann::json::parse(run.output);
    };
    const nlohmann::json smooth = rowsOf("smooth");
    REQUIRE(smooth.size() == 22);
    CHECK_FALSE(smooth[0].contains("difference_db"));
    CHECK(smooth[14]["best"] == "yes");
    CHECK(smooth[14]["setting"] == 0.65);
    const nlohmann::json formats = rowsOf("formats");
    CHECK(formats[0]["method"] == "int4");
    CHECK(formats[0]["notes"] == "share of input channels in the error: 9 (76 %), 70 (22 %)");
    CHECK(rowsOf("awq").size() == 1 + 20 + 20 + 11);
    CHECK(rowsOf("awq-clip").back()["best"] == "yes");
    const auto fails = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"layers", operands};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runProgram("calib", arguments).exitCode == 2;
    };
    CHECK(fails({"--analysis", "gptq"}));
    CHECK(fails({"--analysis", "awq", "--channels"}));
    CHECK(fails({"--analysis", "awq-clip", "--number-format", "fp8-e4m3"}));
    CHECK(fails({"--number-format", "int4-g32", "--calibrator", "min-max"}));
}

TEST_CASE("candidates have the bits that all choices have, and the decided one is among them")
{
    const auto least = [](const std::string& bits) {
        const ProgramRun run =
            runProgram("calib", {"layers", dump, "--calibrator", "min-max", "--bits", bits,
                                 "--layer", "matmul", "--candidates", "--format", "json"});
        REQUIRE(run.exitCode == 0);
        const nlohmann::json rows = nlohmann::json::parse(run.output);
        double best = -1e300;
        for (const nlohmann::json& row : rows) {
            best = std::max(best, row["output_sqnr_db"].get<double>());
            if (row["decided"] == "yes")
                CHECK(row["difference_db"] == 0.0);
        }
        return best;
    };
    // 16 times fewer levels of both operands cost about 24 dB.
    CHECK(least("4") < least("8") - 15.0);
}

TEST_CASE("weights that get no groups are named in one warning")
{
    const ProgramRun run =
        runProgram("calib", {"layers", dump, "--calibrator", "min-max", "--granularity", "g7919"});
    CHECK_THAT(run.errors, test::containsText("of the weights have no whole groups of 7919") &&
                               test::containsText("/weights/matmul.w"));
}

TEST_CASE("without scales, and for a layer that is not there, it is said what is missing")
{
    CHECK(runProgram("calib", {"layers", dump}).exitCode == 2);
    const ProgramRun run =
        runProgram("calib", {"layers", dump, "--scales", scales, "--layer", "none"});
    CHECK(run.exitCode == 3);
    CHECK_THAT(run.errors, test::containsText("there is no layer none"));
}

TEST_CASE("too little memory for products ends with a sentence")
{
    if (!test::canLimitMemory())
        return;
    const ProgramRun run =
        runProgram("calib", {"layers", dump, "--scales", scales, "--address-space", "200"});
    CHECK(run.exitCode == 3);
    CHECK_THAT(run.errors, test::containsText("it takes more memory than the 200 MiB"));
}

}  // namespace layers_test
