// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_router.h"

#include "core/base/digest.h"
#include "core/recipes/make_choice.h"
#include "tests/ssh/fake_ssh.h"
#include "tests/support/catch.h"
#include "tests/support/child_processes.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace engine_router_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr int patienceMs = 20000;
const std::string farSample = "ssh://anna@farhost" + sampleDump;

struct Routed
{
    Routed()
    {
        machines.setKnown({.allowed = {"anna@farhost"},
                           .commands = {{"anna@farhost", QString::fromStdString(calibProgram)},
                                        {"new", QString::fromStdString(calibProgram)}}});
        router.setCacheFolder("");
    }

    template <typename Request>
    Answer<protocol::ResultOf<Request>> ask(const Request& request)
    {
        std::optional<Answer<protocol::ResultOf<Request>>> got;
        router.ask(request,
                   [&](Answer<protocol::ResultOf<Request>> answer) { got = std::move(answer); });
        CHECK_FALSE(got);  // never from within
        REQUIRE(QTest::qWaitFor([&] { return got.has_value(); }, patienceMs));
        return *std::move(got);
    }

    FakeSsh ssh;
    RemoteMachines machines;
    EngineRouter router{machines};
};

TEST_CASE("a dump on another machine is answered there, under the address that it was asked with")
{
    Routed test;
    QSignalSpy greeted(&test.router, &EngineRouter::greeted);
    const auto opened = test.ask(protocol::OpenRequest{.path = farSample});
    REQUIRE(opened.value);
    CHECK(opened.value->identity.path == farSample);
    CHECK(opened.value->tensors.size() == 30);
    const auto viewed = test.ask(
        protocol::ViewRequest{.tensor = {.file = farSample, .index = 0},
                              .histograms = {},
                              .choices = {makeChoice("entropy", {}, SchemeKind::SymmetricRestricted,
                                                     Granularity::Tensor)}});
    REQUIRE(viewed.value);
    CHECK(viewed.value->outcomes[0].file == farSample);
    const auto here = test.ask(
        protocol::ViewRequest{.tensor = {.file = sampleDump, .index = 0},
                              .histograms = {},
                              .choices = {makeChoice("entropy", {}, SchemeKind::SymmetricRestricted,
                                                     Granularity::Tensor)}});
    REQUIRE(here.value);
    CHECK(here.value->outcomes[0].file == sampleDump);
    CHECK(here.value->outcomes[0].whole.quantizer.scale ==
          viewed.value->outcomes[0].whole.quantizer.scale);

    // One connection, and it is greeted.
    CHECK(test.ssh.calls() == "-T -C -o BatchMode=yes -o ServerAliveInterval=5 -o "
                              "ServerAliveCountMax=3 -- anna@farhost " +
                                  calibProgram + " serve --idle 300\n");
    REQUIRE(QTest::qWaitFor([&] { return greeted.count() == 1; }, patienceMs));
    CHECK(greeted[0][0].toString() == "anna@farhost");
    CHECK(greeted[0][1].value<protocol::Hello>().program == "calib");
}

