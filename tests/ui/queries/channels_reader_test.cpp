// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/channels_reader.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/support/channel_answers.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>

namespace channels_reader_test {

using namespace calibscope;
using calibscope::test::channelsView;
using calibscope::test::evenStrip;
using calibscope::test::FakeEngine;

Choice choiceOf(const char* id)
{
    return makeChoice(id, {}, SchemeKind::SymmetricRestricted, Granularity::Channel);
}

struct Reading
{
    FakeEngine engine;
    TensorQuestions questions{engine};
    ChannelsReader reader{questions};
    ChannelsQuestion question{.tensor = {.file = "a.h5", .index = 2},
                              .channels = 3,
                              .choices = {choiceOf("min-max"), choiceOf("l2")}};

    void answerView()
    {
        FakeEngine::answer(engine.views, channelsView(engine.views.front().request, {1, 2, 0}));
    }
};

TEST_CASE("scales of both calibrators and the strip are asked for, the first ones first")
{
    Reading reading;
    reading.reader.show(reading.question);
    REQUIRE(reading.engine.views.size() == 2);
    REQUIRE(reading.engine.strips.size() == 1);
    CHECK(reading.engine.views[0].id < reading.engine.strips[0].id);
    CHECK(reading.engine.strips[0].id < reading.engine.views[1].id);
    const protocol::ViewRequest& request = reading.engine.views[0].request;
    CHECK(request.tensor.index == 2);
    CHECK_FALSE(request.curves);
    CHECK(request.exactMetrics);
    REQUIRE(request.choices.size() == 2);
    CHECK(request.choices[0].granularity == Granularity::Channel);
    CHECK(request.choices[1].granularity == Granularity::Tensor);
    CHECK(reading.reader.scales(0).isPending);

    reading.answerView();
    CHECK_FALSE(reading.reader.scales(0).isPending);
    CHECK(reading.reader.scales(0).perChannel->channels.size() == 3);
    CHECK(reading.reader.scales(0).perTensor->channels.empty());
    CHECK(reading.reader.scales(1).isPending);
    FakeEngine::answer(reading.engine.strips, evenStrip(reading.engine.strips.front().request, 3));
    CHECK(reading.reader.strip().result()->rows == 3);
    reading.answerView();
    CHECK(reading.questions.isIdle());
}

TEST_CASE("the same question asks nothing, another calibrator only for its own scales")
{
    Reading reading;
    reading.reader.show(reading.question);
    reading.answerView();
    reading.answerView();
    FakeEngine::answer(reading.engine.strips, evenStrip(reading.engine.strips.front().request, 3));
    reading.reader.show(reading.question);
    CHECK(reading.questions.isIdle());
    reading.question.choices[1] = choiceOf("entropy");
    reading.reader.show(reading.question);
    REQUIRE(reading.engine.views.size() == 1);
    CHECK(reading.engine.views[0].request.choices[0].calibrator == "entropy");
    CHECK(reading.engine.strips.empty());
    CHECK(reading.reader.scales(0).perChannel);
    reading.question.choices[1].reset();
    reading.reader.show(reading.question);
    CHECK(reading.engine.cancelled.size() == 1);
    CHECK_FALSE(reading.reader.scales(1).isPending);
    CHECK(reading.questions.isIdle());
}

TEST_CASE("another tensor drops what was being read and forgets the rest")
{
    Reading reading;
    reading.reader.show(reading.question);
    reading.answerView();
    reading.question.tensor.index = 5;
    reading.reader.show(reading.question);
    CHECK(reading.engine.cancelled.size() == 2);
    CHECK_FALSE(reading.reader.scales(0).perChannel);
    CHECK(reading.reader.strip().result() == nullptr);
}

TEST_CASE("a channel is read in full once, in the shown domain")
{
    Reading reading;
    reading.question.domain = Domain::Signed;
    reading.reader.show(reading.question);
    const QSignalSpy read(&reading.reader, &ChannelsReader::histogramRead);
    reading.reader.look({1});
    const protocol::ViewRequest request = reading.engine.views.back().request;
    CHECK(request.tensor.part.channel == 1U);
    CHECK(request.choices.empty());
    REQUIRE(request.histograms.size() == 1);
    CHECK(request.histograms[0].domain == Domain::Signed);
    reading.reader.look({2, 3});  // the latest wins
    CHECK(reading.engine.cancelled.size() == 1);
    protocol::TensorView view;
    view.profile.histograms = {
        {.spec = request.histograms[0], .high = 1.0, .counts = {4}, .notes = {}}};
    reading.engine.views.back().handler({.value = view});
    CHECK(read.size() == 1);
    REQUIRE(reading.reader.histogram(2));
    CHECK(reading.reader.histogram(2)->counts.front() == 4);
    CHECK(reading.reader.histogram(1) == nullptr);
    CHECK(reading.engine.views.back().request.tensor.part.channel == 3U);
    const std::size_t asked = reading.engine.views.size();
    reading.reader.look({2});
    CHECK(reading.engine.views.size() == asked);
}

TEST_CASE("what can't be read is a problem in words")
{
    Reading reading;
    reading.reader.show(reading.question);
    FakeEngine::fail(reading.engine.views, "the filter is missing");
    FakeEngine::fail(reading.engine.strips, "the filter is missing");
    CHECK(reading.reader.scales(0).perChannel->problem == "the filter is missing");
    CHECK(reading.reader.strip().problem() == "the filter is missing");
    CHECK(reading.reader.strip().result() == nullptr);
}

TEST_CASE("a strip has as many columns as a pixel can show and a window can hold")
{
    CHECK(ChannelsReader::stripColumns(0) == 1024);
    CHECK(ChannelsReader::stripColumns(384) == 1024);
    CHECK(ChannelsReader::stripColumns(4096) == 512);
    CHECK(ChannelsReader::stripColumns(6625) == 316);
    CHECK(ChannelsReader::stripColumns(1000000) == 256);
}

}  // namespace channels_reader_test
