#include "ui/queries/engine_client.h"

#include "tests/support/catch.h"
#include "tests/support/child_processes.h"
#include "ui/queries/engine_watch.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <vector>

using namespace calibscope;
using calibscope::test::childProcesses;
using calibscope::test::containsText;

namespace {

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

/// A client whose engine has answered once.
struct Session
{
    Session()
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
        return client.open({sample}, [this](Answer<protocol::DumpOpened> answer) {
            answers.push_back(std::move(answer));
        });
    }

    void view(std::uint64_t tensor)
    {
        client.view(
            {.tensor = {.file = sample, .index = tensor}},
            [this](Answer<protocol::TensorView> answer) { views.push_back(std::move(answer)); });
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

}  // namespace

TEST_CASE("an engine killed at work is told with the tensor's name, and the others go to a new one")
{
    Session session;
    session.stop();  // so that it is surely at work when it is killed
    session.view(3);
    session.view(4);
    QTest::qWait(50);
    ::kill(session.engine, SIGKILL);
    REQUIRE(session.waitForViews(2));
    CHECK(session.views[0].engineDied);
    const std::string name = session.answers[0].value->tensors[3].name;
    CHECK_THAT(session.views[0].failure.toStdString(), containsText("signal 9"));
    CHECK_THAT(session.views[0].failure.toStdString(), containsText(name + " of sample.h5"));
    REQUIRE(session.views[1].value);
    REQUIRE(session.deaths.count() == 1);
    CHECK(session.deaths[0][0].toString() == session.views[0].failure);
}

TEST_CASE("an engine killed while idle is started anew by the next request, nobody is bothered")
{
    Session session;
    ::kill(session.engine, SIGKILL);
    REQUIRE(QTest::qWaitFor([] { return childProcesses().empty(); }, 2000));
    session.ask();
    REQUIRE(session.waitForAnswers(2));
    CHECK(session.answers[1].value);
    CHECK(session.deaths.isEmpty());
}

TEST_CASE("a stopped engine is found, told, and replaced")
{
    Session session;
    session.stop();
    session.view(3);
    REQUIRE(session.waitForViews(1));
    CHECK(session.views[0].engineDied);
    CHECK_THAT(session.views[0].failure.toStdString(), containsText("suspended by a signal"));
    session.view(3);
    REQUIRE(session.waitForViews(2));
    CHECK(session.views[1].value);
    CHECK(session.deaths.count() == 1);
}

TEST_CASE("a short stop is waited out")
{
    Session session;
    session.stop();
    session.view(3);
    QTest::qWait(400);
    ::kill(session.engine, SIGCONT);
    REQUIRE(session.waitForViews(1));
    CHECK(session.views[0].value);
    CHECK(session.deaths.isEmpty());
}

TEST_CASE("a cancelled request to a stopped engine is answered within a second")
{
    Session session;
    session.stop();
    session.client.cancel(session.ask());
    REQUIRE(QTest::qWaitFor([&] { return session.answers.size() == 2; }, 1000));
    CHECK(session.answers[1].wasCancelled);
    session.ask();
    REQUIRE(session.waitForAnswers(3));
    CHECK(session.answers[2].value);
    CHECK(session.deaths.isEmpty());
}

TEST_CASE("a restart answers the request at work and goes on with a new engine")
{
    Session session;
    session.stop();
    session.view(0);
    session.view(1);
    session.client.restart();
    REQUIRE(session.waitForViews(2));
    CHECK(session.views[0].engineDied);
    CHECK_THAT(session.views[0].failure.toStdString(), containsText("was restarted"));
    CHECK(session.views[1].value);
}

TEST_CASE("no engine is left when the client is gone, nor a stopped one")
{
    {
        const Session session;
    }
    CHECK(childProcesses().empty());
    {
        Session session;
        session.stop();
    }
    CHECK(childProcesses().empty());
}
