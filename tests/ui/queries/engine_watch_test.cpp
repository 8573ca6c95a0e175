// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_watch.h"

#include "tests/support/catch.h"

#include <csignal>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace engine_watch_test {

using namespace calibscope;
using Verdict = EngineWatch::Verdict;

TEST_CASE("a request that has ended two engines is refused until it was quiet for a while")
{
    DeadlyRequests requests;
    requests.noteDeath(7, 1000);
    CHECK(requests.refusedForMs(7, 1000) == 0);
    requests.noteDeath(7, 2000);
    CHECK(requests.refusedForMs(7, 2000) == DeadlyRequests::quietMs);
    CHECK(requests.refusedForMs(7, 3000) == DeadlyRequests::quietMs - 1000);
    CHECK(requests.refusedForMs(8, 3000) == 0);
    CHECK(requests.refusedForMs(7, 2000 + DeadlyRequests::quietMs) == 0);
    requests.noteDeath(7, 2000 + DeadlyRequests::quietMs);  // the former ones are forgotten
    CHECK(requests.refusedForMs(7, 2000 + DeadlyRequests::quietMs) == 0);
}

TEST_CASE("an answer clears a request, and the pause before the next engine")
{
    DeadlyRequests requests;
    requests.noteDeath(7, 0);
    requests.noteDeath(7, 0);
    requests.noteAnswer(7);
    CHECK(requests.refusedForMs(7, 0) == 0);
    CHECK(requests.pauseMs() == 0);
}

TEST_CASE("the pause before the next engine doubles with each that ends unanswered")
{
    DeadlyRequests requests;
    CHECK(requests.pauseMs() == 0);
    requests.noteDeath(1, 0);
    CHECK(requests.pauseMs() == 0);  // an accident costs no time
    requests.noteDeath(2, 0);
    CHECK(requests.pauseMs() == DeadlyRequests::firstPauseMs);
    requests.noteDeath(3, 0);
    CHECK(requests.pauseMs() == 2 * DeadlyRequests::firstPauseMs);
    for (std::size_t request = 4; request < 1000; ++request)
        requests.noteDeath(request, 0);
    CHECK(requests.pauseMs() == DeadlyRequests::longestPauseMs);
}

/// Ticks until the watch says something; the count, or 0 if it stays well for a thousand.
template <typename BeforeTick>
int ticksUntil(Verdict verdict, EngineWatch& watch, BeforeTick beforeTick, bool isHeld = false)
{
    for (int tick = 1; tick <= 1000; ++tick) {
        beforeTick(tick);
        const Verdict found = watch.tick(isHeld);
        if (found != Verdict::Well)
            return found == verdict ? tick : -tick;
    }
    return 0;
}

TEST_CASE("an engine without a byte is silent after the patience, and said so once")
{
    EngineWatch watch;
    watch.begin();
    CHECK(ticksUntil(Verdict::Silent, watch, [](int) {}) == EngineWatch::patienceTicks);
    CHECK(ticksUntil(Verdict::Silent, watch, [](int) {}) == 0);
    watch.sawPong(1, 0);  // a new beat: it works again, and may fall silent again
    watch.sawByte();
    CHECK(ticksUntil(Verdict::Silent, watch, [](int) {}) == EngineWatch::patienceTicks);
}

TEST_CASE(
    "an engine that falls silent on the way is silent, not waiting, with another patience, too")
{
    constexpr int patience = 8;
    constexpr int last = 3;
    EngineWatch watch(patience);
    watch.begin();
    CHECK(watch.patienceMs() == patience * EngineWatch::tickMs);
    CHECK(ticksUntil(Verdict::Silent, watch, [&](int tick) {
              if (tick <= last)
                  watch.sawByte();
          }) == last - 1 + patience);
    watch.begin();
    CHECK(ticksUntil(Verdict::Silent, watch, [](int) {}) == patience);
}

TEST_CASE("an engine that answers without a step is waiting, or looping if it computes")
{
    EngineWatch waiting;
    waiting.begin();
    CHECK(ticksUntil(Verdict::Waiting, waiting, [&](int) {
              waiting.sawByte();
              waiting.sawPong(0, 3);
          }) == EngineWatch::patienceTicks);

    EngineWatch looping;
    looping.begin();
    CHECK(ticksUntil(Verdict::Looping, looping, [&](int tick) {
              looping.sawByte();
              looping.sawPong(0, static_cast<std::uint64_t>(tick) * EngineWatch::tickMs);
          }) == EngineWatch::patienceTicks);
}

TEST_CASE("a slow engine that goes on is never disturbed")
{
    EngineWatch watch;
    watch.begin();
    CHECK(ticksUntil(Verdict::Waiting, watch, [&](int tick) {
              watch.sawByte();
              watch.sawPong(static_cast<std::uint64_t>(tick) / 30, 0);  // a beat in 7.5 s
          }) == 0);
}

TEST_CASE("a process held by a signal is found within a second, a short hold is not")
{
    EngineWatch watch;
    watch.begin();
    CHECK(ticksUntil(
              Verdict::Stopped, watch, [](int) {}, true) == EngineWatch::stoppedTicks);

    EngineWatch continued;
    continued.begin();
    for (int tick = 0; tick < EngineWatch::stoppedTicks - 1; ++tick)
        CHECK(continued.tick(true) == Verdict::Well);
    CHECK(continued.tick(false) == Verdict::Well);
    CHECK(continued.tick(true) == Verdict::Well);
}

TEST_CASE("whether a process is held by a signal is read from the system")
{
    const pid_t child = ::fork();
    if (child == 0) {
        ::pause();
        ::_exit(0);
    }
    REQUIRE(child > 0);
    CHECK_FALSE(isHeldBySignal(child));
    ::kill(child, SIGSTOP);
    int status = 0;
    ::waitpid(child, &status, WUNTRACED);
    CHECK(isHeldBySignal(child));
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    CHECK_FALSE(isHeldBySignal(child));
}

}  // namespace engine_watch_test
