// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/arrangement.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <set>
#include <vector>

namespace arrangement_test {

using namespace calibscope;
using namespace calibscope::samples;

using Units = std::vector<std::uint32_t>;

const Units sixInThree = {0, 0, 1, 1, 2, 2};  // six samples, two in each batch

TEST_CASE("the numbers of draws are those of SplitMix64")
{
    // The first outputs of the published generator (Vigna, splitmix64.c) from state 0, whose state
    // grows by the constant that mixed() adds.
    CHECK(mixed(0) == 0xe220a8397b1dcdafU);
    CHECK(mixed(0x9e3779b97f4a7c15U) == 0x6e789e6aa1b965f4U);
    CHECK(drawnNumber(1, 2, 3, 4) == mixed(mixed(mixed(mixed(1) + 2) + 3) + 4));
}

TEST_CASE("the first units keep the recorded batches")
{
    const Arrangement first = unitsFrom(sixInThree, 0, 3);
    CHECK(first.units == Units{0, 1, 2});
    CHECK(first.batches == Units{0, 0, 1});
    CHECK(unitsFrom(sixInThree, 0, 7).units.size() == 6);
    CHECK(first.weights(4) == Units{1, 1, 1, 0});
}

TEST_CASE("units that are left out leave their batches to the others")
{
    const Arrangement others = withoutUnits(sixInThree, 1, 3);
    CHECK(others.units == Units{0, 4, 5});
    CHECK(others.batches == Units{0, 2, 2});
}

TEST_CASE("a shuffle moves whole batches, and every order comes")
{
    std::set<Units> orders;
    for (std::uint64_t shuffle = 0; shuffle < 100; ++shuffle) {
        const Arrangement shuffled = shuffledBatches(sixInThree, 1, shuffle);
        REQUIRE(shuffled.batches == sixInThree);
        for (const std::size_t first : {0U, 2U, 4U}) {
            CHECK(shuffled.units[first] % 2 == 0);
            CHECK(shuffled.units[first + 1] == shuffled.units[first] + 1);
        }
        orders.insert(shuffled.units);
    }
    CHECK(orders.size() == 6);
    CHECK(shuffledBatches(sixInThree, 1, 5) == shuffledBatches(sixInThree, 1, 5));
}

TEST_CASE("draws take every unit about equally often, in batches as large as recorded")
{
    Units taken(6);
    for (std::uint64_t draw = 0; draw < 2000; ++draw) {
        const Arrangement drawn = drawnUnits(sixInThree, 3, 7, draw);
        REQUIRE(drawn.batches == Units{0, 0, 1});
        for (const std::uint32_t unit : drawn.units)
            ++taken.at(unit);
    }
    for (const std::uint32_t count : taken)
        CHECK(std::abs(static_cast<int>(count) - 1000) < 145);  // five deviations of 28.9
    CHECK(drawnUnits(sixInThree, 3, 7, 1).units != drawnUnits(sixInThree, 3, 8, 1).units);
}

TEST_CASE("a curve has all points up to 32, and no more than these beyond, with its ends")
{
    CHECK(curvePoints(1) == std::vector<std::size_t>{1});
    CHECK(curvePoints(32).size() == 32);
    for (const std::size_t units : {33U, 62U, 1000U, 100000U}) {
        const std::vector<std::size_t> points = curvePoints(units);
        CHECK(points.size() <= 32);
        CHECK(points.front() == 1);
        CHECK(points.back() == units);
        CHECK(std::ranges::adjacent_find(points, std::ranges::greater_equal{}) == points.end());
    }
    CHECK(std::ranges::count(curvePoints(1000, {333}), 333) == 1);
}

TEST_CASE("bands stand at halves")
{
    CHECK(bandPoints(1).empty());
    CHECK(bandPoints(2) == std::vector<std::size_t>{2});
    CHECK(bandPoints(16) == std::vector<std::size_t>{2, 4, 8, 16});
    CHECK(bandPoints(62) == std::vector<std::size_t>{2, 4, 8, 16, 31, 62});
}

}  // namespace arrangement_test
