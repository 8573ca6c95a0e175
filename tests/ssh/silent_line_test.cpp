// SPDX-License-Identifier: GPL-3.0-or-later
// A line that falls silent without being closed: nothing comes, and nobody says so.
#include "core/protocol/codec.h"
#include "core/protocol/envelope.h"
#include "tests/ssh/far_engine.h"
#include "tests/support/catch.h"
#include "tests/support/child_processes.h"
#include "ui/queries/engine_link.h"

#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace silent_line_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr int patienceMs = 20000;
constexpr int fewTicks = 4;  // 1 s

struct FarLink
{
    explicit FarLink(EngineProgram program)
    {
        link.setProgram(std::move(program));
        link.setPatience(EngineWatch(fewTicks));
    }

    /// Opens the sample; what becomes of it is in `end`.
    void ask()
    {
        end.reset();
        EngineJob job{.id = ++last,
                      .frame = protocol::toFrame(protocol::toJson(protocol::Request{
                          last, std::string(protocol::Method<protocol::OpenRequest>::name),
                          protocol::encode(protocol::OpenRequest{.path = sampleDump})})),
                      .content = last,
                      .subject = "sample.h5",
                      .isSmall = false,
                      .finish = [this](const EngineEnd& how) -> EngineJob::Delivery {
                          return [this, kind = how.kind] { end = kind; };
                      }};
        link.submit(std::move(job));
    }
    [[nodiscard]] bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return end.has_value(); }, patienceMs);
    }

    Mailbox deliveries;
    EngineLink link{deliveries};
    QSignalSpy stalls{&link, &EngineLink::engineStalled};
    QSignalSpy deaths{&link, &EngineLink::engineDied};
    quint64 last = 0;
    std::optional<EngineEnd::Kind> end;
};

/// Greeted, at rest, and then frozen where ssh would be.
struct FrozenLink
{
    FrozenLink()
    {
        far.ask();
        REQUIRE(far.waitForEnd());
        REQUIRE(far.end == EngineEnd::Kind::Result);
        const std::vector<pid_t> children = childProcesses();
        REQUIRE(children.size() == 1);
        line = children.front();
        ::kill(line, SIGSTOP);
        far.ask();
        REQUIRE(QTest::qWaitFor([this] { return far.stalls.count() == 1; }, patienceMs));
    }
    ~FrozenLink() { ::kill(line, SIGCONT); }
    FrozenLink(const FrozenLink&) = delete;
    FrozenLink& operator=(const FrozenLink&) = delete;

    CountedEngine engine;
    FarLink far{engine.program()};
    pid_t line = 0;
};

TEST_CASE("a line that falls silent is told of, and what was asked is asked anew over another one")
{
    FrozenLink frozen;
    CHECK(frozen.far.stalls[0][0].toString() ==
          "Nothing has come from farhost for 1 s while it works on sample.h5; the connection may "
          "be lost.");
    CHECK_FALSE(frozen.far.end);
    frozen.far.link.restart();
    REQUIRE(frozen.far.waitForEnd());
    CHECK(frozen.far.end == EngineEnd::Kind::Result);
    CHECK(frozen.engine.starts() == 2);
    CHECK(frozen.far.deaths.count() == 0);
}

TEST_CASE("a line that comes back loses nothing, and is no longer taken for silent")
{
    FrozenLink frozen;
    ::kill(frozen.line, SIGCONT);
    REQUIRE(frozen.far.waitForEnd());
    CHECK(frozen.far.end == EngineEnd::Kind::Result);
    CHECK(frozen.engine.starts() == 1);
    CHECK(frozen.far.stalls.count() == 1);
}

TEST_CASE("a connection that is being made and that nobody waits for any more is given up")
{
    FarLink far(farEngine({"/bin/sh", "-c", "cat >/dev/null"}));
    far.ask();
    QTest::qWait(2 * fewTicks * EngineWatch::tickMs);
    CHECK(far.stalls.count() == 0);  // a queue there may take its time
    CHECK(childProcesses().size() == 1);
    far.link.cancel(far.last);
    REQUIRE(far.waitForEnd());
    CHECK(far.end == EngineEnd::Kind::Cancelled);
    CHECK(QTest::qWaitFor([] { return childProcesses().empty(); }, patienceMs));
    CHECK(far.deaths.count() == 0);
}

TEST_CASE("another command for a machine is used from the next request on")
{
    const CountedEngine first;
    const CountedEngine second;
    FarLink far(first.program());
    far.ask();
    REQUIRE(far.waitForEnd());
    far.link.setProgram(first.program());  // the same
    far.ask();
    REQUIRE(far.waitForEnd());
    CHECK(first.starts() == 1);
    far.link.setProgram(second.program());
    far.ask();
    REQUIRE(far.waitForEnd());
    CHECK(far.end == EngineEnd::Kind::Result);
    CHECK(second.starts() == 1);
}

}  // namespace silent_line_test
