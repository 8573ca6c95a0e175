#include "core/protocol/frame_reader.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

#include <cstdlib>
#include <filesystem>

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("serve: it greets and ends with its input")
{
    const ProgramRun run = runProgram("calib", {"serve"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == protocol::preamble);
    CHECK(run.errors.empty());
}

TEST_CASE("serve: limits that are none are refused")
{
    CHECK(runProgram("calib", {"serve", "--memory", "1"}).exitCode == 2);
    CHECK(runProgram("calib", {"serve", "--address-space", "many"}).exitCode == 2);
}

TEST_CASE("serve: it works within a limited address space")
{
    const ProgramRun run = runProgram("calib", {"serve", "--address-space", "512"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == protocol::preamble);
}

TEST_CASE("serve: a cache folder is made only where one is named")
{
    const TemporaryFolder folder;
    const std::string cache = folder.file("cache");
    CHECK(runProgram("calib", {"serve"}).exitCode == 0);
    CHECK_FALSE(std::filesystem::exists(cache));
    const ProgramRun run = runProgram("calib", {"serve", "--cache", cache, "--cache-size", "8"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == protocol::preamble);
    CHECK(std::filesystem::is_directory(cache));
    CHECK(runProgram("calib", {"serve", "--cache", cache, "--cache-size", "0"}).exitCode == 2);
}

TEST_CASE("tables are computed from the values: no cache is read or written for them")
{
    const TemporaryFolder home;
    ::setenv("XDG_CACHE_HOME", home.path().c_str(), 1);
    const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";
    CHECK(runProgram("calib", {"scales", sample, "--tensor", "conv2d_0*"}).exitCode != 2);
    CHECK(runProgram("calib", {"stats", sample}).exitCode == 0);
    ::unsetenv("XDG_CACHE_HOME");
    CHECK(std::filesystem::is_empty(home.path()));
}
