// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <random>

namespace mse_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::calibrated;

std::vector<float> laplace(std::size_t count, bool isPositive)
{
    std::mt19937 engine(17);
    std::exponential_distribution<float> exponential(1.0F);
    std::vector<float> values(count);
    for (std::size_t index = 0; index < count; ++index)
        values[index] = exponential(engine) * (isPositive || index % 2 == 0 ? 1.0F : -1.0F);
    return values;
}

/// Mean squared error by its definition, on the values.
double errorOn(const std::vector<float>& values, const Quantizer& quantizer)
{
    double sum = 0.0;
    for (const float value : values) {
        const double x = static_cast<double>(value);
        const double distance = x - quantizer.fakeQuantize(x);
        sum += distance * distance;
    }
    return sum / static_cast<double>(values.size());
}

double thresholdErrorOn(const std::vector<float>& values, double threshold)
{
    return errorOn(values, makeQuantizer({}, {.threshold = threshold}).quantizer);
}

TEST_CASE("the threshold's error on the values is that of the best of all thresholds, to 1 %")
{
    const std::vector<float> values = laplace(20000, false);
    const Calibration calibration = calibrated("mse", values);
    const double chosen = thresholdErrorOn(values, *calibration.clip.threshold);
    double least = chosen;
    Extents extents;
    extents.add(values);
    for (int step = 100; step <= 1000; ++step)
        least = std::min(least, thresholdErrorOn(values, extents.absMax() * step / 1000.0));
    CHECK(chosen <= 1.01 * least);
    // The curve estimates it: the histogram has 16 bins for each level.
    CHECK(calibration.curve.value[calibration.curve.chosen] == Approx(chosen).epsilon(0.01));
}

TEST_CASE("the curve has every edge, and rounding and clipping add up to it")
{
    const Calibration calibration = calibrated("mse", laplace(5000, false), {{"bins", "512"}});
    const Curve& curve = calibration.curve;
    CHECK(curve.threshold.size() == 512);
    REQUIRE(curve.parts.size() == 2);
    CHECK(curve.parts[0].name == "rounding");
    CHECK(curve.parts[1].name == "clipping");
    for (std::size_t point = 0; point < curve.value.size(); ++point)
        CHECK(curve.parts[0].value[point] + curve.parts[1].value[point] ==
              Approx(curve.value[point]));
    CHECK(curve.parts[1].value.back() == 0.0);
    CHECK(curve.parts[1].value.front() > curve.parts[0].value.front());
    CHECK(calibration.histogram == HistogramSpec{.growth = "fixed", .bins = 512});
    CHECK(calibrated("mse", laplace(500, false), {{"candidates", "100"}}).curve.value.size() ==
          100);
}

TEST_CASE("zeros and the largest value are points: a ReLU's zeros have no error")
{
    std::vector<float> values = laplace(2000, true);
    values.resize(200000, 0.0F);
    const Calibration exact = calibrated("mse", values);
    const Calibration spread = calibrated("mse", values, {{"point-masses", "no"}});
    const double onValues = thresholdErrorOn(values, *exact.clip.threshold);
    CHECK(exact.curve.value[exact.curve.chosen] == Approx(onValues).epsilon(0.02));
    CHECK(spread.curve.value[spread.curve.chosen] > 1.2 * onValues);
    const Calibration constant = calibrated("mse", std::vector<float>(100, -0.75F));
    CHECK(constant.clip.threshold == 0.75);
    CHECK(constant.curve.value[constant.curve.chosen] == Approx(0.0).margin(1e-15));
}

