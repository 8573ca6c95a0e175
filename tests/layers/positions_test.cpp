// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/positions.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <map>
#include <set>

namespace positions_test {

using namespace calibscope;

TEST_CASE("the same number of every sample is planned, one at least, and all where there are few")
{
    CHECK(layers::planPositions(16, 100, 4096, 1).isExact());
    CHECK(layers::planPositions(16, 1000, 4096, 1).perSample == 256);
    CHECK(layers::planPositions(992, 100, 4096, 1).perSample == 4);
    CHECK(layers::planPositions(5000, 100, 4096, 1).perSample == 1);
    CHECK(layers::planPositions(16, 1000, 0, 1).isExact());
    CHECK(layers::planPositions(0, 10, 4096, 1).positions() == 0);
}

TEST_CASE("drawn places are different ones, ascending, and follow from seed and sample")
{
    const layers::PositionPlan plan = layers::planPositions(4, 1000, 1200, 7);
    const std::vector<std::uint64_t> places = layers::placesOf(plan, 2);
    CHECK(places.size() == 300);
    CHECK(std::ranges::is_sorted(places));
    CHECK(std::set(places.begin(), places.end()).size() == 300);
    CHECK(places.back() < 1000);
    CHECK(places == layers::placesOf(plan, 2));
    CHECK(places != layers::placesOf(plan, 3));
    CHECK(places != layers::placesOf(layers::planPositions(4, 1000, 1200, 8), 2));
}

TEST_CASE("every place is drawn as often as others")
{
    std::map<std::uint64_t, int> counts;
    constexpr int draws = 4000;
    for (int seed = 0; seed < draws; ++seed)
        for (const std::uint64_t place :
             layers::placesOf(layers::planPositions(1, 10, 3, static_cast<std::uint64_t>(seed)), 0))
            ++counts[place];
    REQUIRE(counts.size() == 10);
    // 1200 each, with a standard deviation of sqrt(4000 x 0.3 x 0.7) = 29: within five of these.
    for (const auto& [place, count] : counts) {
        INFO(place);
        CHECK(std::abs(count - 1200) < 145);
    }
}

TEST_CASE("all places are in order")
{
    CHECK(layers::placesOf(layers::planPositions(2, 4, 0, 1), 1) ==
          std::vector<std::uint64_t>{0, 1, 2, 3});
}

}  // namespace positions_test
