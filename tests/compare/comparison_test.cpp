// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison.h"

#include "core/metrics/common_bins.h"
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace compare_comparison_test {

using namespace calibscope;
using test::Approx;
using test::profileOf;

std::vector<float> normalValues(std::size_t count, float mean, float deviation, unsigned seed)
{
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal(mean, deviation);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(generator); });
    return values;
}

std::vector<float> times(std::vector<float> values, float factor)
{
    for (float& value : values)
        value *= factor;
    return values;
}

/// The distance of two equally long recordings: the mean difference of values of equal rank.
double sortedDistance(std::vector<float> a, std::vector<float> b)
{
    std::ranges::sort(a);
    std::ranges::sort(b);
    double sum = 0.0;
    for (std::size_t rank = 0; rank < a.size(); ++rank)
        sum += std::abs(static_cast<double>(a[rank]) - static_cast<double>(b[rank]));
    return sum / static_cast<double>(a.size());
}

TEST_CASE("a recording has not drifted from itself, in whatever order its values are")
{
    std::vector<float> values = normalValues(5000, 0.3F, 2.0F, 1);
    const TensorProfile a = profileOf(values);
    std::ranges::reverse(values);
    const std::optional<Drift> drift = driftBetween(a, profileOf(values));
    REQUIRE(drift);
    CHECK(drift->maxRatio == 1.0);
    CHECK(drift->earthMover == 0.0);
    CHECK(drift->earthMoverShare == 0.0);
    CHECK(drift->klDivergence == 0.0);
}

TEST_CASE("twice the values: twice the maximum, moved by their mean magnitude")
{
    const std::vector<float> values = {-2.0F, -1.0F, 0.0F, 1.0F, 4.0F};
    const std::optional<Drift> drift =
        driftBetween(profileOf(values), profileOf(times(values, 2.0F)));
    REQUIRE(drift);
    CHECK(drift->maxRatio == 2.0);
    CHECK(drift->earthMover == Approx(8.0 / 5.0));  // (2 + 1 + 0 + 1 + 4) / 5
    CHECK(drift->earthMoverShare == Approx(8.0 / 5.0 / 8.0));
    CHECK(drift->klDivergence > 1.0);
}

TEST_CASE("the earth mover's distance equals that of sorted values")
{
    const std::vector<float> a = normalValues(4000, 0.0F, 1.0F, 2);
    for (const std::vector<float>& b :
         {normalValues(4000, 0.5F, 1.0F, 3), normalValues(4000, 0.0F, 3.0F, 4), times(a, 1.01F)}) {
        const std::optional<Drift> drift = driftBetween(profileOf(a), profileOf(b));
        REQUIRE(drift);
        // A sketch bin is 2^-10 of its values wide: each may be that far off, magnitudes to 10.
        CHECK(drift->earthMover == Approx(sortedDistance(a, b)).margin(2e-3));
    }
}

TEST_CASE("recordings of different lengths compare by shares")
{
    const std::optional<Drift> drift =
        driftBetween(profileOf({1.0F, 2.0F}), profileOf({1.0F, 1.0F, 2.0F, 2.0F}));
    REQUIRE(drift);
    CHECK(drift->earthMover == 0.0);
    CHECK(drift->klDivergence == Approx(0.0).margin(1e-15));
}

TEST_CASE("zeros, and data without finite values")
{
    const TensorProfile zeros = profileOf({0.0F, 0.0F});
    const std::optional<Drift> same = driftBetween(zeros, zeros);
    REQUIRE(same);
    CHECK(same->maxRatio == 1.0);
    CHECK(same->earthMoverShare == 0.0);
    CHECK(same->klDivergence == 0.0);

    const std::optional<Drift> woken = driftBetween(zeros, profileOf({0.0F, 3.0F}));
    REQUIRE(woken);
    CHECK(std::isinf(woken->maxRatio));
    CHECK(woken->earthMover == Approx(1.5));

    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(driftBetween(zeros, profileOf({nan})).has_value());
    CHECK_FALSE(driftBetween(profileOf({}), zeros).has_value());
}

TEST_CASE("the exact drift lies within its bars")
{
    const std::vector<float> a = normalValues(6000, 0.0F, 1.0F, 2);
    for (const std::vector<float>& b :
         {normalValues(6000, 0.5F, 1.0F, 3), normalValues(6000, 0.0F, 3.0F, 4), times(a, 1.01F),
          times(a, 1.0F)}) {
        std::optional<Drift> drift = driftBetween(profileOf(a), profileOf(b));
        REQUIRE(drift);
        CHECK_FALSE(drift->hasExactKl());
        CHECK(std::abs(drift->earthMover - sortedDistance(a, b)) <= drift->earthMoverBar);
        CHECK(drift->earthMoverBar < 2e-3);
        const Range bound = drift->klBound;
        const double absMax =
            std::max(profileOf(a).extents().absMax(), profileOf(b).extents().absMax());
        std::vector<std::uint64_t> countsA(commonBins);
        std::vector<std::uint64_t> countsB(commonBins);
        countInCommonBins(a, absMax, countsA);
        countInCommonBins(b, absMax, countsB);
        drift->takeExactKl(countsA, countsB);
        CHECK(drift->hasExactKl());
        CHECK(bound.contains(drift->klDivergence));
    }
}

TEST_CASE("the drift of few values is exact")
{
    const std::optional<Drift> drift =
        driftBetween(profileOf({-1.0F, 0.0F, 0.3F}), profileOf({0.1F, 0.2F, 4.0F}));
    REQUIRE(drift);
    CHECK(drift->hasExactKl());
    CHECK(drift->earthMoverBar == 0.0);
}

TEST_CASE("what one recording alone has of NaN, infinities or no values is told")
{
    const Extents whole{.finite = 4, .max = 1.0};
    const Extents odd{.finite = 1, .nan = 2, .positiveInf = 1, .max = 1.0};
    const Extents none{.nan = 4};
    CHECK(unusualOfOne(whole, whole).empty());
    CHECK(unusualOfOne(odd, odd).empty());
    CHECK(unusualOfOne(whole, odd) == "2 NaN, 1 infinite in the second");
    CHECK(unusualOfOne(odd, whole) == "2 NaN, 1 infinite in the first");
    CHECK(unusualOfOne(whole, none) == "no finite value in the second");
    CHECK(unusualOfOne(none, odd) == "no finite value in the first");
    CHECK(hasLostValues(none, whole));
    CHECK_FALSE(hasLostValues(whole, odd));
    CHECK_FALSE(hasLostValues(none, none));
}

TEST_CASE("a placeholder's scale of 1 has no ratio to another one")
{
    ChoiceComparison both;
    both.a.whole.quantizer = {.scale = 0.5, .clip = {-1.0, 1.0}};
    both.b.whole.quantizer = {.scale = 1.0, .clip = {-2.0, 2.0}};
    CHECK(both.scaleRatio() == 2.0);
    both.b.whole.quantizer.clip = {};
    CHECK(hasPlaceholderScale(both.b));
    CHECK_FALSE(both.scaleRatio());
    both.b.whole.quantizer.scale = 0.25;  // a floor
    CHECK_FALSE(hasPlaceholderScale(both.b));
    CHECK(both.scaleRatio() == 0.5);
}

}  // namespace compare_comparison_test
