// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/process_guard.h"

#include "core/engine/watched_child.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace process_guard_test {

using namespace calibscope;
using namespace calibscope::engine;
using calibscope::test::TemporaryFolder;

/// What a guard of that name says of itself; empty where it is off.
std::string detailOf(const std::vector<Guard>& guards, const std::string& name)
{
    const auto found = std::ranges::find(guards, name, &Guard::name);
    return found != guards.end() && found->isOn ? found->detail : std::string();
}

/// Whether a guard takes effect here at all: sanitizers and old kernels are without some.
bool isAvailable(const std::string& name, const GuardOptions& options = {})
{
    const ChildEnd end = runWatched(
        {}, [&](Pulse&) { return detailOf(guardProcess(options), name).empty() ? 1 : 0; });
    return end.code == 0;
}

/// How an attempt ends in a process of its own under guard.
ChildEnd attempted(const GuardOptions& options, const std::function<int()>& attempt)
{
    return runWatched({}, [&](Pulse&) {
        static_cast<void>(guardProcess(options));
        return attempt();
    });
}

/// 0 where a call of the system works, else why it does not.
int failureOf(const std::function<bool()>& call)
{
    errno = 0;
    return call() ? 0 : errno;
}

bool isOpened(const std::string& path, int flags)
{
    const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (file >= 0)
        ::close(file);
    return file >= 0;
}

/// What tests before this one have left, which counts for a child's limit as for this process's.
std::uint64_t dataBytes()
{
    const std::string status = test::readBytes("/proc/self/status");
    const std::string name = "VmData:";
    const std::size_t line = status.find(name);
    REQUIRE(line != std::string::npos);
    return std::stoull(status.substr(line + name.size())) << 10U;
}

TEST_CASE("under guard there is no network, no program, no further process")
{
    if (!isAvailable("system calls"))
        return;
    const std::vector<std::function<bool()>> refusedCalls{
        [] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; },
        [] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; },
        [] { return ::execl("/bin/true", "true", nullptr) == 0; },
        [] { return ::fork() >= 0; },
        [] { return ::vfork() >= 0; },
        [] { return ::kill(::getppid(), 0) == 0; },
        [] {
            return ::mmap(nullptr, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                          0) != MAP_FAILED;
        },
        [] { return ::chmod("/dev/null", 0666) == 0; },
    };
    for (std::size_t index = 0; index < refusedCalls.size(); ++index) {
        INFO("call " << index);
        const ChildEnd end = attempted({}, [&] { return failureOf(refusedCalls[index]); });
        CHECK(end.kind == ChildEnd::Kind::Exited);
        CHECK(end.code == EPERM);
    }
    CHECK(std::system("true") == 0);  // nothing of it holds for this process
}

TEST_CASE("under guard threads, plugins and abort() work")
{
    CHECK(attempted({}, [] {
              int answer = 1;
              std::thread([&answer] { answer = 0; }).join();
              return answer;
          }).code == 0);
    CHECK(attempted({}, [] { return ::dlopen("libm.so.6", RTLD_NOW) == nullptr ? 1 : 0; }).code ==
          0);
    const ChildEnd aborted = attempted({}, []() -> int {
        std::signal(SIGABRT, SIG_DFL);  // the test program has its own
        std::abort();
    });
    CHECK(aborted.kind == ChildEnd::Kind::Signalled);
    CHECK(aborted.code == SIGABRT);
}

