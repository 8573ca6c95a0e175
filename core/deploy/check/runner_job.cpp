// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/runner_job.h"

#include "core/base/error.h"
#include "core/base/json_object.h"
#include "core/base/whole_file.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace calibscope::deploy {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view jobFormat = "calibscope-runner-job";

json tensorsJson(const std::vector<JobTensor>& tensors)
{
    json list = json::array();
    for (const JobTensor& tensor : tensors)
        list.push_back({{"name", tensor.name}, {"file", tensor.file}});
    return list;
}

std::vector<JobTensor> tensorsOf(const JsonObject& object, const char* key)
{
    std::vector<JobTensor> tensors;
    object.list(key, [&](const JsonObject& tensor) {
        tensors.push_back(
            {.name = tensor.requiredText("name"), .file = tensor.requiredText("file")});
    });
    return tensors;
}

constexpr std::array stopSignals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/// While one lives a child's end and the signals that ask this process to end wait to be fetched.
class FetchedSignals
{
public:
    FetchedSignals()
    {
        ::sigemptyset(&m_fetched);
        ::sigaddset(&m_fetched, SIGCHLD);
        for (const int signal : stopSignals) {
            struct sigaction action = {};
            ::sigaction(signal, nullptr, &action);
            if (action.sa_handler != SIG_IGN)
                ::sigaddset(&m_fetched, signal);
        }
        ::sigprocmask(SIG_BLOCK, &m_fetched, &m_before);
    }
    FetchedSignals(const FetchedSignals&) = delete;
    FetchedSignals& operator=(const FetchedSignals&) = delete;
    ~FetchedSignals() { release(); }

    void release() const { ::sigprocmask(SIG_SETMASK, &m_before, nullptr); }
    /// The next signal, or nothing after a tenth of a second.
    [[nodiscard]] std::optional<int> next() const
    {
        const timespec tick{.tv_sec = 0, .tv_nsec = 100'000'000};
        const int signal = ::sigtimedwait(&m_fetched, nullptr, &tick);
        return signal > 0 ? std::optional(signal) : std::nullopt;
    }

private:
    sigset_t m_fetched{};
    sigset_t m_before{};
};

/// A process group for a runner and all that it starts, so that they can be killed together. A
/// process leads it that outlives this one for a moment, should it be killed outright, and kills
/// the others: PR_SET_PDEATHSIG reaches the shell alone. It exists before the runner does, or a
/// runner that kills this process at once would leave what it started.
class RunnerGroup
{
public:
    RunnerGroup()
    {
        std::array<int, 2> ends{-1, -1};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            return;
        m_leader = ::fork();
        if (m_leader == 0) {
            ::close(ends[1]);
            waitAndKill(ends[0]);
        }
        if (m_leader > 0)
            ::setpgid(m_leader, m_leader);  // whoever is first
        ::close(ends[0]);
        m_alive = ends[1];
    }
    RunnerGroup(const RunnerGroup&) = delete;
    RunnerGroup& operator=(const RunnerGroup&) = delete;
    ~RunnerGroup()
    {
        if (m_leader > 0) {
            kill();
            while (::waitpid(m_leader, nullptr, 0) < 0 && errno == EINTR)
                continue;
        }
        if (m_alive >= 0)
            ::close(m_alive);
    }

    [[nodiscard]] bool exists() const { return m_leader > 0; }
    void join() const { ::setpgid(0, m_leader); }
    void kill() const { ::kill(-m_leader, SIGKILL); }

private:
    [[noreturn]] static void waitAndKill(int alive)
    {
        ::setpgid(0, 0);  // keys of the terminal are for the others
        char nothing = 0;
        while (::read(alive, &nothing, 1) < 0 && errno == EINTR)
            continue;
        ::kill(0, SIGKILL);
        ::_exit(0);
    }

    pid_t m_leader = -1;
    int m_alive = -1;
};

/// The runner's side: never returns.
[[noreturn]] void becomeRunner(const std::string& commandLine, const std::string& job,
                               const std::string& log, const RunnerGroup& group,
                               const FetchedSignals& signals)
{
    group.join();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int printed = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    constexpr int notStarted = 127;  // a shell's code for what is not found
    if (printed < 0 || nothing < 0)
        ::_exit(notStarted);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(printed, STDOUT_FILENO);
    ::dup2(printed, STDERR_FILENO);
    for (const int signal : stopSignals)
        (void)std::signal(signal, SIG_DFL);
    (void)std::signal(SIGPIPE, SIG_DFL);
    signals.release();
    ::execl("/bin/sh", "sh", "-c", commandLine.c_str(), "sh", job.c_str(), nullptr);
    ::_exit(notStarted);
}

/// How the runner ended; nothing: it took too long and was killed.
std::optional<int> waitFor(pid_t runner, std::uint64_t timeoutSeconds, const RunnerGroup& group,
                           const FetchedSignals& signals)
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const auto killAll = [&] {
        group.kill();
        ::kill(runner, SIGKILL);  // should it not have joined yet
        while (::waitpid(runner, nullptr, 0) < 0 && errno == EINTR)
            continue;
    };
    while (true) {
        int status = 0;
        const pid_t ended = ::waitpid(runner, &status, WNOHANG);
        if (ended == runner)
            return status;
        if (ended < 0 && errno != EINTR)
            return std::nullopt;
        if (timeoutSeconds > 0 && Clock::now() - start >= std::chrono::seconds(timeoutSeconds)) {
            killAll();
            return std::nullopt;
        }
        const std::optional<int> signal = signals.next();
        if (signal && *signal != SIGCHLD) {
            killAll();
            throw StopSignal{*signal};
        }
    }
}

