// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/spread_bounds.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace spread_bounds_test {

using namespace calibscope;
using calibscope::test::Approx;

/// Levels at the whole numbers from -3 to 3; clipped beyond 3.
Quantizer wholeNumbers()
{
    return makeQuantizer({.bits = 3}, {.threshold = 3.0}).quantizer;
}

ValueSpread spreadOf(double low, double high, double mean, double count)
{
    return {.low = low,
            .high = high,
            .mean = mean,
            .count = count,
            .scatter = count * (mean - low) * (high - mean)};
}

double squaredError(const std::vector<double>& values, const Quantizer& quantizer)
{
    double sum = 0.0;
    for (const double value : values)
        sum += std::pow(value - quantizer.fakeQuantize(value), 2);
    return sum;
}

TEST_CASE("in one cell the error lies between that of the mean and of values at the ends")
{
    // Ten values from 1.1 to 1.4 around 1.2: least if all are 1.2, most if a third are 1.4.
    const SpreadBounds bounds = spreadBounds(spreadOf(1.1, 1.4, 1.2, 10.0), wholeNumbers());
    CHECK(bounds.squaredError.low == Approx(10 * 0.04));
    CHECK(bounds.squaredError.high == Approx(10 * (0.01 * 2 + 0.16) / 3));
    CHECK(bounds.squaredRounding == bounds.squaredError);
    CHECK(bounds.squaredClipping == Range{});
    CHECK(bounds.maxError.low == Approx(0.2));
    CHECK(bounds.maxError.high == Approx(0.4));
    CHECK(bounds.sumSquaresQuantized.low == Approx(10.0));
    CHECK(bounds.sumSquaresQuantized.high == Approx(10.0));
    CHECK(bounds.firstLevel == 1);
    CHECK(bounds.lastLevel == 1);
}

TEST_CASE("over the border of two cells the error has a peak")
{
    // From 1.4 to 1.6, the peak of 0.25 at 1.5 and 0.16 at both ends.
    const SpreadBounds bounds = spreadBounds(spreadOf(1.4, 1.6, 1.5, 4.0), wholeNumbers());
    CHECK(bounds.squaredError.low == Approx(4 * 0.16));
    CHECK(bounds.squaredError.high == Approx(4 * 0.25));
    CHECK(bounds.maxError.high == Approx(0.5));
    // None to all of them above the border, but for the mean: half at least could be 1.5 itself.
    CHECK(bounds.sumSquaresQuantized.low == Approx(4.0));
    CHECK(bounds.sumSquaresQuantized.high == Approx(16.0));
}

TEST_CASE("over several cells nothing is certain but the highest error")
{
    const SpreadBounds bounds = spreadBounds(spreadOf(-1.7, 2.2, 0.3, 5.0), wholeNumbers());
    CHECK(bounds.squaredError.low == 0.0);
    CHECK(bounds.squaredError.high == Approx(5 * 0.25));
    CHECK(bounds.firstLevel == -2);
    CHECK(bounds.lastLevel == 2);
    CHECK(bounds.sumSquaresQuantized == Range{0.0, 20.0});
}

TEST_CASE("the mean limits how many values are clipped")
{
    // From 2.9 to 3.3 around 3.0: one in four at least may be all that is clipped, or none.
    const SpreadBounds bounds = spreadBounds(spreadOf(2.9, 3.3, 3.05, 8.0), wholeNumbers());
    CHECK(bounds.clipped.low == 2.0);  // 8 (3.05 - 3) / (3.3 - 3) = 1.3
    CHECK(bounds.clipped.high == 8.0);
    const SpreadBounds below = spreadBounds(spreadOf(-3.3, -2.9, -2.95, 8.0), wholeNumbers());
    CHECK(below.clipped.low == 0.0);
    CHECK(below.clipped.high == 4.0);  // 8 (2.95 - 2.9) / (3 - 2.9)
    CHECK(below.squaredClipping.low == 0.0);
    CHECK(below.squaredClipping.high <= below.squaredError.high);
}

TEST_CASE("no set of values leaves its bounds")
{
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> place(-4.5, 4.5);
    std::uniform_real_distribution<double> logWidth(-3.0, 1.0);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    constexpr double rounding = 1e-12;
    for (const SchemeKind kind : {SchemeKind::SymmetricRestricted, SchemeKind::AffineReal})
        for (int round = 0; round < 20000; ++round) {
            const double low = place(engine);
            const double width = std::pow(10.0, logWidth(engine));
            std::vector<double> values(2 + static_cast<std::size_t>(4.0 * unit(engine)));
            double sum = 0.0;
            for (double& value : values) {
                const double share = unit(engine);  // often at an end
                value = low + width * std::clamp(1.6 * share - 0.3, 0.0, 1.0);
                sum += value;
            }
            const auto count = static_cast<double>(values.size());
            const Quantizer quantizer =
                kind == SchemeKind::AffineReal
                    ? makeQuantizer({.kind = kind, .bits = 3}, {.range = Range{-2.3, 3.1}})
                          .quantizer
                    : wholeNumbers();
            const ValueSpread spread =
                spreadOf(low, low + width, std::clamp(sum / count, low, low + width), count);
            const SpreadBounds bounds = spreadBounds(spread, quantizer);
            const double error = squaredError(values, quantizer);
            const auto clipped =
                std::ranges::count_if(values, [&](double value) { return quantizer.clips(value); });
            double largest = 0.0;
            double squares = 0.0;
            double clipping = 0.0;
            for (const double value : values) {
                const double quantized = quantizer.fakeQuantize(value);
                largest = std::max(largest, std::abs(value - quantized));
                squares += quantized * quantized;
                clipping += quantizer.clips(value) ? std::pow(value - quantized, 2) : 0.0;
            }
            const auto holds = [](const Range& range, double value) {
                return value >= range.low - rounding && value <= range.high + rounding;
            };
            INFO(low << " " << width << " " << values.size());
            REQUIRE(holds(bounds.squaredError, error));
            REQUIRE(holds(bounds.clipped, static_cast<double>(clipped)));
            REQUIRE(holds(bounds.maxError, largest));
            REQUIRE(holds(bounds.sumSquaresQuantized, squares));
            REQUIRE(holds(bounds.squaredClipping, clipping));
            REQUIRE(holds(bounds.squaredRounding, error - clipping));
        }
}

}  // namespace spread_bounds_test