TEST_CASE("under guard files are written only where it says, and read everywhere")
{
    if (!isAvailable("files"))
        return;
    const TemporaryFolder allowed;
    const TemporaryFolder other;
    test::writeBytes(other.file("there"), "bytes");
    test::writeBytes(allowed.file("there"), "bytes");
    const GuardOptions options{.writable = {allowed.path().string(), "/nowhere"}};
    const auto code = [&](const std::function<bool()>& call) {
        return attempted(options, [&] { return failureOf(call); }).code;
    };
    CHECK(code([&] { return isOpened(other.file("there"), O_RDONLY); }) == 0);
    CHECK(code([&] { return isOpened(other.file("there"), O_WRONLY); }) == EACCES);
    CHECK(code([&] { return isOpened(other.file("new"), O_WRONLY | O_CREAT); }) == EACCES);
    CHECK(code([&] { return ::unlink(other.file("there").c_str()) == 0; }) == EACCES);
    CHECK(code([&] { return ::mkdir(other.file("folder").c_str(), 0700) == 0; }) == EACCES);
    CHECK(code([&] { return isOpened(allowed.file("new"), O_WRONLY | O_CREAT); }) == 0);
    CHECK(code([&] {
              return ::rename(allowed.file("new").c_str(), allowed.file("newer").c_str()) == 0;
          }) == 0);
    CHECK(code([&] { return ::unlink(allowed.file("newer").c_str()) == 0; }) == 0);
    CHECK(test::readBytes(other.file("there")) == "bytes");
}

TEST_CASE("under guard memory ends with an exception, not with the machine's")
{
    constexpr std::uint64_t room = std::uint64_t{256} << 20;
    const GuardOptions options{.memoryBytes = dataBytes() + room};
    if (!isAvailable("memory", options))
        return;
    const auto takes = [&](std::size_t bytes) {
        return attempted(options,
                         [bytes] {
                             try {
                                 const std::vector<char> taken(bytes, 'a');
                                 return taken.back() == 'a' ? 0 : 2;
                             } catch (const std::bad_alloc&) {
                                 return 1;
                             }
                         })
            .code;
    };
    CHECK(takes(room / 4) == 0);
    CHECK(takes(2 * room) == 1);
}

TEST_CASE("the system shows the guards of a process")
{
    const ChildEnd end = runWatched({}, [](Pulse& pulse) {
        const std::vector<Guard> guards = guardProcess({.goesFirst = true});
        const std::string status = test::readBytes("/proc/self/status");
        std::string found;
        if (status.find("NoNewPrivs:\t1") != std::string::npos)
            found += "privileges ";
        if (status.find("Seccomp:\t2") != std::string::npos ||
            detailOf(guards, "system calls").empty())
            found += "calls ";
        if (test::readBytes("/proc/self/oom_score_adj") == "1000\n")
            found += "first";
        pulse.place.set(found);
        return detailOf(guards, "core dumps") == "none" ? 0 : 1;
    });
    CHECK(end.code == 0);
    CHECK(end.place == "privileges calls first");
}

TEST_CASE("guards are told in a line each")
{
    CHECK(guardText({{.name = "files", .isOn = true, .detail = "written nowhere"},
                     {.name = "system calls", .isOn = false, .detail = "no"}}) ==
          "files          on  written nowhere\nsystem calls   off no\n");
}

TEST_CASE("memory beside a budget is bounded, and its address space is larger")
{
    constexpr std::uint64_t budget = std::uint64_t{160} << 20;
    CHECK(memoryLimitFor(budget) > budget + (std::uint64_t{256} << 20));
    CHECK(memoryLimitFor(2 * budget) == memoryLimitFor(budget) + budget);
    CHECK(addressSpaceFor(memoryLimitFor(budget)) > memoryLimitFor(budget));
}

TEST_CASE("a limit of open files that the user raised stays, the usual one cannot be raised")
{
    rlimit own{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &own) == 0);
    constexpr rlim_t raised = 2048;
    if (own.rlim_max < raised)
        return;
    /// Soft and hard limit under guard are the same, and this.
    const auto limitAfter = [](rlim_t before, rlim_t expected) {
        const ChildEnd end = runWatched({}, [&](Pulse&) {
            rlimit limit{};
            static_cast<void>(::getrlimit(RLIMIT_NOFILE, &limit));
            limit.rlim_cur = before;
            static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
            static_cast<void>(guardProcess({}));
            static_cast<void>(::getrlimit(RLIMIT_NOFILE, &limit));
            return limit.rlim_cur == std::min(before, expected) && limit.rlim_max == expected ? 0
                                                                                              : 1;
        });
        return end.code;
    };
    CHECK(limitAfter(raised, raised) == 0);
    CHECK(limitAfter(1024, 1024) == 0);
    CHECK(limitAfter(512, 1024) == 0);
}

}  // namespace process_guard_test