TEST_CASE("affine: both ends are searched, the curve runs along both through the best")
{
    std::vector<float> values = laplace(20000, true);
    for (std::size_t index = 0; index < values.size(); ++index)
        values[index] *= index % 3 == 0 ? -0.2F : 1.0F;
    Extents extents;
    extents.add(values);
    const Scheme affine{.kind = SchemeKind::Affine, .bits = 6};
    const Calibration calibration = calibrated("mse", values, {}, affine);
    REQUIRE(calibration.clip.range);
    const Range range = *calibration.clip.range;
    const auto onValues = [&](const Range& clip) {
        return errorOn(values, makeQuantizer(affine, {.range = clip}).quantizer);
    };
    const double chosen = onValues(range);
    double least = chosen;
    for (int low = 1; low <= 40; ++low)
        for (int high = 1; high <= 40; ++high)
            least =
                std::min(least, onValues({extents.min * low / 40.0, extents.max * high / 40.0}));
    CHECK(chosen <= 1.01 * least);
    const Curve& curve = calibration.curve;
    CHECK(curve.threshold[curve.chosen] == range.high);
    REQUIRE(curve.chosenLow);
    CHECK(curve.threshold[*curve.chosenLow] == range.low);
    CHECK(curve.value[*curve.chosenLow] == Approx(curve.value[curve.chosen]));
    CHECK(curve.threshold.front() == extents.min);
    CHECK(curve.threshold.back() == extents.max);
    CHECK(curve.value[curve.chosen] <= *std::ranges::min_element(curve.value) * (1.0 + 1e-12));
}

TEST_CASE("one-sided data keep an affine end at 0")
{
    const Calibration positive =
        calibrated("mse", laplace(3000, true), {}, {.kind = SchemeKind::Affine});
    CHECK(positive.clip.range->low == 0.0);
    CHECK_FALSE(positive.curve.chosenLow);
    std::vector<float> negative = laplace(3000, true);
    for (float& value : negative)
        value = -value;
    const Calibration below = calibrated("mse", negative, {}, {.kind = SchemeKind::Affine});
    CHECK(below.clip.range->high == 0.0);
    CHECK(below.curve.threshold[below.curve.chosen] == below.clip.range->low);
}

TEST_CASE("scaling the data by a power of two scales threshold and range exactly")
{
    const std::vector<float> values = laplace(3000, false);
    std::vector<float> scaled = values;
    for (float& value : scaled)
        value *= 8.0F;
    CHECK(*calibrated("mse", scaled).clip.threshold ==
          8.0 * *calibrated("mse", values).clip.threshold);
    const Scheme affine{.kind = SchemeKind::Affine};
    const Range range = *calibrated("mse", values, {}, affine).clip.range;
    CHECK(*calibrated("mse", scaled, {}, affine).clip.range ==
          Range{8.0 * range.low, 8.0 * range.high});
}

TEST_CASE("centres as candidates, from a bin on, and the maximum where none is left, with a note")
{
    const GivenSettings centres{{"candidates", "centres"},
                                {"density", "centre"},
                                {"point-masses", "no"},
                                {"bins", "16"},
                                {"first-candidate", "12"}};
    const Calibration calibration = calibrated("mse", {1.0F, 3.0F, 16.0F}, centres);
    CHECK(calibration.curve.threshold == std::vector<double>{12.5, 13.5, 14.5, 15.5});
    GivenSettings none = centres;
    none["first-candidate"] = "16";
    const Calibration maximum = calibrated("mse", {1.0F, 3.0F, 16.0F}, none);
    CHECK(maximum.clip.threshold == 16.0);
    CHECK(maximum.notes == std::vector<std::string>{"no valid trial"});
}

TEST_CASE("mse says which of equal candidates won")
{
    // Two values in one bin of four, 2-bit levels -1, 0, 1: no edge but the last changes them.
    const GivenSettings coarse{{"bins", "4"}, {"tie", "narrowest"}, {"density", "centre"}};
    const Calibration calibration = calibrated("mse", {8.0F, 8.0F}, coarse, {.bits = 2});
    CHECK(calibration.clip.threshold == 8.0);
    CHECK(calibration.curve.ties.empty());
}

}  // namespace mse_test
