#include "core/serve/protocol/frame_reader.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("serve: it greets and ends with its input")
{
    const ProgramRun run = runProgram("calib", {"serve"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == serve::preamble);
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
    CHECK(run.output == serve::preamble);
}
