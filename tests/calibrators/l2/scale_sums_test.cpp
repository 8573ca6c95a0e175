// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/l2/scale_sums.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace scale_sums_test {

using namespace calibscope;
using calibscope::test::Approx;

/// Values on a grid of eighths, half of them exactly between two levels.
std::vector<float> onBorders(std::size_t count)
{
    std::mt19937 engine(8);
    std::vector<float> values(count);
    for (float& value : values)
        value = static_cast<float>(static_cast<int>(engine() % 401) - 200) / 8.0F;
    return values;
}

ScaleSums direct(const std::vector<float>& values, double scale, const LevelRule& rule)
{
    DirectSums sums(scale, rule);
    sums.add(values);
    return sums.sums();
}

TEST_CASE("sums by hand: levels -1, 0 and 1 at the scale 2")
{
    const std::vector<float> values{3.0F, 1.0F, -0.5F, -9.0F};
    // z = 1 (clipped 1.5 -> 2 -> 1), 0 (0.5 to even), 0, -1
    const LevelRule rule{.low = -1, .high = 1};
    for (const ScaleSums& sums :
         {direct(values, 2.0, rule), SortedSums(SortedValues(values), rule).at(2.0)}) {
        CHECK(sums.xz == 12.0);
        CHECK(sums.zz == 2.0);
        CHECK(sums.error == 0.5 * (1.0 + 1.0 + 0.25 + 49.0));
    }
}

TEST_CASE("a value between two levels goes where the rounding says")
{
    const std::vector<float> values{0.5F, 1.5F, -0.5F, -1.5F};
    const auto xzOf = [&](Rounding rounding) {
        const LevelRule rule{.rounding = rounding};
        const ScaleSums sorted = SortedSums(SortedValues(values), rule).at(1.0);
        CHECK(sorted.xz == direct(values, 1.0, rule).xz);
        return sorted.xz;
    };
    CHECK(xzOf(Rounding::HalfEven) == 6.0);   // 0, 2, 0, -2
    CHECK(xzOf(Rounding::HalfAway) == 7.0);   // 1, 2, -1, -2
    CHECK(xzOf(Rounding::FloorHalf) == 5.0);  // 1, 2, 0, -1
}

TEST_CASE("sorted and direct sums have the same bits, scale after scale")
{
    for (const Rounding rounding : {Rounding::HalfEven, Rounding::HalfAway, Rounding::FloorHalf})
        for (const int high : {1, 7, 127, 2047}) {
            const LevelRule rule{.low = -high - 1, .high = high, .rounding = rounding};
            const std::vector<float> values = onBorders(5000);
            SortedSums sorted(SortedValues(values), rule);
            // Near, far, back, and so wide or narrow that one level takes all.
            for (const double scale : {0.25, 0.2500001, 1.0, 0.125, 3.0, 1e6, 1e-6, 0.3}) {
                INFO(high << " levels, scale " << scale);
                const ScaleSums bySorting = sorted.at(scale);
                const ScaleSums one = direct(values, scale, rule);
                CHECK(bySorting.xz == one.xz);
                CHECK(bySorting.zz == one.zz);
                CHECK(bySorting.error == Approx(one.error).epsilon(1e-13));
            }
        }
}

TEST_CASE("NaN and infinities enter no direct sum, and no value gives zeros")
{
    const LevelRule rule;
    const ScaleSums sums =
        direct({std::nanf(""), 2.0F, std::numeric_limits<float>::infinity()}, 1.0, rule);
    CHECK(sums.xz == 4.0);
    CHECK(sums.zz == 4.0);
    CHECK(sums.error == 0.0);
    for (const ScaleSums& none :
         {direct({}, 1.0, rule), SortedSums(SortedValues({}), rule).at(1.0)}) {
        CHECK(none.xz == 0.0);
        CHECK(none.zz == 0.0);
        CHECK(none.error == 0.0);
    }
}

}  // namespace scale_sums_test
