// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/binned_error.h"

#include "core/metrics/estimate.h"
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <numeric>
#include <random>

namespace binned_error_test {

using namespace calibscope;
using namespace calibscope::test;

/// Sums of a few thousand squares of one sign, added in another order.
constexpr double orderOfSumming = 1e-12;

Quantizer symmetric(double threshold)
{
    return makeQuantizer({}, {.threshold = threshold}).quantizer;
}

Quantizer affine(double low, double high)
{
    return makeQuantizer({.kind = SchemeKind::Affine}, {.range = Range{low, high}}).quantizer;
}

double sumOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST_CASE("the error of each bin by hand: inside it is rounding, beyond the threshold clipping")
{
    // A step of 1: levels are whole numbers up to 127.
    const BinnedError error = binnedError(sketchOf({0.25F, 1.0F, 2.5F, 130.0F}), symmetric(127.0),
                                          binsOf(Domain::Magnitude, 0.0, 132.0, 132));
    CHECK(error.rounding[0] == 0.0625);
    CHECK(error.rounding[1] == 0.0);
    CHECK(error.rounding[2] == 0.25);
    CHECK(error.clipping[130] == 9.0);
    CHECK(sumOf(error.rounding) == error.allRounding);
    CHECK(error.allClipping == 9.0);
    CHECK(error.count == 4);
    CHECK(error.mean() == 9.3125 / 4.0);
}

TEST_CASE("signed bins keep the sides apart, bins of magnitudes fold them")
{
    const MagnitudeSketch sketch = sketchOf({-3.0F, 3.0F, -1.25F});
    const Quantizer quantizer = affine(-2.0, 253.0);  // a step of 1
    const BinnedError apart = binnedError(sketch, quantizer, binsOf(Domain::Signed, -4.0, 4.0, 8));
    CHECK(apart.clipping[1] == 1.0);
    CHECK(apart.rounding[2] == 0.0625);
    CHECK(sumOf(apart.clipping) == 1.0);
    const BinnedError folded =
        binnedError(sketch, quantizer, binsOf(Domain::Magnitude, 0.0, 4.0, 4));
    CHECK(folded.clipping[3] == 1.0);
    CHECK(folded.rounding[1] == 0.0625);
}

TEST_CASE("the bins' error is the estimated MSE, whatever data, quantizer and bins")
{
    std::mt19937 random(11);
    std::normal_distribution<float> normal(0.2F, 1.0F);
    std::vector<float> values(20000);
    std::ranges::generate(values, [&] { return normal(random); });
    values[7] = 0.0F;
    const MagnitudeSketch sketch = sketchOf(values);
    for (const Quantizer& quantizer :
         {symmetric(1.5), symmetric(40.0), affine(-0.7, 3.0), affine(0.0, 9.0)})
        for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
            const BinnedError error = binnedError(
                sketch, quantizer, test::grownHistogram(values, {.bins = 2048, .domain = domain}));
            const ErrorSums sums = SketchErrors(sketch, {-5.0, 5.0}).under(quantizer).tally.sums;
            CHECK(error.count == sums.count);
            CHECK(error.allRounding == Approx(sums.squaredRounding).epsilon(orderOfSumming));
            CHECK(error.allClipping == Approx(sums.squaredClipping).epsilon(orderOfSumming));
            CHECK(sumOf(error.rounding) == Approx(sums.squaredRounding).epsilon(1e-9));
            CHECK(sumOf(error.clipping) == Approx(sums.squaredClipping).epsilon(1e-9));
        }
}

TEST_CASE("no value, one value and only zeros")
{
    const Histogram bins = binsOf(Domain::Magnitude, 0.0, 4.0, 4);
    CHECK(binnedError({}, symmetric(1.0), bins).mean() == 0.0);
    CHECK(binnedError(sketchOf({0.0F, 0.0F}), symmetric(1.0), bins).mean() == 0.0);
    const BinnedError constant =
        binnedError(sketchOf({3.0F, 3.0F}), symmetric(1.0), binsOf(Domain::Signed, 3.0, 3.0, 8));
    CHECK(constant.clipping.front() == 8.0);
    CHECK(constant.mean() == 4.0);
}

}  // namespace binned_error_test
