// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/npy_files.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace program_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

test::H5File oneTensor()
{
    test::H5File file;
    file.write("/a", {4}, std::vector<float>{1.0F, -2.0F, 0.0F, 3.0F});
    return file;
}

TEST_CASE("help and version go to standard output and are not a failure")
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

TEST_CASE("nor a file of a folder that is read")
{
    const test::TemporaryFolder folder;
    const std::string array = folder.file("conv.npy");
    const std::string before =
        test::npyOf("<f4", "(2,)", test::bytesOfElements(std::vector<float>{1.0F, 2.0F}));
    test::writeBytes(array, before);
    const ProgramRun run = runProgram("calib", {"stats", folder.path().string(), "-o", array});
    CHECK(run.exitCode == 2);
    CHECK_THAT(run.errors, test::containsText("is a file of the dump"));
    CHECK(test::readBytes(array) == before);
    CHECK(runProgram("calib", {"stats", folder.path().string()}).exitCode == 0);
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

TEST_CASE("help and version that can't be written end with 4")
{
    for (const std::string arguments : {"--help", "--version", "scales --help"}) {
        const int status = std::system((std::string(CALIBSCOPE_PROGRAM_DIR) + "/calib " +
                                        arguments + " >/dev/full 2>/dev/null")
                                           .c_str());
        CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 4));
    }
}

TEST_CASE("names in sentences and in tables for people send a terminal no commands")
{
    const std::string odd = "\x1b]0;title\x07\x1b[31m\u009b1m\u202e\nok: 0 problems";
    test::H5File file = oneTensor();
    file.softLink("/" + odd, "/nowhere");
    const std::vector<std::vector<std::string>> commands{
        {"info", file.path(), "--format", "table"},
        {"stats", file.path()},
        {"stats", file.path() + odd},
        {"scales", file.path(), "--preset", "mse", "--tensor", "/" + odd},
        {"scales", file.path(), "--recipe", odd}};
    for (const std::vector<std::string>& arguments : commands) {
        const ProgramRun run = runProgram("calib", arguments);
        const bool isTable = arguments.back() == "table";
        const std::string shown = run.errors + (isTable ? run.output : std::string());
        CHECK_FALSE(shown.empty());
        CHECK(shown.find_first_of("\x1b\x07") == std::string::npos);
        for (const std::string command : {"\u009b", "\u202e", "\nok: 0"})
            CHECK(shown.find(command) == std::string::npos);
    }
}

TEST_CASE("a name without end comes back as its beginning, with the reason and the remedy")
{
    const ProgramRun run = runProgram("calib", {"info", std::string(100'000, 'n')});
    CHECK(run.exitCode == 3);
    CHECK(run.errors.size() < 4200);
    CHECK(run.errors.starts_with("calib: nnn"));
    CHECK(run.errors.find("nnn: File name too long") != std::string::npos);
}

TEST_CASE("of very many complaints the first hundred are said, and how many more there are")
{
    const test::H5File file = oneTensor();
    for (const std::size_t missing : {100U, 101U, 350U}) {
        std::vector<std::string> arguments{"profile", file.path(), "-o", "P.h5"};
        for (std::size_t index = 0; index < missing; ++index)
            arguments.push_back("missing-" + std::to_string(index) + ".h5");
        const ProgramRun run = runProgram("calib", arguments);
        CHECK(run.exitCode == 3);
        CHECK(run.errors.find("missing-99.h5: No such file") != std::string::npos);
        CHECK(run.errors.find("missing-100.h5: No such file") == std::string::npos);
        const std::string more = "calib: and " + std::to_string(missing - 100) + " more";
        CHECK((run.errors.find(more) != std::string::npos) == (missing > 100));
    }
}

TEST_CASE("a program that a signal stops leaves no part of its output, and the former file")
{
    const test::TemporaryFolder folder;
    test::H5File file;
    // Long enough that it is at work when the signal comes: tensors are computed two or more at once.
    for (const char* name : {"/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h"})
        file.write(name, {2'000'000}, std::vector<float>(2'000'000, 1.5F));
    test::writeBytes(folder.file("out.csv"), "former");
    // The first rows are written before the last tensors are read.
    const std::string script = "cd " + test::quoted(folder.path().string()) + "; " +
                               test::quoted(std::string(CALIBSCOPE_PROGRAM_DIR) + "/calib") +
                               " scales " + test::quoted(file.path()) +
                               " -o out.csv & p=$!; for i in $(seq 1000); do ls out.csv.part-* "
                               ">/dev/null 2>&1 && break; kill -0 $p || break; sleep 0.002; done; "
                               "kill -TERM $p; wait $p; test $? -eq 143";
    const int status = std::system(("bash -c " + test::quoted(script) + " 2>/dev/null").c_str());
    CHECK(status == 0);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()),
                        std::filesystem::directory_iterator()) == 1);
}

TEST_CASE("an engine does not use a cache folder that is a link, and says so once")
{
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("real"));
    std::filesystem::create_directory_symlink(folder.file("real"), folder.file("link"));
    const ProgramRun run = runProgram("calib", {"serve", "--cache", folder.file("link")});
    CHECK(run.exitCode == 0);
    CHECK(run.errors ==
          "calib: the cache folder " + folder.file("link") + " is not used: it is a link\n");
    CHECK(std::filesystem::is_empty(folder.file("real")));
}

}  // namespace program_test
