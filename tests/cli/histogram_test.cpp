// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <algorithm>
#include <string>
#include <vector>

namespace cli_histogram_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

/// Two batches: up to 2, then up to 5.
test::H5File twoBatches()
{
    test::H5File file;
    file.write("/activations/a", {4, 1}, std::vector<float>{0.5F, -2.0F, 5.0F, -1.0F});
    file.attribute("/activations/a", "batch_size", std::int64_t{2});
    return file;
}

std::string histogramOf(const test::H5File& file, const std::vector<std::string>& more)
{
    std::vector<std::string> arguments{"histogram", file.path(), "--tensor", "a"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = runProgram("calib", arguments);
    CHECK(run.exitCode == 0);
    return run.output;
}

TEST_CASE("a histogram is a row for each bin, by any rule and domain")
{
    const test::H5File file = twoBatches();
    CHECK(histogramOf(file, {"--bins", "2"}) == "low,high,count\n0,2.5,3\n2.5,5,1\n");
    CHECK(histogramOf(file, {"--bins", "2", "--domain", "signed"}) ==
          "low,high,count\n-2,1.5,3\n1.5,5,1\n");
    CHECK(histogramOf(file, {"--bins", "1", "--growth", "double"}) ==
          "low,high,count\n0,2,3\n2,4,0\n4,6,1\n6,8,0\n");
    // Of x: [-2, 0.5] in two bins first; both counts move into the first of [-2, 1.5) and [1.5, 5].
    CHECK(histogramOf(file, {"--bins", "2", "--growth", "redistribute"}) ==
          "low,high,count\n-2,1.5,3\n1.5,5,1\n");
}

TEST_CASE("bins and domain are those that the rule was published with")
{
    const test::H5File file = twoBatches();
    const auto lines = [](const std::string& text) {
        return std::count(text.begin(), text.end(), '\n');
    };
    CHECK(lines(histogramOf(file, {})) == 1 + 2048);
    CHECK(lines(histogramOf(file, {"--growth", "double"})) == 1 + 4 * 1024);
    CHECK(lines(histogramOf(file, {"--growth", "redistribute"})) == 1 + 512);
    CHECK(histogramOf(file, {"--growth", "redistribute"}).starts_with("low,high,count\n-2,"));
}

TEST_CASE("a histogram of a tensor that can't be read or isn't there ends with 3")
{
    test::H5File file;
    file.writeTexts("/texts", {"a", "b"});
    const ProgramRun unreadable =
        runProgram("calib", {"histogram", file.path(), "--tensor", "texts"});
    CHECK(unreadable.exitCode == 3);
    CHECK(unreadable.output.empty());
    CHECK(unreadable.errors.starts_with("calib: " + file.path() + ":/texts: it holds texts"));
    CHECK(runProgram("calib", {"histogram", file.path(), "--tensor", "a"}).exitCode == 3);
}

}  // namespace cli_histogram_test
