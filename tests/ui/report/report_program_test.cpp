#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>

using namespace calibscope::test;
namespace fs = std::filesystem;

namespace {

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

ProgramRun report(const std::vector<std::string>& further)
{
    std::vector<std::string> arguments = {"report",     sample,   "--recipe", "rebellions-vision",
                                          "--pictures", "worst:0"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return runProgram("calibscope", arguments);
}

}  // namespace

TEST_CASE("the program writes a report without a display, and not over another one")
{
    const TemporaryFolder place;
    const std::string folder = place.file("report");
    const ProgramRun first = report({"-o", folder});
    CHECK(first.exitCode == 0);
    CHECK(first.output.empty());
    CHECK(fs::exists(folder + "/tensor/swish_13.tmp_0.html"));

    const ProgramRun second = report({"-o", folder});
    CHECK(second.exitCode == 4);
    CHECK_THAT(second.errors, containsText("--overwrite"));
    CHECK(report({"-o", folder, "--overwrite"}).exitCode == 0);
}

TEST_CASE("rows of scales.csv are those of calib scales")
{
    const TemporaryFolder place;
    const std::string folder = place.file("report");
    REQUIRE(report({"-o", folder}).exitCode == 0);
    const ProgramRun scales =
        runProgram("calib", {"scales", sample, "--recipe", "rebellions-vision"});
    CHECK(readBytes(folder + "/scales.csv") == scales.output);
}

TEST_CASE("a failed gate is exit code 1 with the offenders, an unreadable file 3")
{
    const TemporaryFolder place;
    const ProgramRun gate = report({"-o", place.file("gate"), "--fail-if", "sqnr<28"});
    CHECK(gate.exitCode == 1);
    CHECK_THAT(gate.errors, containsText("softmax_10.tmp_0: percentile 99.999: sqnr_db is 27."));
    CHECK(fs::exists(place.file("gate") + "/index.html"));

    const ProgramRun missing = report({"/nowhere/b.h5", "-o", place.file("missing")});
    CHECK(missing.exitCode == 3);
    CHECK_THAT(missing.errors, containsText("/nowhere/b.h5"));
    CHECK(fs::exists(place.file("missing") + "/tensor/swish_13.tmp_0.html"));
}

TEST_CASE("wrong words on the command line are exit code 2, and nothing is made")
{
    const TemporaryFolder place;
    const std::string folder = place.file("report");
    CHECK(runProgram("calibscope", {"report", sample}).exitCode == 2);
    CHECK(report({"-o", folder, "--fail-if", "speed<1"}).exitCode == 2);
    CHECK(report({"-o", folder, "--recipe", "magic"}).exitCode == 2);
    CHECK(runProgram("calibscope", {"report", sample, "-o", folder, "--pictures", "best:3"})
              .exitCode == 2);
    CHECK(fs::is_empty(place.path()));
}
