// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/channel_model.h"

#include "tests/support/catch.h"

#include <QAbstractItemModelTester>

#include <limits>
#include <vector>

namespace channel_model_test {

using namespace calibscope;
using calibscope::test::Approx;

/// Min-max scales (8 bits, symmetric) of channels with these largest magnitudes.
Outcome perChannel(const std::vector<double>& absMax)
{
    Outcome outcome;
    for (const double largest : absMax) {
        ScaleRow row;
        row.quantizer.scale = largest > 0.0 ? largest / 127.0 : 1.0;
        row.extents = {.finite = 10, .min = -largest, .max = largest / 2.0};
        outcome.channels.push_back(row);
    }
    return outcome;
}

Outcome perTensor(double threshold)
{
    Outcome outcome;
    outcome.whole.quantizer = {.scale = threshold / 127.0, .clip = {-threshold, threshold}};
    return outcome;
}

using Places = std::vector<std::size_t>;

TEST_CASE("a channel is an outlier beyond three times the median scale, or below its third")
{
    const ChannelFacts facts = channelFacts(perChannel({1.0, 3.0, 3.1, 1.0, 0.3, 1.0}), nullptr);
    CHECK(facts.median == Approx(1.0 / 127.0));
    CHECK(facts.channels[1].state == ChannelState::Plain);
    CHECK(facts.channels[2].state == ChannelState::Outlier);
    CHECK(facts.channels[4].state == ChannelState::Outlier);
    CHECK(facts.channels[2].timesMedian == Approx(3.1));
    CHECK(facts.countOf(ChannelState::Outlier) == 2);
    CHECK_FALSE(facts.tensorScale);
    CHECK_FALSE(facts.channels[0].levelsKept);
}

TEST_CASE(
    "dead channels and those without a finite value are told apart, and no median counts them")
{
    Outcome outcome = perChannel({0.0, 2.0, 4.0, 0.0});
    outcome.channels[3].extents = {.nan = 7};
    const ChannelFacts facts = channelFacts(outcome, nullptr);
    CHECK(facts.channels[0].state == ChannelState::Dead);
    CHECK(facts.channels[3].state == ChannelState::NoValue);
    CHECK(facts.median == Approx(3.0 / 127.0));  // between the two
    CHECK(facts.spreadBits() == Approx(1.0));
    CHECK(facts.channels[0].timesMedian == 0.0);

    const ChannelFacts none = channelFacts(perChannel({0.0, 0.0}), nullptr);
    CHECK(none.median == 0.0);
    CHECK(none.spreadBits() == 0.0);
    CHECK(channelFacts(Outcome{}, nullptr).channels.empty());
}

TEST_CASE("the levels that one scale for the tensor leaves a channel are counted from its ends")
{
    // Under 127 / 127 = 1: -127 to 64 (63.5 to even), -4 to 2, -0.4 to 0.2, none.
    const Outcome tensor = perTensor(127.0);
    const ChannelFacts facts = channelFacts(perChannel({127.0, 4.0, 0.4, 0.0}), &tensor);
    CHECK(facts.tensorScale == 1.0);
    CHECK(facts.channels[0].levelsKept == 127U + 64U + 1U);
    CHECK(facts.channels[1].levelsKept == 4U + 2U + 1U);
    CHECK(facts.channels[2].levelsKept == 1U);
    CHECK(facts.channels[3].levelsKept == 1U);
    CHECK(facts.countBelow(8) == 2);  // the dead one is not counted
    CHECK(facts.countBelow(7) == 1);
}

TEST_CASE("a tensor's outcome with a problem gives no levels")
{
    Outcome tensor = perTensor(127.0);
    tensor.problem = "it needs the values";
    const ChannelFacts facts = channelFacts(perChannel({1.0}), &tensor);
    CHECK_FALSE(facts.tensorScale);
    CHECK_FALSE(facts.channels[0].levelsKept);
}

TEST_CASE("channels are ordered by index, by scale, or the oddest first")
{
    Outcome outcome = perChannel({1.0, 9.0, 0.0, 1.2, 1.0, 0.1, 1.1});
    outcome.channels[4].extents = {.nan = 3};
    const ChannelFacts facts = channelFacts(outcome, nullptr);
    CHECK(channelOrder(facts, ChannelOrder::Index) == Places{0, 1, 2, 3, 4, 5, 6});
    // Scales: a dead channel's is 1, by far the greatest.
    CHECK(channelOrder(facts, ChannelOrder::Scale) == Places{5, 0, 4, 6, 3, 1, 2});
    CHECK(channelOrder(facts, ChannelOrder::State) == Places{4, 2, 5, 1, 0, 6, 3});
}

TEST_CASE("a channel below one step of the tensor's scale is effectively dead")
{
    const Outcome tensor = perTensor(4.0);  // a step is 4 / 127
    const ChannelFacts facts =
        channelFacts(perChannel({4.0, 3.0, 1e-15, 4.0 / 128.0, 4.0 / 126.0, 0.0}), &tensor);
    CHECK(facts.channels[2].state == ChannelState::BelowStep);
    CHECK(facts.channels[3].state == ChannelState::BelowStep);
    CHECK(facts.channels[4].state == ChannelState::Outlier);
    CHECK(facts.channels[5].state == ChannelState::Dead);
    CHECK(facts.countOf(ChannelState::BelowStep) == 2);
    // Neither decides what is usual, nor how far the scales are spread.
    CHECK(facts.median == Approx(3.0 / 127.0));
    CHECK(facts.leastScale == Approx(4.0 / 126.0 / 127.0));
}

/// Under one scale of 1: an outlier, three plain ones, a dead one, one without a value.
std::shared_ptr<const ChannelFacts> someFacts()
{
    const auto fact = [](double largest, double timesMedian, ChannelState state,
                         std::uint64_t levels) {
        return ChannelFact{.scale = largest > 0.0 ? largest / 127.0 : 1.0,
                           .timesMedian = timesMedian,
                           .state = state,
                           .levelsKept = levels,
                           .extents = {.finite = 10, .min = -largest, .max = largest}};
    };
    ChannelFacts facts;
    facts.channels = {
        fact(127.0, 12.7, ChannelState::Outlier, 255), fact(10.0, 1.0, ChannelState::Plain, 21),
        fact(9.0, 0.9, ChannelState::Plain, 19),       fact(4.0, 0.4, ChannelState::Plain, 9),
        fact(0.0, 0.0, ChannelState::Dead, 1),         fact(0.0, 0.0, ChannelState::NoValue, 0)};
    facts.channels[5].extents = {.nan = 4};
    return std::make_shared<const ChannelFacts>(facts);
}

std::string cell(const ChannelModel& model, int row, int column)
{
    return model.data(model.index(row, column), Qt::DisplayRole).toString().toStdString();
}

TEST_CASE("channels are listed with scale, share of the median and levels kept")
{
    ChannelModel model;
    const QAbstractItemModelTester tester(&model);
    model.setFacts(someFacts());
    CHECK(model.rowCount() == 6);
    CHECK(cell(model, 0, ChannelModel::Channel) == "0");
    CHECK(cell(model, 0, ChannelModel::Scale) == "1");
    CHECK(cell(model, 0, ChannelModel::TimesMedian) == "×12.7");
    CHECK(cell(model, 3, ChannelModel::Levels) == "9");
    CHECK(cell(model, 3, ChannelModel::Bits) == "3.2");
    CHECK(cell(model, 4, ChannelModel::Scale) == "dead");
    CHECK(cell(model, 4, ChannelModel::Levels).empty());
    CHECK(cell(model, 5, ChannelModel::Scale) == "no value");
}

TEST_CASE("outliers, dead channels and those that keep few levels are counted and listed alone")
{
    ChannelModel model;
    const QAbstractItemModelTester tester(&model);
    model.setFacts(someFacts());
    model.setFilter(ChannelFilter::FewLevels, 20);
    CHECK(model.countOf(ChannelFilter::All) == 6);
    CHECK(model.countOf(ChannelFilter::Outliers) == 1);
    CHECK(model.countOf(ChannelFilter::Dead) == 2);
    CHECK(model.countOf(ChannelFilter::FewLevels) == 2);
    REQUIRE(model.rowCount() == 2);
    CHECK(model.channelAt(0) == 2);
    CHECK(model.channelAt(1) == 3);
    CHECK(model.rowOf(3) == 1);
    CHECK_FALSE(model.rowOf(0));
    model.setFilter(ChannelFilter::Dead, 20);
    CHECK(model.rowCount() == 2);
}

TEST_CASE("channels are sorted by a column, in either order, and stay so when the facts change")
{
    ChannelModel model;
    const QAbstractItemModelTester tester(&model);
    model.setFacts(someFacts());
    model.sort(ChannelModel::Levels, Qt::AscendingOrder);
    CHECK(model.channelAt(0) == 5);
    CHECK(model.channelAt(5) == 0);
    model.sort(ChannelModel::TimesMedian, Qt::DescendingOrder);
    CHECK(model.channelAt(0) == 0);
    model.setFacts(someFacts());
    CHECK(model.channelAt(1) == 1);
}

}  // namespace channel_model_test
