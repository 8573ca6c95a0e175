// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/runner_job.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <csignal>
#include <filesystem>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace runner_job_test {

using namespace calibscope;
using namespace calibscope::deploy;
using namespace calibscope::test;

const RunnerJob oneBatch{.model = "float.onnx",
                         .optimizes = true,
                         .batches = {{.feeds = {{.name = "x", .file = "x.npy"}},
                                      .outputs = {{.name = "a \"b\"/y:0", .file = "y.npy"}}}},
                         .answer = "answer.json"};

/// A runner in the shell's language that works in the job's folder; $1 is the job.
std::string shellRunner(const std::string& script)
{
    return "sh -c 'cd \"$(dirname \"$1\")\" && " + script + "' sh";
}

RunnerAnswer runOneBatch(const TemporaryFolder& folder, const std::string& command,
                         std::uint64_t timeoutSeconds = 60)
{
    return runJob(oneBatch, folder.path().string(), "job.json",
                  {.command = command, .timeoutSeconds = timeoutSeconds});
}

std::string runnerComplaint(const std::string& command, std::uint64_t timeoutSeconds = 60)
{
    const TemporaryFolder folder;
    try {
        (void)runOneBatch(folder, command, timeoutSeconds);
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Runner);
        return error.what();
    }
    return {};
}

/// The state of a process in the list of processes; empty: it is gone.
std::string processStatus(pid_t process)
{
    return std::filesystem::exists("/proc/" + std::to_string(process))
               ? readBytes("/proc/" + std::to_string(process) + "/stat")
               : std::string();
}

/// Whether a process ends within half a minute. One that was killed is seen until its end is
/// fetched.
bool isGoneSoon(pid_t process)
{
    const auto isGone = [&] {
        const std::string status = processStatus(process);
        return status.empty() || status.find(") Z") != std::string::npos;
    };
    constexpr int mostAttempts = 300;
    for (int attempt = 0; attempt < mostAttempts && !isGone(); ++attempt)
        ::usleep(100'000);
    return isGone();
}

TEST_CASE("a job reads back from its text")
{
    CHECK(parseJob(jobText(oneBatch), "job.json") == oneBatch);
    CHECK_THROWS_AS(parseJob("{}", "job.json"), Error);
    CHECK_THROWS_AS(parseJob("[1", "job.json"), Error);
}

TEST_CASE("a runner gets the job's path as its last word, and its answer is read")
{
    const TemporaryFolder folder;
    const RunnerAnswer answer = runOneBatch(
        folder, shellRunner("cp \"$1\" seen.json && echo v > y.npy && echo \"{\\\"runtime\\\": "
                            "\\\"fake 1.0\\\", \\\"batch_seconds\\\": [0.5]}\" > answer.json"));
    CHECK(answer.runtime == "fake 1.0");
    CHECK(answer.batchSeconds == std::vector<double>{0.5});
    CHECK(parseJob(readBytes(folder.file("seen.json")), "seen") == oneBatch);
}

TEST_CASE("a runner that is not there or may not be run is told so")
{
    CHECK_THAT(runnerComplaint("/no/such/runner"),
               containsText("runner \"/no/such/runner\": was not found; give another one "
                            "(--runner)"));
    CHECK_THAT(runnerComplaint("/"), containsText("may not be run; give another one (--runner)"));
}

TEST_CASE("a runner that fails is told with its code and its reason")
{
    CHECK_THAT(runnerComplaint("echo starting; echo \"no such op: Foo\" >&2; exit 3 #"),
               containsText("ended with exit code 3; it said: no such op: Foo"));
    CHECK_THAT(runnerComplaint(
                   "printf \"at x.js:3\\n  throw\\nError: no module\\n    at y\\n\"; exit 1 #"),
               containsText("it said: Error: no module"));
    CHECK_THAT(runnerComplaint("exit 1 #"), !containsText("it said"));
}

TEST_CASE("a runner that ends by a signal is told with the signal's name")
{
    CHECK_THAT(runnerComplaint("kill -SEGV $$ #"),
               containsText("ended by a signal (Segmentation fault)"));
    CHECK_THAT(runnerComplaint("kill -KILL $$ #"),
               containsText("perhaps out of memory: check fewer samples (--samples)"));
}

TEST_CASE("a runner that takes too long is killed with all that it started")
{
    const TemporaryFolder folder;
    const std::string child = folder.file("child");
    CHECK_THAT(runnerComplaint("sleep 1000 & echo $! > \"" + child + "\"; echo waiting; wait #", 1),
               containsText("has not ended within 1 s and was killed") &&
                   containsText("--runner-timeout") && containsText("it said: waiting"));
    CHECK(isGoneSoon(std::stoi(readBytes(child))));
}

TEST_CASE("a runner ends with all that it started when this process is killed outright")
{
    const TemporaryFolder folder;
    const std::string child = folder.file("child");
    const pid_t process = ::fork();
    REQUIRE(process >= 0);
    if (process == 0) {
        try {
            (void)runOneBatch(folder,
                              "sleep 1000 & echo $! > \"" + child + "\"; kill -KILL $PPID; wait #");
        } catch (...) {
        }
        ::_exit(100);
    }
    int status = 0;
    REQUIRE(::waitpid(process, &status, 0) == process);
    REQUIRE(WIFSIGNALED(status));
    CHECK(isGoneSoon(std::stoi(readBytes(child))));
}

TEST_CASE("a runner that leaves no answer, a broken one or no outputs is told so")
{
    CHECK_THAT(runnerComplaint("true"), containsText("left no answer (answer.json)"));
    CHECK_THAT(runnerComplaint(shellRunner("echo \"{\" > answer.json")),
               containsText("the runner's answer"));
    CHECK_THAT(runnerComplaint(shellRunner("echo \"[]\" > answer.json")),
               containsText("the runner's answer"));
    CHECK_THAT(runnerComplaint(shellRunner("echo \"{}\" > answer.json")),
               containsText("left no values of \"a \"b\"/y:0\" (y.npy)"));
}

TEST_CASE("a signal that ends this process ends the runner first")
{
    const TemporaryFolder folder;
    // In a child: the signal is for the whole process.
    const pid_t process = ::fork();
    REQUIRE(process >= 0);
    if (process == 0) {
        (void)std::signal(SIGTERM, SIG_DFL);
        try {
            (void)runOneBatch(folder, "kill -TERM $PPID; sleep 1000 #");
        } catch (const StopSignal& stop) {
            ::_exit(stop.signal);
        } catch (...) {
            ::_exit(100);
        }
        ::_exit(101);
    }
    int status = 0;
    REQUIRE(::waitpid(process, &status, 0) == process);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == SIGTERM);
}

}  // namespace runner_job_test
