// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_client.h"

#include "core/recipes/estimate.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <numeric>
#include <vector>

namespace engine_client_test {

using namespace calibscope;
using calibscope::test::containsText;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

/// The real engine and the answers it gave.
struct StartedEngine
{
    StartedEngine() { client.setProgram(CALIBSCOPE_PROGRAM_DIR "/calib"); }

    template <typename T>
    Handler<T> into(std::vector<Answer<T>>& answers)
    {
        return [&answers](Answer<T> answer) { answers.push_back(std::move(answer)); };
    }

    EngineClient client;
    std::vector<Answer<protocol::DumpOpened>> opened;
    std::vector<Answer<protocol::TensorView>> viewed;
    std::vector<Answer<protocol::Preview>> previewd;
    std::vector<Answer<protocol::Strip>> stripped;
};

template <typename T>
bool waitFor(const std::vector<T>& answers, std::size_t count)
{
    return QTest::qWaitFor([&] { return answers.size() >= count; }, 20000);
}

protocol::ViewRequest entropyView(std::uint64_t tensor)
{
    return {.tensor = {.file = sample, .index = tensor},
            .histograms = {{"fixed", 100, Domain::Signed}},
            .choices = {
                makeChoice("entropy", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor)}};
}

TEST_CASE("the sample is opened, viewed and glanced at by the real engine")
{
    StartedEngine started;
    started.client.ask(protocol::OpenRequest{.path = sample}, started.into(started.opened));
    started.client.ask(entropyView(0), started.into(started.viewed));
    started.client.ask(protocol::PreviewRequest{.tensor = {.file = sample, .index = 1}},
                       started.into(started.previewd));
    REQUIRE(waitFor(started.previewd, 1));
    REQUIRE(started.opened.size() == 1);
    REQUIRE(started.opened[0].value);
    CHECK(started.opened[0].value->tensors.size() == 30);
    REQUIRE(started.viewed.size() == 1);
    REQUIRE(started.viewed[0].value);
    const protocol::TensorView& view = *started.viewed[0].value;
    CHECK(view.profile.info.name == started.opened[0].value->tensors[0].name);
    CHECK(view.profile.extents().values() == view.profile.info.valueCount());
    const Histogram* histogram = view.profile.histogram({"fixed", 100, Domain::Signed});
    REQUIRE(histogram != nullptr);
    CHECK(histogram->total() == view.profile.extents().finite);
    REQUIRE(view.outcomes.size() == 1);
    CHECK(view.outcomes[0].problem.empty());
    CHECK_FALSE(view.outcomes[0].curve.threshold.empty());
    REQUIRE(started.previewd[0].value);
    CHECK(started.previewd[0].value->sparkline.size() == 32);
}

TEST_CASE("a channel and its strip come from the real engine and agree")
{
    StartedEngine started;
    constexpr std::uint64_t tensor = 4;  // hardswish_30.tmp_0, 8 x 16 x 24 x 160
    started.client.ask(
        protocol::ViewRequest{.tensor = {.file = sample, .index = tensor, .part = {.channel = 3}}},
        started.into(started.viewed));
    started.client.ask(
        protocol::ViewRequest{.tensor = {.file = sample, .index = tensor, .part = {.batches = 1}}},
        started.into(started.viewed));
    started.client.ask(protocol::StripRequest{.tensor = {.file = sample, .index = tensor},
                                              .domain = Domain::Signed,
                                              .columns = 200},
                       started.into(started.stripped));
    started.client.ask(protocol::StripRequest{.tensor = {.file = sample, .index = 99}},
                       started.into(started.stripped));
    REQUIRE(waitFor(started.stripped, 2));
    REQUIRE(started.viewed[0].value);
    REQUIRE(started.viewed[1].value);
    REQUIRE(started.stripped[0].value);
    const protocol::Strip& strip = *started.stripped[0].value;
    CHECK(strip.rows == 16);
    CHECK(strip.counts.size() == 16 * 200);
    const std::span<const std::uint64_t> row = strip.row(3);
    CHECK(std::accumulate(row.begin(), row.end(), std::uint64_t{0}) ==
          started.viewed[0].value->profile.extents().finite);
    CHECK(started.viewed[1].value->profile.info.shape ==
          std::vector<std::uint64_t>{2, 16, 24, 160});
    CHECK_THAT(started.stripped[1].failure.toStdString(), containsText("there is no tensor 99"));
}

TEST_CASE("what the window estimates from a view is what the engine estimates, to the last bit")
{
    StartedEngine started;
    protocol::ViewRequest request = entropyView(0);
    request.choices.push_back(
        makeChoice("mse", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor));
    request.exactMetrics = false;
    started.client.ask(request, started.into(started.viewed));
    REQUIRE(waitFor(started.viewed, 1));
    REQUIRE(started.viewed[0].value);
    const protocol::TensorView& view = *started.viewed[0].value;
    REQUIRE(view.outcomes.size() == 2);
    for (const Outcome& engine : view.outcomes) {
        const Outcome estimated = estimateOutcome(view.profile, engine.choice);
        CHECK(estimated.problem.empty());
        CHECK(estimated.whole.quantizer.scale == engine.whole.quantizer.scale);
        CHECK(estimated.whole.metrics == engine.whole.metrics);
        CHECK(estimated.whole.notes == engine.whole.notes);
    }
}

TEST_CASE("an engine's error is the answer's failure, and the engine lives on")
{
    StartedEngine started;
    started.client.ask(protocol::OpenRequest{"/nowhere/a.h5"}, started.into(started.opened));
    started.client.ask(protocol::OpenRequest{.path = sample}, started.into(started.opened));
    REQUIRE(waitFor(started.opened, 2));
    CHECK_FALSE(started.opened[0].value);
    CHECK_FALSE(started.opened[0].engineDied);
    CHECK_THAT(started.opened[0].failure.toStdString(), containsText("/nowhere/a.h5"));
    CHECK(started.opened[1].value);
}

TEST_CASE("hundreds of requests are answered in their order")
{
    StartedEngine started;
    std::vector<quint64> asked;
    std::vector<quint64> answered;
    for (std::uint64_t round = 0; round < 300; ++round) {
        const auto id = std::make_shared<quint64>();
        *id = started.client.ask(
            protocol::PreviewRequest{.tensor = {.file = sample, .index = round % 30}},
            [&answered, id](const Answer<protocol::Preview>& answer) {
                answered.push_back(answer.value ? *id : 0);
            });
        asked.push_back(*id);
    }
    REQUIRE(waitFor(answered, 300));
    CHECK(answered == asked);
}

TEST_CASE("cancelling answers at once and keeps the others")
{
    StartedEngine started;
    std::vector<quint64> ids;
    for (std::uint64_t tensor = 0; tensor < 5; ++tensor)
        ids.push_back(started.client.ask(entropyView(tensor), started.into(started.viewed)));
    started.client.cancel(ids[3]);
    started.client.cancel(ids[0]);
    started.client.cancel(12345);
    REQUIRE(waitFor(started.viewed, 5));
    int cancelled = 0;
    for (const auto& answer : started.viewed) {
        cancelled += answer.wasCancelled ? 1 : 0;
        CHECK(answer.wasCancelled != answer.value.has_value());
    }
    CHECK(cancelled == 2);
}

}  // namespace engine_client_test
