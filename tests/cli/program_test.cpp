#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

namespace {

test::H5File oneTensor()
{
    test::H5File file;
    file.write("/a", {4}, std::vector<float>{1.0F, -2.0F, 0.0F, 3.0F});
    return file;
}

}  // namespace

TEST_CASE("help and version go to standard output and are no failure")
{
    const ProgramRun version = runProgram("calib", {"--version"});
    CHECK(version.exitCode == 0);
    CHECK(version.output.starts_with("calib "));
    const ProgramRun help = runProgram("calib", {"--help"});
    CHECK(help.exitCode == 0);
    for (const std::string command : {"info", "stats", "histogram", "scales"})
        CHECK_THAT(help.output, test::containsText(command));
    CHECK(help.errors.empty());
}

TEST_CASE("a command line that is not understood ends with 2 and one sentence")
{
    const std::vector<std::vector<std::string>> wrong{
        {},
        {"nonsense"},
        {"info"},
        {"info", "a.h5", "--nonsense"},
        {"info", "a.h5", "b.h5"},
        {"info", "a.h5", "--format", "xml"},
        {"stats", "a.h5", "--rows", "row"},
        {"stats", "a.h5", "--columns", "nonsense"},
        {"stats", "a.h5", "--batches", "-1"},
        {"stats", "a.h5", "--batch-size", "0"},
        {"histogram", "a.h5"},
        {"histogram", "a.h5", "--tensor", "a", "--bins", "0"},
        {"histogram", "a.h5", "--tensor", "a", "--growth", "nonsense"},
        {"histogram", "a.h5", "--tensor", "a", "--domain", "both"}};
    for (const std::vector<std::string>& arguments : wrong) {
        const ProgramRun run = runProgram("calib", arguments);
        CHECK(run.exitCode == 2);
        CHECK(run.output.empty());
        CHECK(run.errors.starts_with("calib: "));
        CHECK(std::count(run.errors.begin(), run.errors.end(), '\n') == 1);
    }
}

TEST_CASE("a file that can't be read ends with 3, a sentence, and nothing on standard output")
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder.file("text.h5"), "not a dump");
    for (const std::string command : {"info", "stats"})
        for (const std::string path : {"none.h5", "text.h5"}) {
            const ProgramRun run =
                runProgram("calib", {command, folder.file(path), "--format", "json"});
            CHECK(run.exitCode == 3);
            CHECK(run.output.empty());
            CHECK(run.errors.starts_with("calib: " + folder.file(path) + ": "));
        }
}

TEST_CASE("an output that can't be written ends with 4 and names the place and the reason")
{
    const test::H5File file = oneTensor();
    const ProgramRun run =
        runProgram("calib", {"info", file.path(), "-o", file.folder().file("none/out.csv")});
    CHECK(run.exitCode == 4);
    CHECK(run.errors == "calib: " + file.folder().file("none/out.csv") +
                            ": No such file or directory; choose another location\n");
}

TEST_CASE("the output may not replace the dump that is read")
{
    const test::H5File file = oneTensor();
    const std::string before = test::readBytes(file.path());
    const ProgramRun run = runProgram("calib", {"stats", file.path(), "-o", file.path()});
    CHECK(run.exitCode == 2);
    CHECK_THAT(run.errors, test::containsText("is the dump itself"));
    CHECK(test::readBytes(file.path()) == before);
}

TEST_CASE("with -o the file holds what standard output would have, and standard output nothing")
{
    const test::H5File file = oneTensor();
    const std::string place = file.folder().file("out.json");
    const ProgramRun shown = runProgram("calib", {"stats", file.path(), "--format", "json"});
    const ProgramRun written =
        runProgram("calib", {"stats", file.path(), "--format", "json", "-o", place});
    CHECK(written.exitCode == 0);
    CHECK(written.output.empty());
    CHECK_FALSE(shown.output.empty());
    CHECK(test::readBytes(place) == shown.output);
}
