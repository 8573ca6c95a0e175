// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/far_engine.h"
#include "tests/support/catch.h"
#include "tests/support/child_processes.h"
#include "tests/support/run_program.h"
#include "ui/queries/engine_router.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <optional>

namespace connections_test {

using namespace calibscope;
using namespace calibscope::test;

namespace {

/// What a connection that fails leads to.
struct Attempt
{
    explicit Attempt(const std::string& script)
    {
        client.setProgram(farEngine({"/bin/sh", "-c", QString::fromStdString(script)}));
        for (std::string path : {"a.h5", "b.h5"})
            client.ask(protocol::OpenRequest{std::move(path)},
                       [this](Answer<protocol::DumpOpened> answer) {
                           answers.push_back(std::move(answer));
                       });
        REQUIRE(QTest::qWaitFor([this] { return answers.size() == 2; }, 20000));
    }

    /// To both requests, and once to the user.
    void checkSentence(const std::string& sentence)
    {
        for (const auto& answer : answers) {
            CHECK(answer.engineDied);
            CHECK(answer.failure.toStdString() == sentence);
        }
        REQUIRE(deaths.count() == 1);
        CHECK(deaths[0][0].toString().toStdString() == sentence);
    }

    EngineClient client;
    QSignalSpy deaths{&client, &EngineClient::engineDied};
    std::vector<Answer<protocol::DumpOpened>> answers;
};

}  // namespace

TEST_CASE("a connection that can't be made is told in ssh's words")
{
    Attempt("echo 'Host key verification failed.' >&2; exit 255")
        .checkSentence("The connection to farhost could not be made. Its last output: Host key "
                       "verification failed.");
    Attempt("exit 255").checkSentence("The connection to farhost could not be made.");
}

TEST_CASE("a machine without calib is told with what to do")
{
    Attempt("echo 'bash: line 1: calib: command not found' >&2; exit 127")
        .checkSentence("There is no program calib on farhost; install calib there, or set the "
                       "command for farhost in Open on another machine. Its last output: bash: "
                       "line 1: calib: command not found");
}

TEST_CASE("an engine of another protocol is told with both")
{
    Attempt("printf 'Welcome!\\n\\0calibscope-engine 3\\n'; exec sleep 60")
        .checkSentence(
            "The engine on farhost speaks protocol 3, this window 2; update Calibscope here.");
    Attempt("printf '\\0calibscope-engine 1\\n'; exec sleep 60")
        .checkSentence(
            "The engine on farhost speaks protocol 1, this window 2; update calib there.");
}

TEST_CASE("a command that ends is told with its exit code")
{
    Attempt("echo 'srun: error: invalid partition' >&2; exit 1")
        .checkSentence("The engine on farhost ended with exit code 1 before it could be asked. Its "
                       "last output: srun: error: invalid partition");
}

TEST_CASE("a banner before the greeting is passed over")
{
    EngineClient client;
    client.setProgram(farEngine({"/bin/sh", "-c",
                                 QString::fromStdString("echo 'Welcome to farhost'; echo; exec " +
                                                        calibProgram + " serve")}));
    bool isOpen = false;
    client.ask(
        protocol::OpenRequest{.path = sampleDump},
        [&](const Answer<protocol::DumpOpened>& answer) { isOpen = answer.value.has_value(); });
    CHECK(QTest::qWaitFor([&] { return isOpen; }, 20000));
}

TEST_CASE("a connection that is lost at work is told as that, and made anew for the next request")
{
    const TemporaryFolder folder;
    const std::string script = "if mkdir " + quoted(folder.file("once")) +
                               " 2>/dev/null; then printf '\\0calibscope-engine 2\\n'; head -c 1 "
                               ">/dev/null; echo 'Connection reset' >&2; exit 255; fi; exec " +
                               calibProgram + " serve";
    EngineClient client;
    client.setProgram(farEngine({"/bin/sh", "-c", QString::fromStdString(script)}));
    std::vector<Answer<protocol::DumpOpened>> answers;
    const auto note = [&](Answer<protocol::DumpOpened> answer) {
        answers.push_back(std::move(answer));
    };
    client.ask(protocol::OpenRequest{.path = sampleDump}, note);
    client.ask(protocol::OpenRequest{.path = sampleDump}, note);
    REQUIRE(QTest::qWaitFor([&] { return answers.size() == 2; }, 20000));
    CHECK(answers[0].failure == "The connection to farhost was lost while it worked on sample.h5. "
                                "Its last output: Connection reset");
    CHECK(answers[1].value);
}

TEST_CASE("without ssh that is told")
{
    EngineClient client;
    client.setProgram(
        {.program = "/nowhere/ssh", .arguments = {}, .host = "farhost", .command = "calib"});
    QString failure;
    client.ask(protocol::OpenRequest{.path = sampleDump},
               [&](const Answer<protocol::DumpOpened>& answer) { failure = answer.failure; });
    REQUIRE(QTest::qWaitFor([&] { return !failure.isEmpty(); }, 5000));
    CHECK_THAT(
        failure.toStdString(),
        containsText("The connection to farhost can't be made: /nowhere/ssh could not be started"));
}

namespace {

/// Through a real sshd, which tests/extra/ssh/loopback.sh starts, with the hosts good, nokey,
/// strangehost and wrongport.
struct Reached
{
    Reached()
    {
        const QString calib = qEnvironmentVariable("CALIBSCOPE_FAR_CALIB");
        KnownMachines known;
        for (const char* host : {"good", "nokey", "strangehost", "wrongport"}) {
            known.allowed += host;
            known.commands[host] = calib;
        }
        machines.setKnown(known);
    }