TEST_CASE("an engine that lacks a calibrator says so of that outcome, and computes the others")
{
    // The real one, whose greeting names neither "mse" nor the fraction of "min-max", as one of an
    // older version would not.
    Routed test;
    KnownMachines known = test.machines.known();
    known.commands["anna@farhost"] =
        QString::fromStdString(calibProgram + " serve | LC_ALL=C sed -u -e 's/bidcmse/bidcold/g' "
                                              "-e 's/bidhfraction/bidhquantity/g' #");
    test.machines.setKnown(known);
    const auto choice = [](const std::string& calibrator, const GivenSettings& settings) {
        return makeChoice(calibrator, settings, SchemeKind::SymmetricRestricted,
                          Granularity::Tensor);
    };
    const Choice plain = choice("min-max", {});
    const Choice mse = choice("mse", {});
    const Choice half = choice("min-max", {{"fraction", "0.5"}});
    REQUIRE(test.ask(protocol::OpenRequest{.path = farSample}).value);
    const TensorRef tensor{.file = farSample, .index = 0};
    const auto viewed = test.ask(protocol::ViewRequest{
        .tensor = tensor, .histograms = {}, .choices = {mse, plain, half, plain, mse}});
    INFO(viewed.failure.toStdString());
    REQUIRE(viewed.value);
    REQUIRE(viewed.value->outcomes.size() == 5);
    const auto hello = test.ask(protocol::HelloRequest{});
    REQUIRE(hello.value);
    const std::string who = "calib " + hello.value->version + " on anna@farhost has no ";
    const std::string noMse = who + "calibrator mse; update calib there";
    std::vector<std::string> problems;
    for (const Outcome& outcome : viewed.value->outcomes) {
        problems.push_back(outcome.problem);
        CHECK(outcome.file == farSample);
        CHECK(outcome.tensor == viewed.value->profile.info.name);
    }
    CHECK(problems ==
          std::vector<std::string>{
              noMse, "", who + "parameter fraction of min-max; update calib there", "", noMse});
    CHECK(viewed.value->outcomes[0].choice.isSameComputation(mse));
    CHECK(viewed.value->outcomes[1].whole.quantizer.scale > 0.0);
    CHECK(viewed.value->outcomes[1].choice.isSameComputation(plain));

    const auto lacking = test.ask(protocol::PreviewRequest{.tensor = tensor, .choice = mse});
    REQUIRE(lacking.value);
    CHECK_FALSE(lacking.value->sqnrDb);
    CHECK_FALSE(lacking.value->sparkline.empty());
    CHECK(lacking.value->notes == std::vector<std::string>{noMse});
    const auto computed = test.ask(protocol::PreviewRequest{.tensor = tensor, .choice = plain});
    REQUIRE(computed.value);
    CHECK(computed.value->sqnrDb);
}

TEST_CASE("what is asked while an engine is greeted waits for what it has, and can be cancelled")
{
    Routed test;
    std::optional<bool> isCancelled;
    std::optional<bool> isAnswered;
    test.router.ask(
        protocol::OpenRequest{.path = farSample}, [&](const Answer<protocol::DumpOpened>&) {
            const protocol::IdentifyRequest request{.path = farSample};
            const quint64 dropped =
                test.router.ask(request, [&](const Answer<protocol::IdentifiedFile>& answer) {
                    isCancelled = answer.wasCancelled;
                });
            test.router.ask(request, [&](const Answer<protocol::IdentifiedFile>& answer) {
                isAnswered = answer.value.has_value();
            });
            test.router.cancel(dropped);
        });
    REQUIRE(QTest::qWaitFor([&] { return isCancelled && isAnswered; }, patienceMs));
    CHECK(*isCancelled);
    CHECK(*isAnswered);
}

TEST_CASE("files of another machine are listed, identified and digested there")
{
    Routed test;
    std::filesystem::copy_file(sampleDump, test.ssh.home() + "/a b.h5");
    const auto page = test.ask(protocol::FolderRequest{.path = "ssh://anna@farhost/~/."});
    REQUIRE(page.value);
    CHECK(std::filesystem::equivalent(page.value->path, test.ssh.home()));
    REQUIRE(page.value->entries.size() == 1);
    CHECK(page.value->entries[0].name == "a b.h5");
    const std::string address = "ssh://anna@farhost/~/a%20b.h5";
    const auto identified = test.ask(protocol::IdentifyRequest{.path = address});
    REQUIRE(identified.value);
    REQUIRE(identified.value->identity);
    CHECK(identified.value->identity->path == address);
    const auto gone = test.ask(protocol::IdentifyRequest{.path = "ssh://anna@farhost/nowhere"});
    REQUIRE(gone.value);
    CHECK_FALSE(gone.value->identity);
    const auto digested = test.ask(protocol::DigestRequest{.path = address});
    REQUIRE(digested.value);
    CHECK(digested.value->identity.sha256 == fileSha256(sampleDump));
}

