// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/magnitude_sketch.h"

#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace magnitude_sketch_test {

using namespace calibscope;
using namespace calibscope::test;

/// Magnitudes from 1e-12 to 1e12, both signs, some zeros.
std::vector<float> wide(std::size_t count, unsigned seed)
{
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> exponent(-12.0F, 12.0F);
    std::vector<float> values(count);
    for (std::size_t index = 0; index < count; ++index)
        values[index] = index % 17 == 0
                            ? 0.0F
                            : std::pow(10.0F, exponent(engine)) * (index % 3 == 0 ? -1.0F : 1.0F);
    return values;
}

TEST_CASE("a sketch of nothing, of NaN and infinities holds nothing")
{
    const float inf = std::numeric_limits<float>::infinity();
    CHECK(sketchOf({}) == MagnitudeSketch{});
    CHECK(sketchOf({std::nanf(""), -std::nanf(""), inf, -inf}) == MagnitudeSketch{});
    CHECK(MagnitudeSketch{}.magnitudeAt(0) == 0.0);
}

TEST_CASE("zeros, negative and positive values are kept apart")
{
    const MagnitudeSketch sketch = sketchOf({0.0F, -0.0F, -2.0F, -2.0F, 2.0F, 3.0F});
    CHECK(sketch.zeros == 2);
    REQUIRE(sketch.negative.size() == 1);
    CHECK(sketch.negative.front().count == 2);
    CHECK(sketch.negative.front().lowEdge() == 2.0);
    REQUIRE(sketch.positive.size() == 2);
    CHECK(sketch.positive.back().lowEdge() == 3.0);
    CHECK(sketch.count() == 6);
    REQUIRE(sketch.magnitudes().size() == 2);
    CHECK(sketch.magnitudes().front().count == 3);
}

TEST_CASE("a bin holds its low edge and not the next one's, and is 2^-10 wide at most")
{
    const float next = std::nextafter(1.0F + 0x1p-10F, 0.0F);
    const MagnitudeSketch sketch = sketchOf({1.0F, next, 1.0F + 0x1p-10F});
    REQUIRE(sketch.positive.size() == 2);
    CHECK(sketch.positive[0].count == 2);
    CHECK(sketch.positive[0].lowEdge() == 1.0);
    CHECK(sketch.positive[0].highEdge() == 1.0 + 0x1p-10);
    CHECK(sketch.positive[1].lowEdge() == 1.0 + 0x1p-10);
}

TEST_CASE("the sum of a bin is exact, so is the mean of equal values")
{
    const MagnitudeSketch pair = sketchOf({1.0001F, 1.0003F});
    REQUIRE(pair.positive.size() == 1);
    CHECK(pair.positive.front().sum() ==
          static_cast<double>(1.0001F) + static_cast<double>(1.0003F));
    for (const float value : {0.1F, 3e-40F, 1e-45F, 3.4e38F, 7.77F}) {
        const MagnitudeSketch sketch = sketchOf(std::vector<float>(1000, value));
        REQUIRE(sketch.positive.size() == 1);
        CHECK(sketch.positive.front().mean() == Approx(static_cast<double>(value)).epsilon(1e-15));
    }
}

TEST_CASE("every value lies between the edges of its bin, subnormals and the largest too")
{
    for (const float value : {1e-45F, 5e-42F, 1.1754942e-38F, 1.17549435e-38F, 3.4028235e38F}) {
        const SketchBin bin = sketchOf({value}).positive.front();
        CHECK(bin.lowEdge() <= static_cast<double>(value));
        CHECK(static_cast<double>(value) < bin.highEdge());
    }
}

