// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/axis_scale.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>

namespace axis_scale_test {

using namespace calibscope;
using calibscope::test::Approx;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("the ends of the values fall on the ends of the pixels")
{
    const AxisScale x(ScaleKind::Linear, {-2.0, 6.0}, 100.0, 500.0);
    CHECK(x.toPixel(-2.0) == 100.0);
    CHECK(x.toPixel(6.0) == 500.0);
    CHECK(x.toPixel(0.0) == 200.0);
    const AxisScale y(ScaleKind::Log, {1.0, 1000.0}, 300.0, 0.0);
    CHECK(y.toPixel(1.0) == 300.0);
    CHECK(y.toPixel(1000.0) == Approx(0.0).margin(1e-9));
    CHECK(y.toPixel(10.0) == Approx(200.0));
}

TEST_CASE("pixels go back to the value they came from, from 1e-40 to 1e40")
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(-40.0, 40.0);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    for (int round = 0; round < 500; ++round) {
        const double low = std::pow(10.0, exponent(random));
        const double high = low * (1.0 + std::pow(10.0, exponent(random) / 10.0));
        for (const ScaleKind kind : {ScaleKind::Linear, ScaleKind::Log}) {
            const AxisScale scale(kind, {low, high}, 60.0, 1000.0);
            const double value = low + share(random) * (high - low);
            CHECK(scale.toValue(scale.toPixel(value)) == Approx(value).epsilon(1e-9));
        }
    }
}

TEST_CASE("on a logarithmic axis zero and what is below the floor lie on the floor")
{
    const AxisScale counts(ScaleKind::Log, {0.5, 100.0}, 200.0, 0.0);
    CHECK(counts.toPixel(0.0) == 200.0);
    CHECK(counts.toPixel(-3.0) == 200.0);
    CHECK(counts.toPixel(0.5) == 200.0);
    CHECK(counts.toPixel(1.0) < 200.0);
}

TEST_CASE("missing values stay missing")
{
    for (const ScaleKind kind : {ScaleKind::Linear, ScaleKind::Log}) {
        const AxisScale scale(kind, {1.0, 2.0}, 0.0, 10.0);
        CHECK(std::isnan(scale.toPixel(std::nan(""))));
        CHECK(std::isinf(scale.toPixel(infinity)));
    }
}

TEST_CASE("a range without width becomes one that can be drawn")
{
    CHECK(drawableRange({0.0, 0.0}) == Range{0.0, 1.0});
    CHECK(drawableRange({4.0, 4.0}) == Range{2.0, 6.0});
    CHECK(drawableRange({-4.0, -4.0}) == Range{-6.0, -2.0});
    CHECK(drawableRange({-infinity, 1.0}) == Range{0.0, 1.0});
    CHECK(drawableRange({0.0, std::nan("")}) == Range{0.0, 1.0});
    CHECK(drawableRange({1.0, 2.0}) == Range{1.0, 2.0});
    CHECK(AxisScale(ScaleKind::Log, {0.0, 10.0}, 0.0, 1.0).values() == Range{1.0, 10.0});
    CHECK(AxisScale(ScaleKind::Log, {-2.0, -1.0}, 0.0, 1.0).values() == Range{0.1, 1.0});
}

}  // namespace axis_scale_test
