// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/make_choice.h"
#include "tests/ssh/far_engine.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "ui/queries/background_reader.h"
#include "ui/queries/query.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <cstdio>
#include <optional>
#include <set>
#include <utility>

namespace slow_line_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr int patienceMs = 30000;

struct FarClient
{
    FarClient()
    {
        client.setProgram(engine.program());
        std::optional<Answer<protocol::DumpOpened>> opened;
        client.ask(protocol::OpenRequest{.path = sampleDump},
                   [&](Answer<protocol::DumpOpened> answer) { opened = std::move(answer); });
        REQUIRE(QTest::qWaitFor([&] { return opened.has_value(); }, patienceMs));
        INFO(opened->failure.toStdString());
        REQUIRE(opened->value);
    }

    CountedEngine engine;
    EngineClient client;
    QSignalSpy deaths{&client, &EngineClient::engineDied};
};

protocol::ViewRequest viewOf(std::uint64_t tensor)
{
    return {.tensor = {.file = sampleDump, .index = tensor},
            .histograms = {{.domain = Domain::Magnitude}},
            .choices = {
                makeChoice("entropy", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor)}};
}

/// For who reads the log: such times are not compared, as the machine may be busy.
void tellTime(const char* what, qint64 ms)
{
    std::printf("%s: %lld ms, %.1f round trips of %d ms\n", what, static_cast<long long>(ms),
                static_cast<double>(ms) / roundTripMs, roundTripMs);
}

TEST_CASE("far away: cancelling ends no engine, and what is asked next does not wait for it")
{
    FarClient far;
    int cancelled = 0;
    int answered = 0;
    for (std::uint64_t round = 0; round < 4; ++round) {
        const quint64 id =
            far.client.ask(viewOf(round), [&](const Answer<protocol::TensorView>& answer) {
                cancelled += answer.wasCancelled ? 1 : 0;
            });
        QTest::qWait(30);
        far.client.cancel(id);
        far.client.ask(viewOf(round + 10), [&](const Answer<protocol::TensorView>& answer) {
            answered += answer.value ? 1 : 0;
        });
    }
    REQUIRE(QTest::qWaitFor([&] { return cancelled + answered == 8; }, patienceMs));
    CHECK(cancelled == 4);
    CHECK(answered == 4);
    CHECK(far.engine.starts() == 1);
    CHECK(far.deaths.isEmpty());
}

TEST_CASE("far away: of six quick selections the last one is shown, by the same engine")
{
    FarClient far;
    TensorQuestions questions(far.client);
    ViewQuery reader(questions);
    QElapsedTimer timer;
    timer.start();
    for (std::uint64_t tensor = 0; tensor < 6; ++tensor) {
        reader.ask(viewOf(tensor));
        if (tensor < 5)
            QTest::qWait(80);  // 0.4 s in all
    }
    REQUIRE(
        QTest::qWaitFor([&] { return reader.state() == QueryState::State::Ready; }, patienceMs));
    tellTime("six selections in 0.4 s", timer.elapsed());
    CHECK(reader.request().tensor.index == 5);
    REQUIRE(reader.result() != nullptr);
    CHECK(far.engine.starts() == 1);
    CHECK(far.deaths.isEmpty());
}

TEST_CASE("far away: thirty previews take a few round trips, not thirty")
{
    FarClient far;
    BackgroundReader reader(far.client, [](int tensor) {
        return protocol::PreviewRequest{
            .tensor = {.file = sampleDump, .index = static_cast<std::uint64_t>(tensor)},
            .choice = {}};
    });
    reader.setFarAway(true);
    const QSignalSpy taken(&reader, &BackgroundReader::previewTaken);
    std::vector<int> all(30);
    for (int tensor = 0; tensor < 30; ++tensor)
        all[static_cast<std::size_t>(tensor)] = tensor;
    QElapsedTimer timer;
    timer.start();
    reader.setPreviews(all);
    REQUIRE(QTest::qWaitFor([&] { return taken.count() == 30; }, patienceMs));
    tellTime("thirty previews", timer.elapsed());
    // One at a time would be at least thirty round trips, however fast the engine is; half of that
    // leaves room for a machine that is busy.
    CHECK(timer.elapsed() < 15 * roundTripMs);
    CHECK(far.engine.starts() == 1);
    CHECK(far.deaths.isEmpty());
}

TEST_CASE("far away: a crash costs the preview that was at work, the others are asked again")
{
    const TemporaryFolder folder;
    // Greets, waits until all eight are there, and ends; then the real one.
    const std::string once = quoted(folder.file("once"));
    const std::string script = "if mkdir " + once +
                               " 2>/dev/null; then printf '\\0calibscope-engine 2\\n'; head -c 900 "
                               ">/dev/null; kill -SEGV $$; fi; exec " +
                               calibProgram + " serve";
    EngineClient client;
    client.setProgram(farEngine({"/bin/sh", "-c", QString::fromStdString(script)}));
    std::vector<int> died;
    std::set<int> answered;
    for (int tensor = 0; tensor < 8; ++tensor)
        client.ask(protocol::PreviewRequest{.tensor = {.file = sampleDump,
                                                       .index = static_cast<std::uint64_t>(tensor)},
                                            .choice = {}},
                   [&, tensor](const Answer<protocol::Preview>& answer) {
                       if (answer.engineDied)
                           died.push_back(tensor);
                       else if (answer.value)
                           answered.insert(tensor);
                   });
    REQUIRE(QTest::qWaitFor([&] { return died.size() + answered.size() == 8; }, patienceMs));
    CHECK(died == std::vector<int>{0});
    CHECK(answered == std::set<int>{1, 2, 3, 4, 5, 6, 7});
}

}  // namespace slow_line_test
