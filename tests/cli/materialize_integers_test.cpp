// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"
#include "tests/support/small_files.h"

#include <filesystem>
#include <string>
#include <vector>

namespace materialize_integers_test {

using namespace calibscope;
using test::containsText;
using test::ProgramRun;
using test::runProgram;

/// A dump with an activation, and a weight of 512 KiB as integers.
test::H5File dump()
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{1, 2, 3, 4});
    file.write("/weights/w", {512, 1024}, std::vector<float>(512 * 1024, 0.5F));
    return file;
}

ProgramRun materialize(const test::H5File& file, std::vector<std::string> more)
{
    more.insert(more.begin(), {"materialize", file.path(), "-o", file.folder().file("q.h5")});
    return runProgram("calib", more);
}

TEST_CASE("calib materialize writes integers and says what")
{
    const test::H5File file = dump();
    const ProgramRun run = materialize(file, {"--calibrator", "min-max"});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.errors, containsText("q.h5: 1 weight as integers, scales of 1 activation"));
    CHECK(std::filesystem::exists(file.folder().file("q.h5")));
}

TEST_CASE("calib materialize wants one source of scales, and an output that is not an input")
{
    const test::H5File file = dump();
    CHECK(materialize(file, {}).exitCode == 2);
    CHECK(materialize(file, {"--calibrator", "min-max", "--recipe", "nvidia-entropy"}).exitCode ==
          2);
    const ProgramRun run = runProgram(
        "calib", {"materialize", file.path(), "--calibrator", "min-max", "-o", file.path()});
    CHECK(run.exitCode == 2);
}

TEST_CASE("calib materialize on a disk that is full leaves nothing behind")
{
    const test::H5File file = dump();
    ProgramRun run;
    {
        const test::SmallFiles full(1 << 16);
        run = materialize(file, {"--calibrator", "min-max"});
    }
    CHECK(run.exitCode == 4);
    CHECK_THAT(run.errors, containsText("q.h5 could not be written: File too large"));
    for (const auto& entry : std::filesystem::directory_iterator(file.folder().path()))
        CHECK(entry.path() == file.path());
}

}  // namespace materialize_integers_test
