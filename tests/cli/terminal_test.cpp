// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

namespace terminal_test {

using namespace calibscope;

/// What calib shows on a terminal of so many columns; what it says on stderr comes with it.
std::string shownBy(const std::vector<std::string>& arguments, unsigned short columns)
{
    int terminal = -1;
    winsize size{};
    size.ws_row = 24;
    size.ws_col = columns;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
    REQUIRE(child >= 0);
    if (child == 0) {
        const std::string program = std::string(CALIBSCOPE_PROGRAM_DIR) + "/calib";
        std::vector<char*> words{const_cast<char*>(program.c_str())};
        for (const std::string& argument : arguments)
            words.push_back(const_cast<char*>(argument.c_str()));
        words.push_back(nullptr);
        ::execv(program.c_str(), words.data());
        ::_exit(127);
    }
    std::string shown;
    std::array<char, 4096> block{};
    for (::ssize_t count = 0; (count = ::read(terminal, block.data(), block.size())) > 0;)
        shown.append(block.data(), static_cast<std::size_t>(count));
    ::close(terminal);
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    shown.erase(std::remove(shown.begin(), shown.end(), '\r'), shown.end());
    return shown;
}

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

TEST_CASE("a terminal gets a table that fits, and a word about what does not")
{
    for (const unsigned short width : std::initializer_list<unsigned short>{80, 120, 200}) {
        const std::string shown = shownBy({"scales", sample, "--tensor", "swish_13.tmp_0"}, width);
        const std::vector<std::string> lines = test::textLines(shown);
        REQUIRE(lines.size() == 10);
        CHECK(lines.front().starts_with("tensor          recipe               calibrator "));
        CHECK_THAT(lines[4], test::containsText("0.913603"));
        CHECK(lines.back().starts_with("calib: "));
        CHECK_THAT(lines.back(), test::containsText("more: --columns NAME,..., or --format csv"));
        for (std::size_t line = 0; line + 1 < lines.size(); ++line) {
            const auto bytes = static_cast<std::size_t>(
                std::count_if(lines[line].begin(), lines[line].end(), [](char c) {
                    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
                }));
            CHECK(bytes <= width);
        }
    }
}

TEST_CASE("what is asked for wins over the terminal")
{
    const std::vector<std::string> scales{"scales",         sample,     "--tensor",
                                          "swish_13.tmp_0", "--recipe", "nvidia-entropy"};
    auto with = [&scales](const std::vector<std::string>& more) {
        std::vector<std::string> all = scales;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    CHECK(shownBy(with({"--format", "csv"}), 80) ==
          test::runProgram("calib", with({"--format", "csv"})).output);
    CHECK(shownBy(with({"--format", "table"}), 80) ==
          test::runProgram("calib", with({"--format", "table"})).output);
    const std::vector<std::string> lines =
        test::textLines(shownBy(with({"--columns", "scale,tensor"}), 80));
    REQUIRE(lines.size() == 2);
    CHECK(lines[1] == "0.00719372  swish_13.tmp_0");
}

TEST_CASE("a pipe and a file get CSV")
{
    const test::TemporaryFolder folder;
    const std::vector<std::string> arguments{"info", sample, "--tensor", "swish_13.tmp_0"};
    const std::string piped = test::runProgram("calib", arguments).output;
    CHECK(piped.starts_with("tensor,role,"));
    std::vector<std::string> toFile = arguments;
    toFile.insert(toFile.end(), {"-o", folder.file("info.csv")});
    CHECK(shownBy(toFile, 80).empty());
    CHECK(test::readBytes(folder.file("info.csv")) == piped);
}

}  // namespace terminal_test
