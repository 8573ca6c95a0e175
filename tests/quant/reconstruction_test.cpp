// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/reconstruction.h"

#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <numeric>
#include <random>

namespace reconstruction_test {

using namespace calibscope;
using namespace calibscope::test;

/// Levels are whole numbers.
Quantizer unitSteps()
{
    return makeQuantizer({}, {.threshold = 127.0}).quantizer;
}

TEST_CASE("values of a level lie evenly over its rounding cell")
{
    const auto counts = reconstructedCounts(sketchOf({0.75F, 1.25F, 1.25F, 3.0F}), unitSteps(),
                                            binsOf(Domain::Signed, 0.0, 4.0, 8));
    CHECK(counts == std::vector<double>{0.0, 1.5, 1.5, 0.0, 0.0, 0.5, 0.5, 0.0});
}

TEST_CASE("clipped values are in the last cell, which ends at the threshold")
{
    const auto counts = reconstructedCounts(sketchOf({300.0F, 200.0F, 126.75F}), unitSteps(),
                                            binsOf(Domain::Magnitude, 0.0, 300.0, 600));
    CHECK(counts[253] == Approx(3.0));
    CHECK(std::accumulate(counts.begin(), counts.end(), 0.0) == Approx(3.0));
}

TEST_CASE("the cell of 0 has two sides in x and is folded in |x|, where data are on both")
{
    const MagnitudeSketch sketch = sketchOf({-0.25F, 0.25F, 0.0F, 2.0F});
    const auto apart = reconstructedCounts(sketch, unitSteps(), binsOf(Domain::Signed, -2, 2, 8));
    CHECK(apart[3] == 1.5);
    CHECK(apart[4] == 1.5);
    const auto folded =
        reconstructedCounts(sketch, unitSteps(), binsOf(Domain::Magnitude, 0, 2, 4));
    CHECK(folded[0] == 3.0);
}

TEST_CASE("no value gets lost, whatever data, quantizer and bins")
{
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0.3F, 1.0F);
    std::vector<float> values(5000);
    std::ranges::generate(values, [&] { return normal(random); });
    const Quantizer affine =
        makeQuantizer({.kind = SchemeKind::Affine}, {.range = Range{-0.5, 2.0}}).quantizer;
    const Quantizer coarse = makeQuantizer({.bits = 2}, {.threshold = 90.0}).quantizer;
    for (const Quantizer& quantizer : {unitSteps(), affine, coarse})
        for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
            const auto counts =
                reconstructedCounts(sketchOf(values), quantizer,
                                    test::grownHistogram(values, {.bins = 512, .domain = domain}));
            CHECK(std::accumulate(counts.begin(), counts.end(), 0.0) == Approx(5000.0));
            CHECK(std::ranges::min(counts) >= 0.0);
        }
}

TEST_CASE("fine steps leave the distribution as it is, but for a step")
{
    std::vector<float> values;
    for (int value = 0; value < 4096; ++value)
        values.push_back(static_cast<float>(value) / 4096.0F);
    const Quantizer fine = makeQuantizer({.bits = 16}, {.threshold = 1.0}).quantizer;
    const Histogram bins = test::grownHistogram(values, {.bins = 16, .domain = Domain::Magnitude});
    const auto counts = reconstructedCounts(sketchOf(values), fine, bins);
    for (std::size_t bin = 0; bin < 16; ++bin)
        CHECK(counts[bin] == Approx(static_cast<double>(bins.counts[bin])).margin(1.5));
}

TEST_CASE("no value and one value")
{
    const auto none = reconstructedCounts({}, unitSteps(), binsOf(Domain::Magnitude, 0, 2, 4));
    CHECK(none == std::vector<double>(4, 0.0));
    const auto constant =
        reconstructedCounts(sketchOf({3.0F, 3.0F}), unitSteps(), binsOf(Domain::Signed, 3, 3, 4));
    CHECK(constant == std::vector<double>{2.0, 0.0, 0.0, 0.0});
}

}  // namespace reconstruction_test
