// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_client.h"

#include "core/protocol/envelope.h"
#include "core/protocol/frame_reader.h"
#include "tests/support/catch.h"
#include "tests/support/child_processes.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <vector>

namespace engine_client_failures_test {

using namespace calibscope;
using calibscope::test::childProcesses;
using calibscope::test::containsText;

/// What programs that are not an engine lead to.
struct Attempt
{
    explicit Attempt(const QString& program, const QStringList& arguments = {})
    {
        client.setProgram(program, arguments);
    }

    void ask(const std::string& path = "some.h5")
    {
        client.ask(protocol::OpenRequest{path}, [this](Answer<protocol::DumpOpened> answer) {
            answers.push_back(std::move(answer));
        });
    }

    bool waitForAnswers(std::size_t count)
    {
        constexpr int patienceMs = 120000;  // of a machine with other work, under a sanitizer
        return QTest::qWaitFor([&] { return answers.size() >= count; }, patienceMs);
    }

    EngineClient client;
    QSignalSpy deaths{&client, &EngineClient::engineDied};
    std::vector<Answer<protocol::DumpOpened>> answers;
};

TEST_CASE("a missing program is told at once, to each request")
{
    Attempt attempt("/nowhere/calib");
    attempt.ask();
    attempt.ask();
    REQUIRE(attempt.waitForAnswers(2));
    for (const auto& answer : attempt.answers) {
        CHECK(answer.engineDied);
        CHECK_FALSE(answer.value);
        CHECK_THAT(answer.failure.toStdString(),
                   containsText("engine /nowhere/calib could not be started"));
    }
    CHECK(attempt.deaths.count() >= 1);
}

TEST_CASE(
    "a program that ends at once is told with its exit code, and not started for each request")
{
    // Ends once all three are asked: on a busy machine it would end before the second.
    const test::TemporaryFolder folder;
    const std::string asked = folder.file("asked");
    Attempt attempt("/bin/sh", {"-c", QString::fromStdString("until [ -e '" + asked +
                                                             "' ]; do sleep 0.01; done; "
                                                             "echo out of cheese >&2; exit 3")});
    attempt.ask("/d/first.h5");
    attempt.ask();
    attempt.ask();
    test::writeBytes(asked, "");
    REQUIRE(attempt.waitForAnswers(3));
    int told = 0;
    for (const auto& answer : attempt.answers) {
        CHECK(answer.engineDied);
        told += answer.failure.contains("ended with exit code 3") ? 1 : 0;
    }
    CHECK(told == 3);
    CHECK(attempt.answers.back().failure.contains("first.h5"));
    CHECK(attempt.answers.back().failure.contains("out of cheese"));
    CHECK(attempt.deaths.count() == 1);
}

TEST_CASE("the signal that ended a program is named")
{
    Attempt attempt("/bin/sh", {"-c", "kill -SEGV $$"});
    attempt.ask();
    REQUIRE(attempt.waitForAnswers(1));
    CHECK_THAT(attempt.answers[0].failure.toStdString(), containsText("signal 11"));
}

TEST_CASE("a program that talks something else is ended and told")
{
    Attempt attempt("/bin/sh", {"-c", "yes"});
    attempt.ask();
    REQUIRE(attempt.waitForAnswers(1));
    CHECK(attempt.answers[0].engineDied);
    CHECK_THAT(attempt.answers[0].failure.toStdString(), containsText("does not speak"));
}

TEST_CASE("a cancel that is not followed ends the program, and the next request a new one asks")
{
    Attempt attempt("/bin/sh", {"-c", "exec sleep 60"});
    std::vector<bool> cancelled;
    const auto note = [&](const Answer<protocol::DumpOpened>& answer) {
        cancelled.push_back(answer.wasCancelled);
    };
    const quint64 atWork = attempt.client.ask(protocol::OpenRequest{"a.h5"}, note);
    const quint64 waiting = attempt.client.ask(protocol::OpenRequest{"b.h5"}, note);
    attempt.client.cancel(waiting);
    REQUIRE(QTest::qWaitFor([&] { return cancelled.size() == 1; }, 20000));
    QElapsedTimer timer;
    timer.start();
    attempt.client.cancel(atWork);
    REQUIRE(QTest::qWaitFor([&] { return cancelled.size() == 2; }, 20000));
    CHECK(timer.elapsed() >= 190);
    CHECK(cancelled == std::vector<bool>{true, true});
    CHECK(attempt.deaths.isEmpty());

    attempt.client.setProgram("/nowhere/calib");
    attempt.ask();
    REQUIRE(attempt.waitForAnswers(1));
    CHECK_THAT(attempt.answers[0].failure.toStdString(), containsText("/nowhere/calib"));
}

TEST_CASE("a request that ends each engine is not tried in a loop, the others are")
{
    const test::TemporaryFolder folder;
    const std::string starts = folder.file("starts");
    // Greets, and ends at the first request.
    Attempt attempt(
        "/bin/sh", {"-c", QString::fromStdString("echo start >>'" + starts +
                                                 "'; printf '\\0calibscope-engine 2\\n'; head -c 1 "
                                                 ">/dev/null; exit 3")});
    for (int time = 0; time < 4; ++time)
        attempt.ask("deadly.h5");
    attempt.ask("other.h5");
    REQUIRE(attempt.waitForAnswers(5));
    CHECK(test::readBytes(starts) == "start\nstart\nstart\n");
    CHECK(attempt.answers[1].engineDied);
    for (const std::size_t refused : {2U, 3U}) {
        CHECK_FALSE(attempt.answers[refused].engineDied);
        CHECK_THAT(attempt.answers[refused].failure.toStdString(),
                   containsText("deadly.h5 has ended the engine 2 times"));
    }
    CHECK(attempt.answers[4].engineDied);
    CHECK(attempt.deaths.count() == 3);
}

TEST_CASE("engines that end one after the other are started at growing intervals")
{
    Attempt attempt("/bin/sh",
                    {"-c", "printf '\\0calibscope-engine 2\\n'; head -c 1 >/dev/null; exit 3"});
    QElapsedTimer timer;
    timer.start();
    for (const char* path : {"a.h5", "b.h5", "c.h5", "d.h5"})
        attempt.ask(path);
    REQUIRE(attempt.waitForAnswers(4));
    // None before the second, then 100 ms and 200 ms, of which Qt's coarse timers may take 5 % off.
    CHECK(timer.elapsed() >= 285);
}

TEST_CASE("an engine that tells of progress without end does not fill the window's queue")
{
    const test::TemporaryFolder folder;
    std::string bytes(protocol::preamble);
    for (std::uint64_t done = 0; done < 20000; ++done)
        bytes += protocol::toFrame(protocol::toJson(protocol::ProgressNote{
            .id = 1, .done = done, .total = 0, .what = std::string(300, 'a')}));
    bytes += protocol::toFrame(protocol::toJson(
        protocol::Reply{.id = 1,
                        .result = {},
                        .failure = protocol::Failure{.message = "over", .fault = Fault::Input}}));
    test::writeBytes(folder.file("bytes"), bytes);
    Attempt attempt("/bin/sh",
                    {"-c", QString::fromStdString("cat '" + folder.file("bytes") + "'; sleep 60")});
    const QSignalSpy progress(&attempt.client, &EngineClient::progressed);
    QElapsedTimer timer;
    timer.start();
    attempt.ask();
    REQUIRE(attempt.waitForAnswers(1));
    CHECK(attempt.answers[0].failure == "over");
    CHECK(progress.count() <= timer.elapsed() / 20 + 1);  // at most one in 20 ms
    for (const QList<QVariant>& told : progress)
        CHECK(told[3].toString().size() <= 200);
}

TEST_CASE("a client with a program that ignores it is destroyed before that program ends")
{
    QElapsedTimer timer;
    {
        Attempt attempt("/bin/sh", {"-c", "exec sleep 60"});
        attempt.ask();
        REQUIRE(QTest::qWaitFor([] { return !childProcesses().empty(); }));
        timer.start();
    }
    CHECK(timer.elapsed() < 20000);  // QProcess by itself would wait 30 s
}

}  // namespace engine_client_failures_test
