// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

#include <cstdlib>
#include <string>

namespace completion_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

/// What bash offers at the end of a line, a word a line.
std::string offered(const std::string& words)
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder.file("completion.bash"),
                     runProgram("calib", {"completion", "bash"}).output);
    test::writeBytes(folder.file("dump one.h5"), "");
    test::writeBytes(folder.file("ask.bash"), "source ./completion.bash\n"
                                              "COMP_WORDS=(" +
                                                  words +
                                                  ")\n"
                                                  "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                                                  "_calib\n"
                                                  "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    const std::string command = "cd " + test::quoted(folder.path().string()) +
                                " && bash ./ask.bash >answer 2>errors </dev/null";
    const int status = std::system(command.c_str());
    CHECK(status == 0);
    CHECK(test::readBytes(folder.file("errors")).empty());
    return test::readBytes(folder.file("answer"));
}

TEST_CASE("bash completes subcommands, options and their words")
{
    CHECK(offered("calib sca") == "scales\n");
    CHECK(offered("calib che") == "check\ncheck-dump\n");
    CHECK(offered("calib scales a.h5 --gran") == "--granularity\n");
    CHECK(offered("calib scales a.h5 --recipe nvidia-e") ==
          "nvidia-entropy\nnvidia-entropy-open\n");
    CHECK(offered("calib scales a.h5 --role w") == "weight\n");
    CHECK(offered("calib stats --format t") == "tsv\ntable\n");
    CHECK(offered("calib scales --bits ''") == "\n");
    CHECK(offered("calib completion ''") == "bash\nzsh\nfish\n");
}

TEST_CASE("bash completes files where one is due, blanks in their names included")
{
    CHECK(offered("calib info dump") == "dump one.h5\n");
    CHECK(offered("calib scales x.h5 -o dump") == "dump one.h5\n");
}

TEST_CASE("every subcommand and visible option is in every script")
{
    const std::string help = runProgram("calib", {"scales", "--help"}).output;
    for (const std::string shell : {"bash", "zsh", "fish"}) {
        const ProgramRun run = runProgram("calib", {"completion", shell});
        CHECK(run.exitCode == 0);
        CHECK(run.errors.empty());
        for (const std::string word : {"materialize", "check-dump", "completion", "granularity"})
            CHECK_THAT(run.output, test::containsText(word));
    }
    CHECK(runProgram("calib", {"completion", "tcsh"}).exitCode == 2);
}

}  // namespace completion_test
