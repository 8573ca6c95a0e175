// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/program_host.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/base/whole_file.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

namespace program_host_test {

using namespace calibscope;
using namespace calibscope::engine;
using calibscope::test::containsText;
using namespace std::chrono_literals;

/// A folder of programs, and who runs them.
struct Programs
{
    explicit Programs(ProgramLimits limits = {.patience = 20s})
        : host({.folder = folder.path().string()}, limits)
    {}

    /// An executable file there; the question that asks it.
    [[nodiscard]] ProgramQuestion make(const std::string& name, const std::string& text,
                                       bool isExecutable = true) const
    {
        test::writeBytes(folder.file(name), text);
        if (isExecutable)
            std::filesystem::permissions(folder.file(name), std::filesystem::perms::owner_all);
        return {.file = name, .sha256 = hexText(sha256(text)), .line = "{}"};
    }
    [[nodiscard]] std::string ask(const ProgramQuestion& question)
    {
        return host.ask(question, {});
    }
    [[nodiscard]] std::string failure(const ProgramQuestion& question)
    {
        try {
            return "it answered " + ask(question);
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Usage);
            return error.what();
        }
    }

    test::TemporaryFolder folder;
    ProgramHost host;
};

/// Within ten seconds; one whose end nobody has fetched has ended, too.
bool ends(int process)
{
    for (int look = 0; look < 200; ++look) {
        std::ifstream file("/proc/" + std::to_string(process) + "/stat");
        std::string line;
        if (!std::getline(file, line) || line.find(") Z") != std::string::npos)
            return true;
        std::this_thread::sleep_for(50ms);
    }
    return false;
}

const std::string shell = "#!/bin/sh\n";
/// Its process and the question, for each.
const std::string echo = shell + "while read -r line; do echo \"$$ $line\"; done\n";

TEST_CASE("a program stays for the next question, each gets its own answer")
{
    Programs programs;
    ProgramQuestion question = programs.make("echo", echo);
    question.line = "one";
    const std::string first = programs.ask(question);
    question.line = "two";
    const std::string second = programs.ask(question);
    CHECK_THAT(first, containsText(" one"));
    CHECK(second == first.substr(0, first.find(' ')) + " two");
}

TEST_CASE("a program that answers once and ends, without reading, is started anew")
{
    Programs programs;
    ProgramQuestion question = programs.make("once", shell + "echo $$\n");
    question.line = std::string(1 << 20, 'x');
    const std::string first = programs.ask(question);
    CHECK(first != programs.ask(question));
    // Also one that warns.
    const ProgramQuestion warning = programs.make("warns", shell + "echo $$; echo hm >&2\n");
    const std::string once = programs.ask(warning);
    CHECK(once != programs.ask(warning));
}

TEST_CASE("what a program left behind may write to standard error without end")
{
    Programs programs;
    CHECK_THAT(programs.failure(programs.make(
                   "flood", shell + "setsid timeout 20 yes >&2 & sleep 0.2; exit 3\n")),
               containsText("flood: has ended before it answered (exit code 3)"));
}

TEST_CASE("Python needs no permission to be run; anything else does")
{
    Programs programs;
    CHECK(programs.ask(programs.make("a.py", "input(); print(6 * 7)\n", false)) == "42");
    CHECK(programs.failure(programs.make("a.sh", shell + "echo 1\n", false)) ==
          "a.sh: it is no executable file; chmod +x makes it one");
}

TEST_CASE("values follow the line as float32, however many")
{
    constexpr std::size_t blocks = 50;
    Programs programs;
    ProgramQuestion question = programs.make("sum.py",
                                             "import sys, array\n"
                                             "count = int(sys.stdin.buffer.readline())\n"
                                             "values = array.array('f')\n"
                                             "values.frombytes(sys.stdin.buffer.read(4 * count))\n"
                                             "print(len(values), sum(values))\n",
                                             false);
    std::vector<float> block(65536);
    std::iota(block.begin(), block.end(), 0.0F);
    question.line = std::to_string(blocks * block.size());
    question.values = [&](const auto& take) {
        for (std::size_t index = 0; index < blocks; ++index)
            take(block);
    };
    CHECK(programs.ask(question) == "3276800 107372544000.0");
}

