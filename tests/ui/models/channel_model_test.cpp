// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/channel_model.h"

#include "tests/support/catch.h"

#include <QAbstractItemModelTester>

namespace channel_model_test {

using namespace calibscope;

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
