// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/threshold_ratio.h"

#include "core/metrics/error_tally.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace threshold_ratio_test {

using namespace calibscope;
using calibscope::test::Approx;

enum class Shape { Gaussian, Relu, LongTail, OneSided };

std::vector<float> drawn(Shape shape)
{
    std::mt19937 engine(7);
    std::normal_distribution<float> normal;
    std::vector<float> values(40000);
    for (float& value : values) {
        const float gauss = normal(engine);
        switch (shape) {
        case Shape::Gaussian: value = gauss; break;
        case Shape::Relu: value = std::max(gauss, 0.0F); break;
        case Shape::LongTail: value = gauss * std::exp(1.5F * normal(engine)); break;
        case Shape::OneSided: value = std::abs(gauss) - 0.25F; break;
        }
    }
    return values;
}

TensorProfile profileOf(const std::vector<float>& values)
{
    TensorProfile profile;
    SketchCounter counter;
    counter.add(values);
    profile.sketch = counter.sketch();
    Extents& extents = profile.moments.extents;
    extents.finite = values.size();
    extents.min = static_cast<double>(*std::ranges::min_element(values));
    extents.max = static_cast<double>(*std::ranges::max_element(values));
    return profile;
}

/// From the values themselves, by the definition: 10 log10 of sum x^2 over sum (x - fq(x))^2.
double exactSqnr(const std::vector<float>& values, const Quantizer& quantizer)
{
    double signal = 0.0;
    double noise = 0.0;
    for (const float value : values) {
        const auto x = static_cast<double>(value);
        const double error = x - quantizer.fakeQuantize(x);
        signal += x * x;
        noise += error * error;
    }
    return 10.0 * std::log10(signal / noise);
}

TEST_CASE("at every threshold the line is within 0.1 dB of what the values give, up to 8 bits")
{
    // A value is up to 2^-11 of itself from its bin's mean; the finest step below it that matters
    // is that of the largest threshold, 1/127 of it: rounding errors are known to some percent of
    // a step each, and cancel in the mean.
    constexpr double tolerance = 0.1;
    for (const Shape shape : {Shape::Gaussian, Shape::Relu, Shape::LongTail, Shape::OneSided}) {
        const std::vector<float> values = drawn(shape);
        const TensorProfile profile = profileOf(values);
        const Range ends{profile.extents().min, profile.extents().max};
        for (const SchemeKind kind : {SchemeKind::SymmetricRestricted, SchemeKind::Affine})
            for (const int bits : {4, 8}) {
                const Scheme scheme{.kind = kind, .bits = bits};
                const ThresholdRatio line = thresholdRatio(profile, scheme, 96);
                REQUIRE(line.threshold.size() == line.sqnrDb.size());
                for (std::size_t point = 0; point < line.threshold.size(); ++point) {
                    const double threshold = line.threshold[point];
                    CAPTURE(int(shape), int(kind), bits, threshold);
                    CHECK(std::abs(line.sqnrDb[point] -
                                   exactSqnr(values, quantizerAt(scheme, ends, threshold))) <=
                          tolerance);
                }
            }
    }
}

TEST_CASE("thresholds ascend to the largest magnitude, some of them far below the first step")
{
    const TensorProfile profile = profileOf(drawn(Shape::OneSided));
    const ThresholdRatio line = thresholdRatio(profile, {}, 100);
    CHECK(line.threshold.size() == 100);
    CHECK(std::ranges::is_sorted(line.threshold));
    CHECK(line.threshold.back() == profile.extents().absMax());
    CHECK(line.threshold.front() < 1e-4 * line.threshold.back());
    CHECK(line.threshold[50] - line.threshold[49] ==
          Approx(profile.extents().absMax() / 75.0).epsilon(1e-9));
}

TEST_CASE("a threshold cuts both ends of symmetric data, and of affine ranges what lies beyond it")
{
    CHECK(quantizerAt({}, {-1.0, 4.0}, 2.0).clip == Range{-2.0, 2.0});
    const Scheme affine{.kind = SchemeKind::Affine};
    CHECK(quantizerAt(affine, {-1.0, 4.0}, 2.0).clip == Range{-1.0, 2.0});
    CHECK(quantizerAt(affine, {1.0, 4.0}, 2.0).clip == Range{0.0, 2.0});  // holds 0
}

TEST_CASE("without values, or with zeros alone, there is no line")
{
    CHECK(thresholdRatio({}, {}, 100).threshold.empty());
    CHECK(thresholdRatio(profileOf({0.0F, 0.0F}), {}, 100).threshold.empty());
}

TEST_CASE("one value of all is hit by its own threshold")
{
    const ThresholdRatio line = thresholdRatio(profileOf({2.0F, 2.0F, -2.0F}), {}, 16);
    CHECK(line.threshold.back() == 2.0);
    CHECK(line.sqnrDb.back() > 300.0);  // nothing is lost but what double rounds
}

}  // namespace threshold_ratio_test