TEST_CASE("ranks are found in the bin that holds the sorted value")
{
    const std::vector<float> values = wide(4000, 8);
    const MagnitudeSketch sketch = sketchOf(values);
    std::vector<float> ordered;
    for (const float value : values)
        ordered.push_back(std::abs(value));
    std::ranges::sort(ordered);
    std::uint32_t key = 0;
    std::uint64_t inBin = 0;
    for (std::uint64_t rank = 0; rank < ordered.size(); ++rank) {
        const auto place = sketch.placeOfMagnitude(rank);
        REQUIRE(place.has_value() == (ordered[rank] > 0.0F));
        if (!place)
            continue;
        inBin = place->key == key ? inBin + 1 : 0;
        key = place->key;
        const SketchBin bin{.key = place->key, .count = 1, .dropped = 0};
        const auto value = static_cast<double>(ordered[rank]);
        if (place->rankInBin != inBin || value < bin.lowEdge() || value >= bin.highEdge())
            FAIL("rank " << rank << " is not where its value lies");
        if (std::abs(sketch.magnitudeAt(rank) - value) > value * 0x1p-10)
            FAIL("the estimate of rank " << rank << " is more than 2^-10 off");
    }
}

TEST_CASE("sketches of parts merge into that of the whole, in any order")
{
    const std::vector<float> values = wide(3000, 9);
    const MagnitudeSketch whole = sketchOf(values);
    const std::vector<float> first(values.begin(), values.begin() + 1234);
    const std::vector<float> second(values.begin() + 1234, values.end());
    MagnitudeSketch forwards = sketchOf(first);
    forwards += sketchOf(second);
    MagnitudeSketch backwards = sketchOf(second);
    backwards += sketchOf(first);
    CHECK(forwards == whole);
    CHECK(backwards == whole);
    forwards += MagnitudeSketch{};
    CHECK(forwards == whole);
}

TEST_CASE("how far the values of a bin may lie apart follows from their number and sum")
{
    const float unit = 0x1p-23F;
    const double wide = static_cast<double>(unit);
    // One value, values at the low edge, values at the high end: nothing is open.
    CHECK(sketchOf({1.0F + 5.0F * unit}).positive.front().spread(4.0).scatter == 0.0);
    const SketchSpread atLow = sketchOf({1.0F, 1.0F, 1.0F}).positive.front().spread(4.0);
    CHECK(atLow.scatter == 0.0);
    CHECK(atLow.high == 1.0);
    const float top = 1.0F + 8191.0F * unit;
    const SketchSpread atTop = sketchOf({top, top}).positive.front().spread(4.0);
    CHECK(atTop.scatter == 0.0);
    CHECK(atTop.high == static_cast<double>(top));
    // Offsets 4 and 6: most with 0 and 10, or, where nothing is above 7, with 3 and 7.
    const SketchBin pair = sketchOf({1.0F + 4.0F * unit, 1.0F + 6.0F * unit}).positive.front();
    CHECK(pair.spread(4.0).scatter == Approx(50.0 * wide * wide));
    CHECK(pair.spread(4.0).high == static_cast<double>(top));
    CHECK(pair.spread(1.0 + 7.0 * wide).scatter == Approx(8.0 * wide * wide));
    CHECK(pair.spread(1.0 + 7.0 * wide).high == 1.0 + 7.0 * wide);
}

TEST_CASE("no values scatter more than their bin admits")
{
    std::mt19937 engine(9);
    std::uniform_int_distribution<int> offset(0, 8191);
    for (int round = 0; round < 500; ++round) {
        std::vector<float> values;
        double sum = 0.0;
        for (int index = 0; index < 2 + round % 7; ++index) {
            const int ends = offset(engine) % 3;
            const int place = ends == 0 ? 0 : ends == 1 ? 8191 : offset(engine);
            values.push_back(0.375F + static_cast<float>(place) * 0x1p-25F);
            sum += static_cast<double>(values.back());
        }
        const double mean = sum / static_cast<double>(values.size());
        double scatter = 0.0;
        for (const float value : values)
            scatter += std::pow(static_cast<double>(value) - mean, 2);
        const MagnitudeSketch sketch = sketchOf(values);
        REQUIRE(sketch.positive.size() == 1);
        CHECK(scatter <= sketch.positive.front().spread(1.0).scatter * (1.0 + 1e-9));
    }
}

}  // namespace magnitude_sketch_test