/// The last line with text of what it printed, for a sentence.
std::string lastLine(const std::string& log)
{
    std::string text;
    try {
        text = readWholeFile(log);
    } catch (const Error&) {
        return {};
    }
    // Node prints its own version behind the reason.
    const std::size_t reason = text.find("Error: ");
    if (reason != std::string::npos)
        text = text.substr(reason, text.find('\n', reason) - reason);
    text.erase(text.find_last_not_of(" \r\n\t") + 1);
    constexpr std::size_t mostShown = 300;
    std::string line = text.substr(text.find_last_of('\n') + 1);
    if (line.size() > mostShown)
        line = line.substr(0, mostShown) + " ...";
    return line;
}

[[noreturn]] void fail(const RunnerCommand& command, const std::string& what,
                       const std::string& log = {})
{
    const std::string said = log.empty() ? "" : lastLine(log);
    throw Error(Fault::Runner, "runner \"{}\": {}{}", command.command, what,
                said.empty() ? "" : "; it said: " + said);
}

void judgeEnd(int status, const RunnerCommand& command, const std::string& log)
{
    if (WIFSIGNALED(status))
        fail(command,
             std::string("ended by a signal (") + ::strsignal(WTERMSIG(status)) +
                 (WTERMSIG(status) == SIGKILL ? "), perhaps out of memory: check fewer "
                                                "samples (--samples)"
                                              : ")"),
             log);
    constexpr int notFound = 127;
    constexpr int notAllowed = 126;
    const int code = WEXITSTATUS(status);
    if (code == notFound || code == notAllowed)
        fail(command,
             code == notFound ? "was not found; give another one (--runner)"
                              : "may not be run; give another one (--runner)",
             log);
    if (code != 0)
        fail(command, "ended with exit code " + std::to_string(code), log);
}

RunnerAnswer readAnswer(const RunnerJob& job, const std::string& folder,
                        const RunnerCommand& command, const std::string& log)
{
    const fs::path path = fs::path(folder) / job.answer;
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        fail(command, "left no answer (" + job.answer + ")", log);
    const json value = parseJson(readWholeFile(path.string()), "the runner's answer");
    const JsonObject object(value, "the runner's answer");
    RunnerAnswer answer{.runtime = object.text("runtime"), .batchSeconds = {}};
    if (value.contains("batch_seconds") && value["batch_seconds"].is_array())
        for (const json& seconds : value["batch_seconds"])
            answer.batchSeconds.push_back(seconds.is_number() ? seconds.get<double>() : 0.0);
    for (const JobBatch& batch : job.batches)
        for (const JobTensor& output : batch.outputs)
            if (!fs::exists(fs::path(folder) / output.file, ignored))
                fail(command, "left no values of \"" + output.name + "\" (" + output.file + ")",
                     log);
    return answer;
}

}  // namespace

std::string jobText(const RunnerJob& job)
{
    json value{{"format", jobFormat},       {"version", 1},         {"model", job.model},
               {"optimize", job.optimizes}, {"answer", job.answer}, {"batches", json::array()}};
    for (const JobBatch& batch : job.batches)
        value["batches"].push_back(
            {{"feeds", tensorsJson(batch.feeds)}, {"outputs", tensorsJson(batch.outputs)}});
    constexpr int indent = 1;
    return value.dump(indent, ' ', false, json::error_handler_t::replace) + "\n";
}

RunnerJob parseJob(const std::string& text, const std::string& origin)
{
    const json value = parseJson(text, origin);
    const JsonObject object(value, origin);
    if (object.text("format") != jobFormat)
        object.fail("is not a job of a runner");
    RunnerJob job{.model = object.requiredText("model"),
                  .optimizes = object.flag("optimize"),
                  .batches = {},
                  .answer = object.requiredText("answer")};
    object.list("batches", [&](const JsonObject& batch) {
        job.batches.push_back(
            {.feeds = tensorsOf(batch, "feeds"), .outputs = tensorsOf(batch, "outputs")});
    });
    return job;
}

RunnerAnswer runJob(const RunnerJob& job, const std::string& folder, const std::string& jobFile,
                    const RunnerCommand& command)
{
    const std::string path = (fs::path(folder) / jobFile).string();
    const std::string log = path + ".log";
    writeWholeFile(path, jobText(job), {.isSynced = false});
    const std::string commandLine = command.command + " \"$1\"";
    std::optional<int> status;
    {
        const FetchedSignals signals;
        const RunnerGroup group;
        const pid_t runner = group.exists() ? ::fork() : -1;
        if (runner < 0)
            fail(command, std::string("can't be started: ") + std::strerror(errno));
        if (runner == 0)
            becomeRunner(commandLine, path, log, group, signals);
        status = waitFor(runner, command.timeoutSeconds, group, signals);
    }
    if (!status)
        fail(command,
             "has not ended within " + std::to_string(command.timeoutSeconds) +
                 " s and was killed; check fewer samples (--samples), or raise the limit "
                 "(--runner-timeout SECONDS)",
             log);
    judgeEnd(*status, command, log);
    RunnerAnswer answer;
    if (const auto problem = inputProblem([&] { answer = readAnswer(job, folder, command, log); }))
        throw Error(Fault::Runner, *problem);
    return answer;
}

}  // namespace calibscope::deploy
