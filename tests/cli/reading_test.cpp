// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace reading_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

using namespace std::chrono_literals;

/// calib at work on a dump: it has read it and waits for somebody who opens the named pipe to which
/// it is to write.
class WaitingProgram
{
public:
    WaitingProgram()
    {
        m_dump.write("/a", {4}, std::vector<float>{1.0F, -2.0F, 0.0F, 3.0F});
        const std::string pipe = m_dump.folder().file("pipe");
        if (::mkfifo(pipe.c_str(), 0600) != 0)
            throw std::runtime_error("no named pipe");
        m_program = ::fork();
        if (m_program == 0) {
            const int errors = ::open(errorsFile().c_str(), O_WRONLY | O_CREAT, 0600);
            ::dup2(errors, STDERR_FILENO);
            const std::string program = std::string(CALIBSCOPE_PROGRAM_DIR) + "/calib";
            ::execl(program.c_str(), "calib", "stats", m_dump.path().c_str(), "-o", pipe.c_str(),
                    nullptr);
            ::_exit(127);
        }
        waitForReader();
    }
    WaitingProgram(const WaitingProgram&) = delete;
    WaitingProgram& operator=(const WaitingProgram&) = delete;
    ~WaitingProgram()
    {
        if (m_program > 0)
            ::kill(m_program, SIGKILL);
    }

    [[nodiscard]] pid_t program() const { return m_program; }
    [[nodiscard]] pid_t reader() const { return m_reader; }
    [[nodiscard]] std::string dump() const { return m_dump.path(); }
    /// Status of waitpid().
    int waitForEnd()
    {
        int status = 0;
        ::waitpid(std::exchange(m_program, 0), &status, 0);
        return status;
    }
    [[nodiscard]] std::string errors() const { return test::readBytes(errorsFile()); }
    [[nodiscard]] bool isReaderGone() const
    {
        for (int attempt = 0; attempt < 100; ++attempt) {
            if (::kill(m_reader, 0) != 0)
                return true;
            std::this_thread::sleep_for(20ms);
        }
        return false;
    }

private:
    [[nodiscard]] std::string errorsFile() const { return m_dump.folder().file("errors"); }

    /// Until the program has a child that sleeps.
    void waitForReader()
    {
        const std::string children = "/proc/" + std::to_string(m_program) + "/task/" +
                                     std::to_string(m_program) + "/children";
        for (int attempt = 0; attempt < 1000; ++attempt) {
            std::this_thread::sleep_for(20ms);
            const std::string list = test::readBytes(children);
            m_reader = list.empty() ? 0 : std::stoi(list);
            if (m_reader > 0 && isAsleep(m_reader))
                return;
        }
        throw std::runtime_error("it has no child");
    }
    static bool isAsleep(pid_t process)
    {
        std::string before;
        for (int look = 0; look < 5; ++look) {
            const std::string stat = test::readBytes("/proc/" + std::to_string(process) + "/stat");
            const std::size_t state = stat.rfind(") ");
            if (state == std::string::npos || stat.compare(state, 3, ") S") != 0)
                return false;
            std::this_thread::sleep_for(10ms);
        }
        return true;
    }

    test::H5File m_dump;
    pid_t m_program = 0;
    pid_t m_reader = 0;
};

TEST_CASE("a reader that crashes at any moment ends the program with a sentence and 3")
{
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS}) {
        WaitingProgram program;
        ::kill(program.reader(), signal);
        const int status = program.waitForEnd();
        REQUIRE(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 3);
        CHECK(program.errors().starts_with("calib: " + program.dump() + ":/a: "));
        CHECK_THAT(program.errors(), test::containsText("crashed"));
        CHECK(program.errors().ends_with("\n"));
    }
}

TEST_CASE("a reader that is killed is told")
{
    WaitingProgram program;
    ::kill(program.reader(), SIGKILL);
    const int status = program.waitForEnd();
    CHECK(WEXITSTATUS(status) == 3);
    CHECK_THAT(program.errors(), test::containsText("was killed"));
}

TEST_CASE("asked to end, the program ends by that signal, without a word and without its reader")
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        WaitingProgram program;
        ::kill(program.program(), signal);
        const int status = program.waitForEnd();
        CHECK(WIFSIGNALED(status));
        CHECK(WTERMSIG(status) == signal);
        CHECK(program.errors().empty());
        CHECK(program.isReaderGone());
    }
}

TEST_CASE("killed, the program leaves no reader behind")
{
    WaitingProgram program;
    ::kill(program.program(), SIGKILL);
    (void)program.waitForEnd();
    CHECK(program.isReaderGone());
}

TEST_CASE("the reader of a command is under guard")
{
    const WaitingProgram program;
    const std::string status =
        test::readBytes("/proc/" + std::to_string(program.reader()) + "/status");
    CHECK_THAT(status, test::containsText("NoNewPrivs:\t1"));
    const std::string guards = runProgram("calib", {"serve", "--status"}).output;
    if (guards.find("system calls   on") != std::string::npos)
        CHECK_THAT(status, test::containsText("Seccomp:\t2"));
    const std::string limits =
        test::readBytes("/proc/" + std::to_string(program.reader()) + "/limits");
    const std::string data = limits.substr(limits.find("Max data size"), 60);
    CHECK((data.find("unlimited") == std::string::npos) ==
          (guards.find("memory         on") != std::string::npos));
}

TEST_CASE("too little memory is a sentence that names the limit and the option")
{
    if (!test::canLimitMemory())
        return;
    test::H5File file;
    constexpr std::size_t values = std::size_t{12} << 20;
    file.write("/a", {2, values}, std::vector<float>(2 * values, 1.5F));
    const auto stats = [&](const std::string& mebibytes) {  // gathers both channels, 96 MiB
        return runProgram("calib", {"stats", file.path(), "--channel-axis", "0", "--rows",
                                    "channel", "--address-space", mebibytes});
    };
    const ProgramRun small = stats("128");
    CHECK(small.exitCode == 3);
    CHECK(small.errors == "calib: " + file.path() +
                              ": it takes more memory than the 128 MiB that are allowed; if it is "
                              "to be trusted, raise them with --address-space\n");
    CHECK(stats("1024").exitCode == 0);
}

TEST_CASE("limits that are none are refused")
{
    CHECK(runProgram("calib", {"info", "a.h5", "--timeout", "-1"}).exitCode == 2);
    CHECK(runProgram("calib", {"info", "a.h5", "--address-space", "1"}).exitCode == 2);
}

TEST_CASE("a result goes to a new file that is given by its name alone")
{
    test::H5File file;
    file.write("/a", {2}, std::vector<float>{1.0F, -2.0F});
    const ProgramRun run = runProgram("calib", {"stats", file.path(), "-o", "new.csv"});
    CHECK(run.errors.empty());
    CHECK(run.exitCode == 0);
}

TEST_CASE("how a program was started changes nothing of how it ends")
{
    test::H5File file;
    file.write("/a", {2}, std::vector<float>{1.0F, -2.0F});
    const std::string program = test::quoted(std::string(CALIBSCOPE_PROGRAM_DIR) + "/calib");
    const auto exitCode = [](const std::string& command) {
        const int status = std::system((command + " 2>/dev/null").c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    };
    const std::string info = program + " info " + test::quoted(file.path());
    CHECK(exitCode("trap '' CHLD; " + info + " >/dev/null") == 0);
    CHECK(exitCode("trap '' CHLD; " + program + " info nowhere.h5") == 3);
    CHECK(exitCode("exec <&- >&-; " + info) == 4);
}

}  // namespace reading_test
