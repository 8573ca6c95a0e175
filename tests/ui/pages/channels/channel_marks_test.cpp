// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/channels/channel_marks.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/support/channel_answers.h"
#include "ui/models/candidate_style.h"

#include <cmath>

namespace channel_marks_test {

using namespace calibscope;
using Channels = std::vector<std::size_t>;

ChannelScalesAnswer answerOf(const char* id, const std::vector<double>& absMax)
{
    protocol::ViewRequest request;
    request.choices.assign(
        2, makeChoice(id, {}, SchemeKind::SymmetricRestricted, Granularity::Channel));
    request.choices[1].granularity = Granularity::Tensor;
    const protocol::TensorView view = test::channelsView(request, absMax);
    return {.perChannel = view.outcomes[0], .perTensor = view.outcomes[1]};
}

TEST_CASE("both calibrators are rows of scales in the same order, a dead channel has none")
{
    const ChannelScalesAnswer first = answerOf("min-max", {4.0, 0.0, 1.0});
    const ChannelScalesAnswer second = answerOf("l2", {3.0, 0.0, 1.0});
    const ChannelFacts facts = channelFacts(*first.perChannel, &*first.perTensor);
    const ScaleRowsMark mark =
        scaleRows(facts, {&first, &second}, ChannelOrder::Scale, lightChartColors());
    REQUIRE(mark.rows.size() == 2);
    CHECK(mark.order == Channels{2, 0, 1});
    CHECK(mark.rows[0].label.toStdString() == "Min-max");
    CHECK(mark.rows[0].scales[0] == 4.0 / 127.0);
    CHECK(std::isnan(mark.rows[0].scales[1]));
    CHECK(mark.rows[0].tensorScale == 4.0 / 127.0);
    CHECK(mark.rows[1].isHollow);
    CHECK(mark.median == test::Approx(2.5 / 127.0));
    CHECK(scaleRows(facts, {&first, &first}, ChannelOrder::Index, lightChartColors()).order ==
          Channels{0, 1, 2});
}

TEST_CASE("a calibrator that has no answer is left out")
{
    const ChannelScalesAnswer first = answerOf("min-max", {4.0, 1.0});
    ChannelScalesAnswer failed = answerOf("l2", {4.0, 1.0});
    failed.perChannel->problem = "no";
    const ChannelScalesAnswer none;
    const ChannelFacts facts = channelFacts(*first.perChannel, nullptr);
    for (const ChannelScalesAnswer* other :
         std::initializer_list<const ChannelScalesAnswer*>{&failed, &none}) {
        CHECK(scaleRows(facts, {&first, other}, ChannelOrder::Index, lightChartColors())
                  .rows.size() == 1);
        CHECK(channelThresholds(0, {&first, other}, lightChartColors()).size() == 2);
    }
}

TEST_CASE("a channel's histogram shows its own clip ranges and that of the tensor")
{
    const ChannelScalesAnswer first = answerOf("min-max", {4.0, 1.0});
    const ChannelScalesAnswer second = answerOf("l2", {3.0, 0.9});
    const auto marks = channelThresholds(1, {&first, &second}, lightChartColors());
    REQUIRE(marks.size() == 3);
    CHECK(marks[0].clip.high == 1.0);
    CHECK(marks[1].clip.high == 0.9);
    CHECK(marks[2].clip.high == 4.0);
    CHECK(channelThresholds(7, {&first, &second}, lightChartColors()).size() == 1);
}

TEST_CASE("a click chooses a channel alone, with Shift it joins the others or leaves them")
{
    CHECK(withClicked({}, 3, false) == Channels{3});
    CHECK(withClicked({1, 2}, 3, false) == Channels{3});
    CHECK(withClicked({3}, 3, false).empty());
    CHECK(withClicked({1, 3}, 3, false) == Channels{3});
    CHECK(withClicked({1}, 3, true) == Channels{1, 3});
    CHECK(withClicked({1, 3}, 1, true) == Channels{3});
}

TEST_CASE("why there are no channels is told, and what to do about it")
{
    CHECK(whyNoChannels(nullptr)->title.toStdString() == "No tensor");
    const TensorInfo plain{.name = "p", .shape = {8, 4}};
    CHECK_FALSE(whyNoChannels(&plain)->button.isEmpty());
    const TensorInfo odd{.name = "o", .unreadable = "no plugin"};
    CHECK(whyNoChannels(&odd)->sentence.toStdString() == "no plugin");
    const TensorInfo good{.name = "g", .shape = {8, 4}, .channelAxis = 1};
    CHECK_FALSE(whyNoChannels(&good));
}

TEST_CASE("tensors without a scale to show are told in words")
{
    CHECK(nothingToShow({.finite = 3, .min = -1.0, .max = 2.0}).isEmpty());
    CHECK_THAT(nothingToShow({.nan = 7}).toStdString(), test::containsText("None of its 7"));
    CHECK_THAT(nothingToShow({.finite = 9, .zeros = 9}).toStdString(),
               test::containsText("All its 9 finite values are zero"));
    CHECK_FALSE(nothingToShow({}).isEmpty());
}

TEST_CASE("a calibrator has the colour that it has elsewhere, two never the same")
{
    for (const ChartColors* colors : {&lightChartColors(), &darkChartColors()}) {
        const auto styles = channelRowStyles({"min-max", "entropy"}, *colors);
        CHECK(styles[0].color == candidateStyle("min-max", *colors).color);
        CHECK(styles[1].color == candidateStyle("entropy", *colors).color);
        for (const Calibrator& first : calibrators())
            for (const Calibrator& second : calibrators()) {
                const auto both =
                    channelRowStyles({std::string(first.id), std::string(second.id)}, *colors);
                CHECK(both[0].color != both[1].color);
                CHECK(both[0].pen != both[1].pen);
            }
    }
}

}  // namespace channel_marks_test
