// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/watched_child.h"

#include "tests/support/catch.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <thread>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace watched_child_test {

using namespace calibscope::engine;
using std::chrono::milliseconds;

/// Computes for ever.
[[noreturn]] void loop()
{
    for (volatile bool isOver = false; true;)
        static_cast<void>(isOver);
}

/// Whether this process has a child, dead or alive.
bool hasChild()
{
    return ::waitpid(-1, nullptr, WNOHANG) != -1;
}

TEST_CASE("a child's exit code is its answer, and it leaves nothing behind")
{
    const ChildEnd end = runWatched({}, [](Pulse& pulse) {
        pulse.file.set("a.h5");
        pulse.place.set("/conv");
        return 4;
    });
    CHECK(end.kind == ChildEnd::Kind::Exited);
    CHECK(end.code == 4);
    CHECK(end.file == "a.h5");
    CHECK(end.place == "/conv");
    CHECK_FALSE(hasChild());
}

TEST_CASE("a child that crashes is told with what it read")
{
    for (const int signal : {SIGSEGV, SIGABRT, SIGKILL}) {
        const ChildEnd end = runWatched({}, [signal](Pulse& pulse) {
            pulse.place.set("/conv");
            std::signal(signal, SIG_DFL);  // a sanitizer has its own
            ::kill(::getpid(), signal);
            return 0;
        });
        CHECK(end.kind == ChildEnd::Kind::Signalled);
        CHECK(end.code == signal);
        CHECK(end.place == "/conv");
    }
}

TEST_CASE("a child that computes without a step while it opens a file is given up")
{
    const ChildEnd end = runWatched({.patience = milliseconds(300)}, [](Pulse& pulse) -> int {
        pulse.isOpening = true;
        pulse.place.set("/heap");
        loop();
    });
    CHECK(end.kind == ChildEnd::Kind::Looping);
    CHECK(end.wasOpening);
    CHECK(end.place == "/heap");
    CHECK_FALSE(hasChild());
}

TEST_CASE("past the opening a child that computes has the further patience")
{
    const auto started = std::chrono::steady_clock::now();
    const ChildEnd end = runWatched({.patience = milliseconds(200), .furtherPatience = 4},
                                    [](Pulse&) -> int { loop(); });
    CHECK(end.kind == ChildEnd::Kind::Looping);
    CHECK(std::chrono::steady_clock::now() - started >= milliseconds(800));
}

TEST_CASE(
    "a child that waits for nothing is given up later, and one that waits for a reader is not")
{
    const ChildLimits limits{.patience = milliseconds(100), .furtherPatience = 3};
    const auto sleep = [](Pulse&) {
        std::this_thread::sleep_for(milliseconds(1500));
        return 0;
    };
    CHECK(runWatched(limits, sleep).kind == ChildEnd::Kind::Waiting);
    ChildLimits ofReader = limits;
    ofReader.mayWaitForReader = true;
    CHECK(runWatched(ofReader, sleep).kind == ChildEnd::Kind::Exited);
    ChildLimits none = limits;
    none.patience = milliseconds(0);
    CHECK(runWatched(none, sleep).kind == ChildEnd::Kind::Exited);
}

TEST_CASE("a child that gets no processor does not wait")
{
    const ChildLimits limits{.patience = milliseconds(10000), .furtherPatience = 6};
    const auto verdict = [&](int seconds, int computedMs, double readyShare) {
        return verdictOn(limits, {.lasted = std::chrono::seconds(seconds),
                                  .computed = milliseconds(computedMs),
                                  .readyShare = readyShare});
    };
    // Half of the looks found it asleep, as one that waits for a disk.
    CHECK(verdict(60, 100, 0.0) == ChildEnd::Kind::Waiting);
    CHECK(verdict(60, 4900, 0.5) == ChildEnd::Kind::Waiting);
    CHECK_FALSE(verdict(59, 100, 0.0));
    // Else it is starved: it is waited for, but not for ever.
    CHECK_FALSE(verdict(60, 100, 0.9));
    CHECK_FALSE(verdict(599, 100, 0.9));
    CHECK(verdict(600, 100, 0.9) == ChildEnd::Kind::Waiting);
    // What it got in that time counts as ever.
    CHECK(verdict(300, 5000, 0.9) == ChildEnd::Kind::Looping);
    CHECK_FALSE(verdict(59, 5000, 0.9));
    CHECK(verdictOn(limits, {.lasted = milliseconds(10000),
                             .computed = milliseconds(5000),
                             .isOpening = true}) == ChildEnd::Kind::Looping);
}