TEST_CASE("no program is started for a machine before the user has allowed it")
{
    Routed test;
    QSignalSpy questions(&test.machines, &RemoteMachines::questioned);
    std::vector<Answer<protocol::DumpOpened>> answers;
    const auto note = [&](Answer<protocol::DumpOpened> answer) {
        answers.push_back(std::move(answer));
    };
    const protocol::OpenRequest request{.path = "ssh://new" + sampleDump};
    test.router.ask(request, note);
    const quint64 cancelled = test.router.ask(request, note);
    REQUIRE(questions.count() == 1);
    CHECK(questions[0][0].toString() == "new");
    test.router.cancel(cancelled);
    REQUIRE(QTest::qWaitFor([&] { return answers.size() == 1; }, patienceMs));
    CHECK(answers[0].wasCancelled);
    CHECK(test.ssh.calls().empty());
    SECTION("refused")
    {
        test.machines.refuse("new");
        REQUIRE(QTest::qWaitFor([&] { return answers.size() == 2; }, patienceMs));
        CHECK(answers[1].failure == "new was not connected to: you have not allowed it.");
        CHECK(test.ssh.calls().empty());
    }
    SECTION("allowed")
    {
        test.machines.allow("new");
        REQUIRE(QTest::qWaitFor([&] { return answers.size() == 2; }, patienceMs));
        CHECK(answers[1].value);
        CHECK_FALSE(test.ssh.calls().empty());
    }
}

TEST_CASE("hostile addresses and files of two machines are refused with a sentence, and nothing is "
          "started")
{
    Routed test;
    const auto refusal = [&](const auto& request) {
        return test.ask(request).failure.toStdString();
    };
    CHECK_THAT(refusal(protocol::OpenRequest{.path = "ssh://-oProxyCommand=touch%20x/a.h5"}),
               containsText("begins with \"-\""));
    CHECK_THAT(refusal(protocol::OpenRequest{.path = "ssh://a;b/a.h5"}),
               containsText("other than letters"));
    protocol::CompareRequest compare;
    compare.a.file = farSample;
    compare.b.file = sampleDump;
    CHECK_THAT(refusal(compare), containsText("different machines"));
    protocol::LayersRequest layers;
    layers.path = sampleDump;
    layers.edited.push_back({.file = farSample});
    CHECK_THAT(refusal(layers), containsText("different machines"));
    CHECK(test.ssh.calls().empty());
}

TEST_CASE("a machine that can't be reached is told in ssh's words")
{
    Routed test;
    test.machines.allow("unreachable");
    const auto answer = test.ask(protocol::OpenRequest{.path = "ssh://unreachable/a.h5"});
    CHECK(answer.failure ==
          "The connection to unreachable could not be made. Its last output: ssh: no such host");
}

TEST_CASE("engines of machines without an open dump end, and start anew when asked")
{
    Routed test;
    REQUIRE(test.ask(protocol::OpenRequest{.path = farSample}).value);
    CHECK(childProcesses().size() == 1);
    test.router.keepMachines({"anna@farhost"});
    CHECK(test.ask(protocol::OpenRequest{.path = farSample}).value);
    CHECK(childProcesses().size() == 1);
    CHECK(std::ranges::count(test.ssh.calls(), '\n') == 1);
    test.router.keepMachines({});
    CHECK(QTest::qWaitFor([] { return childProcesses().empty(); }, patienceMs));
    CHECK(test.ask(protocol::OpenRequest{.path = farSample}).value);
    CHECK(std::ranges::count(test.ssh.calls(), '\n') == 2);
}

TEST_CASE("a second router may ask by the engines of the first")
{
    Routed test;
    EngineRouter second(test.machines);
    second.shareFarEngines(test.router);
    REQUIRE(test.ask(protocol::OpenRequest{.path = farSample}).value);
    std::optional<Answer<protocol::DumpOpened>> got;
    second.ask(protocol::OpenRequest{.path = farSample},
               [&](Answer<protocol::DumpOpened> answer) { got = std::move(answer); });
    REQUIRE(QTest::qWaitFor([&] { return got.has_value(); }, patienceMs));
    REQUIRE(got->value);
    CHECK(got->value->identity.path == farSample);
    CHECK(std::ranges::count(test.ssh.calls(), '\n') == 1);
}

}  // namespace engine_router_test
