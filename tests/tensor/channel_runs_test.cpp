// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/channel_runs.h"

#include "tests/support/catch.h"

#include <string>
#include <vector>

namespace channel_runs_test {

using namespace calibscope;

TEST_CASE("an axis is counted from the front, or from behind")
{
    CHECK(axisFromFront(0, 2) == 0);
    CHECK(axisFromFront(-1, 2) == 1);
    CHECK_FALSE(axisFromFront(2, 2));
    CHECK_FALSE(axisFromFront(-3, 2));
    CHECK_FALSE(axisFromFront(0, 0));
}

TEST_CASE("runs that share a channel are visited in order, from any value on")
{
    const auto runsOf = [](const ChannelAxis& axis, std::uint64_t first, std::uint64_t count) {
        std::string text;
        forEachRun(axis, first, count,
                   [&](std::size_t channel, std::uint64_t from, std::uint64_t n) {
                       text += std::to_string(channel) + ":" + std::to_string(from) + "+" +
                               std::to_string(n) + " ";
                   });
        return text;
    };
    const ChannelAxis axis{.run = 3, .channels = 2};
    CHECK(runsOf(axis, 0, 8) == "0:0+3 1:3+3 0:6+2 ");
    CHECK(runsOf(axis, 4, 3) == "1:4+2 0:6+1 ");
    CHECK(runsOf(axis, 4, 1) == "1:4+1 ");
    CHECK(runsOf({}, 4, 3) == "0:4+3 ");
    CHECK(runsOf({.run = 0, .channels = 0}, 0, 0).empty());
}

TEST_CASE("the channels of an axis change after all values behind it")
{
    const std::vector<std::uint64_t> shape{2, 3, 5};
    CHECK(axisWithin(shape, 0).run == 15);
    CHECK(axisWithin(shape, 1).run == 5);
    CHECK(axisWithin(shape, 1).channels == 3);
    CHECK(axisWithin(shape, 2).run == 1);
}

}  // namespace channel_runs_test
