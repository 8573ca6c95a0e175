// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <cmath>
#include <random>

namespace fractional_entropy_test {

using namespace calibscope;
using calibscope::test::calibrated;

using Notes = std::vector<std::string>;

std::vector<float> normalWithZeros(std::size_t zeros)
{
    std::mt19937 engine(8);
    std::normal_distribution<float> normal;
    std::vector<float> values(zeros, 0.0F);
    for (int value = 0; value < 20000; ++value)
        values.push_back(normal(engine));
    return values;
}

TEST_CASE("fractional-entropy does not see exact zeros")
{
    const Calibration without = calibrated("fractional-entropy", normalWithZeros(0));
    const Calibration with = calibrated("fractional-entropy", normalWithZeros(50000));
    CHECK(with.clip.threshold == without.clip.threshold);
    CHECK(with.curve.value == without.curve.value);
}

TEST_CASE("fractional-entropy's threshold is half a bin beyond those kept, never of all bins")
{
    const std::vector<float> values = normalWithZeros(0);
    double largest = 0.0;
    for (const float value : values)
        largest = std::max(largest, static_cast<double>(std::abs(value)));
    const Calibration calibration = calibrated("fractional-entropy", values);
    const Curve& curve = calibration.curve;
    REQUIRE(curve.value.size() == 2048 - 128);
    const auto first = static_cast<double>(128.5F * static_cast<float>(largest) / 2048.0F);
    CHECK(curve.threshold.front() == first);
    CHECK(curve.threshold.back() < largest);
    CHECK(calibration.clip.threshold == curve.threshold[curve.chosen]);
}

TEST_CASE("fractional-entropy of constant data takes the first trial, as the tool does")
{
    // All trials put everything beyond the window into its last bin.
    const Calibration calibration =
        calibrated("fractional-entropy", std::vector<float>(4096, -0.75F));
    CHECK(calibration.clip.threshold == static_cast<double>(0.0470581055F));
    CHECK(calibration.notes == Notes{"the first trial was chosen"});
}

TEST_CASE("fractional-entropy with as many levels as bins keeps all")
{
    const Calibration calibration =
        calibrated("fractional-entropy", {1.0F, -3.0F}, {{"bins", "128"}});
    CHECK(calibration.clip.threshold == 3.0);
    CHECK(calibration.notes == Notes{"no valid trial"});
}

}  // namespace fractional_entropy_test
