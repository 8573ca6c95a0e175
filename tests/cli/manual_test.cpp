// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

#include <set>
#include <sstream>
#include <string>

namespace manual_test {

using namespace calibscope;
using test::runProgram;

std::string page()
{
    const test::ProgramRun run = runProgram("calib", {"manual"});
    CHECK(run.exitCode == 0);
    CHECK(run.errors.empty());
    return run.output;
}

TEST_CASE("the manual has a section for each subcommand")
{
    const std::string text = page();
    std::istringstream script(runProgram("calib", {"completion", "fish"}).output);
    std::size_t subcommands = 0;
    const std::string before = "__fish_use_subcommand -a ";
    for (std::string line; std::getline(script, line);) {
        const std::size_t at = line.find(before);
        if (at == std::string::npos)
            continue;
        const std::size_t begin = at + before.size();
        std::string name = line.substr(begin, line.find(' ', begin) - begin);
        if (const std::size_t hyphen = name.find('-'); hyphen != std::string::npos)
            name.insert(hyphen, "\\");
        CHECK_THAT(text, test::containsText("\n.SS \\fBcalib " + name + "\\fR"));
        ++subcommands;
    }
    CHECK(subcommands > 20);
}

TEST_CASE("an option of the manual has its names, value, words, range and default")
{
    const std::string text = page();
    CHECK_THAT(text, test::containsText(".TP\n\\fB\\-\\-role\\fR \\fIROLE\\fR\n"));
    CHECK_THAT(text, test::containsText("One of: tensor, channel. Default: tensor."));
    CHECK_THAT(text, test::containsText("From \\-1 to 31."));
    CHECK_THAT(text, test::containsText("\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fI"));
}

TEST_CASE("no text of the manual is taken for a request of troff")
{
    const std::set<std::string> requests{".TH", ".SH", ".SS", ".TP", ".BR", ".PP"};
    std::istringstream lines(page());
    for (std::string line; std::getline(lines, line);) {
        CHECK_FALSE(line.starts_with('\''));
        if (line.starts_with('.'))
            CHECK(requests.contains(line.substr(0, 3)));
    }
}

}  // namespace manual_test
