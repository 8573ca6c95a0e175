// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_client.h"

#include "core/protocol/codec.h"
#include "core/protocol/envelope.h"
#include "tests/support/catch.h"
#include "tests/support/child_processes.h"
#include "ui/queries/engine_watch.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <vector>

namespace engine_client_deaths_test {

using namespace calibscope;
using calibscope::test::bytesWaitingFor;
using calibscope::test::childProcesses;
using calibscope::test::containsText;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

/// A client whose engine has answered once.
struct StartedEngine
{
    StartedEngine()
    {
        client.setProgram(CALIBSCOPE_PROGRAM_DIR "/calib");
        ask();
        REQUIRE(waitForAnswers(1));
        REQUIRE(answers[0].value);
        const std::vector<pid_t> found = childProcesses();
        REQUIRE(found.size() == 1);
        engine = found[0];
    }

    quint64 ask()
    {
        return client.ask(
            protocol::OpenRequest{sample},
            [this](Answer<protocol::DumpOpened> answer) { answers.push_back(std::move(answer)); });
    }

    /// The bytes that the request takes on its way to the engine.
    std::size_t view(std::uint64_t tensor)
    {
        const protocol::ViewRequest request{.tensor = {.file = sample, .index = tensor}};
        const quint64 id = client.ask(request, [this](Answer<protocol::TensorView> answer) {
            views.push_back(std::move(answer));
        });
        return protocol::toFrame(protocol::toJson(protocol::Request{
                                     id, std::string(protocol::Method<protocol::ViewRequest>::name),
                                     protocol::encode(request)}))
            .size();
    }
    /// Waits until the engine, which is stopped, was sent more than so many bytes.
    [[nodiscard]] bool waitForBytes(std::size_t bytes) const
    {
        return QTest::qWaitFor([&] { return bytesWaitingFor(engine) > bytes; }, 10000);
    }

    /// Comes back when the signal has taken effect; it may reach the threads one after another.
    void stop() const
    {
        ::kill(engine, SIGSTOP);
        REQUIRE(QTest::qWaitFor([this] { return areAllHeld(); }, 2000));
    }

    [[nodiscard]] bool areAllHeld() const
    {
        const QString process = QStringLiteral("/proc/%1/task").arg(engine);
        const QStringList threads = QDir(process).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return std::ranges::all_of(
            threads, [](const QString& thread) { return isHeldBySignal(thread.toInt()); });
    }

    [[nodiscard]] bool waitForAnswers(std::size_t count) const
    {
        return QTest::qWaitFor([&] { return answers.size() >= count; }, 10000);
    }
    [[nodiscard]] bool waitForViews(std::size_t count) const
    {
        return QTest::qWaitFor([&] { return views.size() >= count; }, 10000);
    }

    EngineClient client;
    QSignalSpy deaths{&client, &EngineClient::engineDied};
    std::vector<Answer<protocol::DumpOpened>> answers;
    std::vector<Answer<protocol::TensorView>> views;
    pid_t engine = 0;
};

TEST_CASE("an engine killed at work is told with the tensor's name, and the others go to a new one")
{
    StartedEngine started;
    started.stop();  // so that it is surely at work when it is killed
    started.view(3);
    started.view(4);
    REQUIRE(started.waitForBytes(0));
    ::kill(started.engine, SIGKILL);
    REQUIRE(started.waitForViews(2));
    CHECK(started.views[0].engineDied);
    const std::string name = started.answers[0].value->tensors[3].name;
    CHECK_THAT(started.views[0].failure.toStdString(), containsText("signal 9"));
    CHECK_THAT(started.views[0].failure.toStdString(), containsText(name + " of sample.h5"));
    REQUIRE(started.views[1].value);
    REQUIRE(started.deaths.count() == 1);
    CHECK(started.deaths[0][0].toString() == started.views[0].failure);
}

TEST_CASE("an engine killed while idle is started anew by the next request, nobody is bothered")
{
    StartedEngine started;
    ::kill(started.engine, SIGKILL);
    REQUIRE(QTest::qWaitFor([] { return childProcesses().empty(); }, 2000));
    started.ask();
    REQUIRE(started.waitForAnswers(2));
    CHECK(started.answers[1].value);
    CHECK(started.deaths.isEmpty());
}

TEST_CASE("a stopped engine is found, told, and replaced")
{
    StartedEngine started;
    started.stop();
    started.view(3);
    REQUIRE(started.waitForViews(1));
    CHECK(started.views[0].engineDied);
    CHECK_THAT(started.views[0].failure.toStdString(), containsText("suspended by a signal"));
    started.view(3);
    REQUIRE(started.waitForViews(2));
    CHECK(started.views[1].value);
    CHECK(started.deaths.count() == 1);
}

TEST_CASE("a short stop is waited out")
{
    StartedEngine started;
    started.stop();
    const std::size_t requestBytes = started.view(3);
    REQUIRE(started.waitForBytes(requestBytes));  // a ping: the client has looked after it
    ::kill(started.engine, SIGCONT);
    REQUIRE(started.waitForViews(1));
    CHECK(started.views[0].value);
    CHECK(started.deaths.isEmpty());
}

TEST_CASE("a cancelled request to a stopped engine is answered within a second")
{
    StartedEngine started;
    started.stop();
    started.client.cancel(started.ask());
    REQUIRE(QTest::qWaitFor([&] { return started.answers.size() == 2; }, 1000));
    CHECK(started.answers[1].wasCancelled);
    started.ask();
    REQUIRE(started.waitForAnswers(3));
    CHECK(started.answers[2].value);
    CHECK(started.deaths.isEmpty());
}

TEST_CASE("a restart answers the request at work and goes on with a new engine")
{
    StartedEngine started;
    started.stop();
    started.view(0);
    started.view(1);
    started.client.restart();
    REQUIRE(started.waitForViews(2));
    CHECK(started.views[0].engineDied);
    CHECK_THAT(started.views[0].failure.toStdString(), containsText("was restarted"));
    CHECK(started.views[1].value);
}

TEST_CASE("no engine is left when the client is gone, nor a stopped one")
{
    {
        const StartedEngine started;
    }
    CHECK(childProcesses().empty());
    {
        StartedEngine started;
        started.stop();
    }
    CHECK(childProcesses().empty());
}

}  // namespace engine_client_deaths_test
