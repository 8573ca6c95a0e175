// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <random>

namespace multiplier_sweep_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::calibrated;

TEST_CASE("the sweep tries multiples of the maximum from start to stop, 1 not among them")
{
    const Curve curve = calibrated("multiplier-sweep", {2.0F, -0.3F, 0.1F}).curve;
    REQUIRE(curve.threshold.size() == 10);
    CHECK(curve.threshold.front() == 0.5);
    CHECK(curve.threshold.back() == 8.0);
    for (std::size_t step = 0; step < 10; ++step)
        CHECK(curve.threshold[step] == Approx(2.0 * (0.25 + static_cast<double>(step) * 3.75 / 9)));
}

TEST_CASE("the least squared error wins, above the maximum with a note")
{
    // 8 bits, uniform: any clipping costs more than the coarser step of the next multiple, 1.0833.
    std::mt19937 engine(1);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    std::vector<float> values(2000);
    std::ranges::generate(values, [&] { return uniform(engine); });
    values.push_back(1.0F);
    const Calibration calibration = calibrated("multiplier-sweep", values);
    CHECK(*calibration.clip.threshold == Approx(0.25 + 2 * 3.75 / 9));
    CHECK(calibration.notes == std::vector<std::string>{"threshold above the maximum"});
    double sum = 0.0;
    const double scale = *calibration.clip.threshold / 127;
    for (const float value : values) {
        const double x = static_cast<double>(value);
        sum += std::pow(x - scale * std::nearbyint(x / scale), 2);
    }
    CHECK(calibration.curve.objective == "root mean squared error");
    CHECK(calibration.curve.value[calibration.curve.chosen] ==
          Approx(std::sqrt(sum / static_cast<double>(values.size()))).epsilon(1e-12));
}

TEST_CASE("of equal multiples the first from the start wins")
{
    // With levels -1, 0, 1 a value of 1 has no error at the threshold 1 alone; 4 and 8 are both so
    // wide that all becomes 0.
    const Scheme twoBits{.bits = 2};
    const GivenSettings up{{"start", "4"}, {"stop", "8"}, {"steps", "2"}};
    const GivenSettings down{{"start", "8"}, {"stop", "4"}, {"steps", "2"}};
    CHECK(calibrated("multiplier-sweep", {1.0F}, up, twoBits).clip.threshold == 4.0);
    CHECK(calibrated("multiplier-sweep", {1.0F}, down, twoBits).clip.threshold == 8.0);
    CHECK(calibrated("multiplier-sweep", {1.0F}, up, twoBits).curve.ties ==
          std::vector<std::size_t>{1});
    const GivenSettings still{{"start", "1"}, {"stop", "1"}};
    CHECK(calibrated("multiplier-sweep", {1.0F}, still, twoBits).curve.threshold.size() == 1);
}

}  // namespace multiplier_sweep_test