    [[nodiscard]] Answer<protocol::DumpOpened> open(const std::string& host)
    {
        std::optional<Answer<protocol::DumpOpened>> got;
        const std::string address =
            "ssh://" + host + qEnvironmentVariable("CALIBSCOPE_FAR_SAMPLE").toStdString();
        router.ask(protocol::OpenRequest{.path = address},
                   [&](Answer<protocol::DumpOpened> answer) { got = std::move(answer); });
        REQUIRE(QTest::qWaitFor([&] { return got.has_value(); }, 20000));
        return *std::move(got);
    }

    RemoteMachines machines;
    EngineRouter router{machines};
};

}  // namespace

TEST_CASE("a real sshd: a dump is opened, and each failure has its sentence", "[.sshd]")
{
    Reached test;
    QElapsedTimer timer;
    timer.start();
    const auto opened = test.open("good");
    INFO(opened.failure.toStdString());
    REQUIRE(opened.value);
    std::printf("start to list: %lld ms\n", static_cast<long long>(timer.elapsed()));
    CHECK(opened.value->tensors.size() == 30);

    const auto failure = [&](const std::string& host) {
        const auto answer = test.open(host);
        CHECK_FALSE(answer.value);
        std::printf("%s: %s\n", host.c_str(), answer.failure.toUtf8().constData());
        return answer.failure.toStdString();
    };
    CHECK_THAT(failure("nokey"), containsText("Permission denied"));
    CHECK_THAT(failure("strangehost"), containsText("Host key verification failed"));
    CHECK_THAT(failure("wrongport"), containsText("Connection refused"));
    CHECK_THAT(failure("wrongport"), containsText("The connection to wrongport could not be made"));
    test.machines.setCommand("good", "/nowhere/calib");
    test.router.restart();
    CHECK_THAT(failure("good"), containsText("There is no program /nowhere/calib on good"));
    test.machines.setCommand("good",
                             "echo Welcome; exec " + qEnvironmentVariable("CALIBSCOPE_FAR_CALIB"));
    CHECK(test.open("good").value);
}

TEST_CASE("a real sshd: ssh that is killed is told as a lost connection or engine, and made anew",
          "[.sshd]")
{
    Reached test;
    REQUIRE(test.open("good").value);
    for (const pid_t ssh : childProcesses())
        ::kill(ssh, SIGKILL);
    REQUIRE(QTest::qWaitFor([] { return childProcesses().empty(); }, 20000));
    CHECK(test.open("good").value);
}

}  // namespace connections_test
