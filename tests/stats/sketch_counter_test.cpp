// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/magnitude_sketch.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace sketch_counter_test {

using namespace calibscope;

TEST_CASE("a sketch of kept values and one of counts are the same")
{
    std::mt19937 engine(2);
    std::normal_distribution<float> normal(0.0F, 3.0F);
    std::vector<float> values(200000);
    for (float& value : values)
        value = normal(engine);
    values[5] = 0.0F;
    values[6] = -0.0F;
    values[7] = std::nanf("");
    values[8] = std::numeric_limits<float>::infinity();
    values[9] = -1e-42F;

    SketchCounter counted;
    counted.add(values);
    MagnitudeSketch merged;
    for (std::size_t first = 0; first < values.size(); first += 1000) {
        SketchCounter kept;  // few enough to be sorted
        kept.add(std::span(values).subspan(first, 1000));
        merged += kept.sketch();
    }
    CHECK(merged == counted.sketch());
    CHECK(merged.zeros == 2);
    CHECK(merged.count() == values.size() - 2);

    SketchCounter spilled;  // kept at first, then counted
    for (std::size_t first = 0; first < values.size(); first += 1000)
        spilled.add(std::span(values).subspan(first, 1000));
    CHECK(spilled.sketch() == counted.sketch());
}

TEST_CASE("zeros of both signs, few or many, are told from the least denormal values")
{
    for (const std::size_t step : {2U, 3U, 5U, 97U}) {
        std::vector<float> values(20001, 1.5F);
        for (std::size_t index = 0; index < values.size(); ++index)
            if (index % step == 0)
                values[index] = index % (2 * step) == 0 ? 0.0F : -0.0F;
            else if (index % 7 == 1)
                values[index] = index % 4 < 2 ? 1e-45F : -3e-45F;
            else if (index % 11 == 1)
                values[index] =
                    index % 2 == 0 ? std::nanf("") : -std::numeric_limits<float>::infinity();
        SketchCounter counted;
        counted.add(values);
        MagnitudeSketch merged;
        for (std::size_t first = 0; first < values.size(); first += 1000) {
            SketchCounter sorted;  // too few to be counted
            sorted.add(std::span(values).subspan(
                first, std::min<std::size_t>(1000, values.size() - first)));
            merged += sorted.sketch();
        }
        INFO("a zero in " << step);
        CHECK(counted.sketch() == merged);
        CHECK(merged.zeros == (values.size() + step - 1) / step);
        CHECK(merged.negative.front().key == 0);
        CHECK(merged.positive.front().key == 0);
    }
}

TEST_CASE("a sketch bin holds more values than a cell of the counts")
{
    constexpr std::uint64_t times = 300;  // of 65536: more than 2^24
    std::vector<float> values(65536, 1.0F + 0x1p-11F);
    values[7] = -3.0F;
    values[8] = 0.0F;
    SketchCounter counter;
    for (std::uint64_t time = 0; time < times; ++time)
        counter.add(values);
    const MagnitudeSketch sketch = counter.sketch();
    CHECK(sketch.zeros == times);
    REQUIRE(sketch.positive.size() == 1);
    REQUIRE(sketch.negative.size() == 1);
    CHECK(sketch.positive[0].count == times * 65534);
    CHECK(sketch.positive[0].dropped == times * 65534 * 4096);  // the bit 2^-11 of 23
    CHECK(sketch.negative[0].count == times);
    CHECK(sketch.negative[0].sum() == 3.0 * times);
}

}  // namespace sketch_counter_test