TEST_CASE("a process that computes is told from one that sleeps or is stopped")
{
    const auto child = [](const auto& work) {
        const pid_t process = ::fork();
        if (process == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            work();
        }
        return process;
    };
    const auto end = [](pid_t process) {
        ::kill(process, SIGKILL);
        ::waitpid(process, nullptr, 0);
    };
    const auto becomesReady = [](pid_t process, bool isReady) {
        while (isReadyToCompute(process) != isReady)  // by then its test has run out of time
            std::this_thread::sleep_for(milliseconds(1));
        return true;
    };
    const pid_t busy = child([] { loop(); });
    CHECK(becomesReady(busy, true));
    ::kill(busy, SIGSTOP);
    CHECK(becomesReady(busy, false));
    end(busy);
    const pid_t asleep = child([] {
        while (true)
            ::pause();
    });
    CHECK(becomesReady(asleep, false));
    CHECK_FALSE(isReadyToCompute(asleep));
    end(asleep);
    CHECK_FALSE(isReadyToCompute(asleep));
    CHECK_FALSE(hasChild());
}

TEST_CASE("a child that is stopped is given up")
{
    const ChildEnd stopped =
        runWatched({.patience = milliseconds(200), .furtherPatience = 2}, [](Pulse&) {
            ::raise(SIGSTOP);
            return 0;
        });
    CHECK(stopped.kind == ChildEnd::Kind::Waiting);
}

TEST_CASE("a child whose output nobody reads is waited for")
{
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const int output = ::dup(STDOUT_FILENO);
    ::dup2(pipe[1], STDOUT_FILENO);
    std::thread reader([&pipe] {
        std::this_thread::sleep_for(milliseconds(1000));
        std::string bytes(1 << 20, '\0');
        while (::read(pipe[0], bytes.data(), bytes.size()) > 0) {
        }
    });
    const ChildEnd end =
        runWatched({.patience = milliseconds(100), .furtherPatience = 2}, [](Pulse&) {
            const std::string bytes(std::size_t{1} << 20, 'a');
            return ::write(STDOUT_FILENO, bytes.data(), bytes.size()) ==
                           static_cast<ssize_t>(bytes.size())
                       ? 0
                       : 1;
        });
    ::dup2(output, STDOUT_FILENO);
    ::close(output);
    ::close(pipe[1]);
    reader.join();
    ::close(pipe[0]);
    CHECK(end.kind == ChildEnd::Kind::Exited);
    CHECK(end.code == 0);
}

TEST_CASE("a child that goes on is never disturbed")
{
    const ChildEnd end = runWatched({.patience = milliseconds(200)}, [](Pulse& pulse) {
        pulse.isOpening = true;
        for (int step = 0; step < 20; ++step) {
            std::this_thread::sleep_for(milliseconds(50));
            ++pulse.steps;
        }
        return 0;
    });
    CHECK(end.kind == ChildEnd::Kind::Exited);
}

TEST_CASE("a signal that asks to end reaches the child")
{
    std::thread asker([] {
        std::this_thread::sleep_for(milliseconds(300));
        ::kill(::getpid(), SIGTERM);
    });
    const ChildEnd end = runWatched({}, [](Pulse&) -> int {
        std::signal(SIGTERM, SIG_DFL);  // the test program has its own
        loop();
    });
    asker.join();
    CHECK(end.kind == ChildEnd::Kind::Signalled);
    CHECK(end.code == SIGTERM);
}

TEST_CASE("a child does not outlive its parent")
{
    std::array<int, 2> alive{};
    REQUIRE(::pipe(alive.data()) == 0);
    const pid_t parent = ::fork();
    if (parent == 0) {
        ::close(alive[0]);
        static_cast<void>(runWatched({.patience = milliseconds(0)}, [&alive](Pulse&) -> int {
            static_cast<void>(!::write(alive[1], "a", 1));
            loop();
        }));
        ::_exit(0);
    }
    ::close(alive[1]);
    char byte = 0;
    REQUIRE(::read(alive[0], &byte, 1) == 1);  // the child works
    ::kill(parent, SIGKILL);
    CHECK(::waitpid(parent, nullptr, 0) == parent);
    CHECK(::read(alive[0], &byte, 1) == 0);  // the last process that holds the pipe is gone
    ::close(alive[0]);
}

TEST_CASE("a text that is too long is cut")
{
    SharedText shared;
    CHECK(shared.text().empty());
    shared.set(std::string(5000, 'a'));
    CHECK(shared.text() == std::string(1000, 'a'));
    shared.set("b");
    CHECK(shared.text() == "b");
}

TEST_CASE("a writer that ends while it sets a text leaves the one before")
{
    SharedText shared;
    shared.set("one");
    std::atomic<bool> isEnough = false;
    std::thread writer([&] {
        const std::string texts[] = {std::string(900, 'x'), std::string(800, 'y')};
        for (unsigned times = 0; !isEnough; ++times)
            shared.set(texts[times % 2]);
    });
    while (shared.text() == "one")
        std::this_thread::yield();
    bool wasEmpty = false;
    for (int look = 0; look < 20000; ++look)
        wasEmpty = wasEmpty || shared.text().empty();
    isEnough = true;
    writer.join();
    CHECK_FALSE(wasEmpty);
}

}  // namespace watched_child_test
