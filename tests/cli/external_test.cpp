// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <filesystem>
#include <string>
#include <vector>

namespace external_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

TEST_CASE("every subcommand reads what links lead to, if it is allowed to")
{
    test::H5File other;
    other.write("/x", {2}, std::vector<float>{1.0F, 4.0F});
    test::H5File file;
    file.externalLink("/a", "part.h5", "/x");
    std::filesystem::copy_file(other.path(), file.folder().file("part.h5"));

    const ProgramRun refused = runProgram("calib", {"stats", file.path(), "--tensor", "a"});
    CHECK(refused.exitCode == 3);
    CHECK(refused.errors ==
          "calib: " + file.path() +
              ":/a: it is a link to /x in the file part.h5; other files are read only with "
              "--allow-external\n");
    const auto allowed = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin() + 1, {file.path(), "--allow-external"});
        const ProgramRun run = runProgram("calib", arguments);
        CHECK(run.exitCode == 0);
        CHECK(run.errors.empty());
        return run.output;
    };
    CHECK(allowed({"stats", "--columns", "tensor,values,max"}) == "tensor,values,max\na,2,4\n");
    CHECK(allowed({"info", "--columns", "tensor,readable"}) == "tensor,readable\na,yes\n");
    CHECK(allowed({"histogram", "--tensor", "a", "--bins", "2"}) ==
          "low,high,count\n0,2,1\n2,4,1\n");
    CHECK(allowed({"scales", "--calibrator", "min-max", "--columns", "tensor,threshold"}) ==
          "tensor,threshold\na,4\n");
}

TEST_CASE("a tensor is found by a further name that the file gives it")
{
    test::H5File file;
    file.write("/embedding", {2}, std::vector<float>{1.0F, 4.0F});
    file.hardLink("/head", "/embedding");
    const ProgramRun run =
        runProgram("calib", {"stats", file.path(), "--tensor", "head", "--columns", "tensor,max"});
    CHECK(run.output == "tensor,max\nembedding,4\n");
}

}  // namespace external_test