TEST_CASE("how a program fails is said with what it wrote to standard error")
{
    Programs programs;
    CHECK(programs.failure(programs.make("a", shell + "read line; echo oops >&2; exit 3\n")) ==
          "a: has ended before it answered (exit code 3); it wrote: oops");
    CHECK_THAT(programs.failure(programs.make("b", shell + "kill -SEGV $$\n")),
               containsText("b: has ended before it answered (signal 11"));
    CHECK_THAT(programs.failure(programs.make("c.py", "raise ValueError('no bins')\n", false)),
               containsText("ValueError: no bins"));
    CHECK_THAT(programs.failure(programs.make("d", "#!/nowhere/sh\n")),
               containsText("it can't be started: No such file"));
    CHECK(programs.failure(programs.make("e", shell)) ==
          "e: has ended before it answered (exit code 0)");
    CHECK(programs.failure(programs.make("f", shell + "printf 1.5")) ==
          "f: has ended before it answered (exit code 0)");
    CHECK_THAT(
        programs.failure(programs.make("g", shell + "yes too much >&2 & yes no | tr -d '\\n'")),
        containsText("g: has answered more than 1024 KiB"));
}

TEST_CASE("more lines than questions would be taken for the next answer, and are refused")
{
    Programs programs;
    ProgramQuestion question =
        programs.make("two", shell + "while read -r line; do printf '1\\n2\\n'; done\n");
    CHECK(programs.ask(question) == "1");
    CHECK_THAT(programs.failure(question), containsText("two: has written more than one line"));
}

TEST_CASE("a late line with an earlier question's id is passed over")
{
    Programs programs;
    ProgramQuestion question = programs.make(
        "late",
        shell + R"(while read -r line; do printf '{"id":1,"a":1}\n{"id":2,"a":2}\n'; done)" + "\n");
    question.line = R"({"id":2})";
    CHECK(programs.ask(question) == R"({"id":2,"a":2})");
    CHECK(programs.ask(question) == R"({"id":2,"a":2})");
}

TEST_CASE("a program that is silent is ended with all that it started")
{
    Programs programs({.patience = 5s});  // in which a busy machine starts it, too
    const std::string pidFile = programs.folder.file("pid");
    CHECK(programs.failure(
              programs.make("slow", shell + "sleep 600 & echo $! > " + pidFile + "; wait\n")) ==
          "slow: has not answered for 5 s and was ended");
    const int sleeper = std::stoi(readWholeFile(pidFile));
    CHECK(ends(sleeper));
}

TEST_CASE("a question that is cancelled ends its program, and the next one starts it anew")
{
    Programs programs;
    const ProgramQuestion question =
        programs.make("wait", shell + "echo $$ > " + programs.folder.file("pid") +
                                  "\nread line; exec sleep 600\n");
    std::stop_source stop;
    const Progress progress(stop.get_token(), [&](auto, auto, auto) {
        std::error_code failure;
        const auto bytes = std::filesystem::file_size(programs.folder.file("pid"), failure);
        if (!failure && bytes > 0)
            stop.request_stop();
    });
    CHECK_THROWS_AS(programs.host.ask(question, progress), Cancelled);
    const int process = std::stoi(readWholeFile(programs.folder.file("pid")));
    CHECK(ends(process));
    CHECK_THAT(programs.ask(programs.make("echo", echo)), containsText("{}"));
}

TEST_CASE("programs end with who asks them")
{
    int process = 0;
    {
        Programs programs;
        process = std::stoi(programs.ask(programs.make("echo", echo)));
        CHECK(::kill(process, 0) == 0);
    }
    CHECK(ends(process));
}

TEST_CASE(
    "nothing is run but what is in the folder, or was given, with the content that was chosen")
{
    const test::TemporaryFolder elsewhere;
    const std::string stranger = elsewhere.file("stranger");
    const std::string given = elsewhere.file("given");
    const std::string text = shell + "echo 1\n";
    for (const std::string& path : {stranger, given}) {
        test::writeBytes(path, text);
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }
    const std::string digest = hexText(sha256(text));
    const auto answerOf = [&](ProgramRights rights, const std::string& file,
                              const std::string& content) {
        ProgramHost host(std::move(rights));
        try {
            return host.ask({.file = file, .sha256 = content, .line = "{}"}, {});
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    const ProgramRights rights{.folder = elsewhere.path().string(), .files = {given}};
    CHECK(answerOf(rights, given, digest) == "1");
    CHECK(answerOf(rights, "stranger", digest) == "1");
    CHECK_THAT(answerOf(rights, stranger, digest), containsText("stranger: it is not run"));
    CHECK_THAT(answerOf({}, "stranger", digest), containsText("stranger: it is not run"));
    CHECK(answerOf({.all = true}, stranger, digest) == "1");
    CHECK_THAT(answerOf(rights, "../given", digest), containsText("given: it is not run"));
    CHECK_THAT(answerOf(rights, "nothing", digest), containsText("nothing: "));
    CHECK_THAT(answerOf(rights, "stranger", std::string(64, '0')),
               containsText("its content is not the one that was chosen"));
    CHECK_THAT(answerOf(rights, "stranger", {}), containsText("not run without the SHA-256"));
}

}  // namespace program_host_test
