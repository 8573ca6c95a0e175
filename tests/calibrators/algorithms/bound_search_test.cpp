// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <random>

namespace bound_search_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::calibrated;

constexpr Scheme twoBits{.kind = SchemeKind::SymmetricRestricted, .bits = 2};  // levels -1, 0, 1
constexpr Scheme fourBits{.kind = SchemeKind::SymmetricFull, .bits = 4};

std::vector<float> drawn(std::size_t count, unsigned seed)
{
    std::mt19937 engine(seed);
    std::student_t_distribution<float> heavy(4.0F);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return heavy(engine); });
    return values;
}

/// (mean |x - fq(x)|^p)^(1/p) as the definition says it.
double directNorm(const std::vector<float>& values, double threshold, double p,
                  const Scheme& scheme)
{
    double sum = 0.0;
    for (const float value : values) {
        const double x = static_cast<double>(value);
        const double scale = threshold / scheme.qmax();
        const double z =
            std::clamp<double>(std::nearbyint(x / scale), scheme.lowLevel(), scheme.highLevel());
        sum += std::pow(std::abs(x - scale * z), p);
    }
    return std::pow(sum / static_cast<double>(values.size()), 1.0 / p);
}

TEST_CASE("bound search by hand: half the maximum wins where most values lie there")
{
    // bound 1: 0.5 rounds to 0, three errors of 0.5; bound 0.5: one error of 0.5.
    const Calibration clipped = calibrated("bound-search", {1.0F, 0.5F, 0.5F, -0.5F},
                                           {{"p", "1"}, {"factors", "2"}}, twoBits);
    CHECK(clipped.clip.threshold == 0.5);
    CHECK(clipped.curve.threshold == std::vector<double>{0.5, 1.0});
    CHECK(clipped.curve.value == std::vector<double>{0.125, 0.375});
    CHECK(clipped.notes ==
          std::vector<std::string>{
              "the narrowest trial was chosen, a still narrower one was not tried"});

    // bound 1: one error of 0.4; bound 0.5: errors of 0.5 and 0.1.
    const Calibration kept =
        calibrated("bound-search", {1.0F, 0.4F}, {{"p", "1"}, {"factors", "2"}}, twoBits);
    CHECK(kept.clip.threshold == 1.0);
    CHECK(kept.notes.empty());
}

TEST_CASE("bound search is the direct evaluation of every factor, for any p")
{
    for (const double p : {0.5, 1.0, 2.0, 3.0, 4.0, 8.0})
        for (const std::size_t count : {1U, 5U, 5000U}) {
            INFO("p " << p << ", " << count);
            const std::vector<float> values = drawn(count, 17);
            const Calibration calibration =
                calibrated("bound-search", values, {{"p", std::to_string(p)}}, fourBits);
            const Curve& curve = calibration.curve;
            REQUIRE(curve.threshold.size() == 11);
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t point = 11; point-- > 0;) {
                const double norm = directNorm(values, curve.threshold[point], p, fourBits);
                CHECK(curve.value[point] == Approx(norm).epsilon(1e-12).margin(1e-15));
                least = std::min(least, norm);
            }
            CHECK(curve.value[curve.chosen] == Approx(least).epsilon(1e-12).margin(1e-15));
            CHECK(calibration.clip.threshold == curve.threshold[curve.chosen]);
        }
}

TEST_CASE("factors go from 1 to the least in equal steps, the ends exactly")
{
    const Curve curve = calibrated("bound-search", {2.0F, 0.3F},
                                   {{"factors", "4"}, {"least-factor", "0.7"}}, fourBits)
                            .curve;
    REQUIRE(curve.threshold.size() == 4);
    CHECK(curve.threshold.front() == 2.0 * 0.7);
    CHECK(curve.threshold[1] == Approx(1.6));
    CHECK(curve.threshold.back() == 2.0);
    CHECK(calibrated("bound-search", {2.0F}, {{"factors", "1"}}).clip.threshold == 2.0);
    CHECK(calibrated("bound-search", {2.0F}, {{"least-factor", "1"}}).curve.threshold.size() == 1);
}

TEST_CASE("of equal factors the widest wins and the others are told")
{
    // Half the maximum with 4 bits and twice as many levels in the data: both are exact.
    const Calibration calibration = calibrated(
        "bound-search", {0.0F, -8.0F}, {{"factors", "2"}, {"least-factor", "0.875"}}, fourBits);
    // bound 8: scale 8/7, -8 is level -7; bound 7: scale 1, -8 is level -8. Both without error.
    CHECK(calibration.curve.value.front() == 0.0);
    CHECK(calibration.curve.value.back() == Approx(0.0).margin(1e-12));
    CHECK(calibration.curve.ties.size() + 1 ==
          static_cast<std::size_t>(std::ranges::count(
              calibration.curve.value, calibration.curve.value[calibration.curve.chosen])));
}

TEST_CASE("powers neither overflow nor vanish at the ends of float32")
{
    for (const float unit : {1e38F, 1e-38F, 1e-44F}) {
        const Calibration calibration =
            calibrated("bound-search", {3.0F * unit, unit, -2.0F * unit}, {{"p", "16"}}, twoBits);
        for (const double value : calibration.curve.value) {
            CHECK(std::isfinite(value));
            CHECK(value > 0.0);
        }
    }
}

TEST_CASE("a search for the least error without values is a broken promise")
{
    const Settings settings(calibrator("bound-search").parameters, {}, "bound-search");
    TensorProfile profile;
    profile.moments.add(std::vector<float>{1.0F});
    CHECK_THROWS_AS(
        calibrator("bound-search").calibrate({.settings = settings, .scheme = fourBits}, profile),
        std::invalid_argument);
}

}  // namespace bound_search_test
