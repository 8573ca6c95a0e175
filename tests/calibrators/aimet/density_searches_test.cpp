// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/density_searches.h"

#include "tests/support/catch.h"

#include <vector>

namespace density_searches_test {

using namespace calibscope;
using calibscope::test::Approx;

constexpr Scheme asymmetric{.kind = SchemeKind::Affine};
constexpr Scheme strict{.kind = SchemeKind::SymmetricRestricted};

/// One count at each whole number from `low` to `high`; bins of 1 wide, a middle one at 0, if both
/// are 256 / 3 from 0.
AveragedDensity evenDensity(float low, float high)
{
    std::vector<float> values{-256.0F / 3.0F, 256.0F / 3.0F};
    for (float value = low; value <= high; value += 1.0F)
        values.push_back(value);
    Extents extents;
    extents.add(values);
    AveragedDensity density;
    density.beginBatch(extents);
    density.add(values);
    density.endBatch();
    return density;
}

TEST_CASE("an encoding has the offset at which 0 stands for 0")
{
    const AimetEncoding encoding = aimetEncoding(asymmetric, {-1.0, 1.55});
    CHECK(encoding.scale == 2.55 / 255.0);
    CHECK(encoding.offset == -100.0);
    CHECK(aimetEncoding(asymmetric, {0.0, 2.55}).offset == 0.0);
    CHECK(aimetEncoding(strict, {-1.0, 1.27}).scale == 1.27 / 127.0);
    CHECK(aimetEncoding(strict, {-1.0, 1.27}).offset == -127.0);
    CHECK(aimetEncoding({.kind = SchemeKind::SymmetricFull}, {-2.54, 0.0}).scale == 2.54 / 127.0);
    CHECK(aimetEncoding({.kind = SchemeKind::SymmetricFull}, {-2.54, 0.0}).offset == -128.0);
}

TEST_CASE("a percentile's ends are left edges, the upper one behind the last bin below it")
{
    // 102 values: each bin has a share of 1 / 102, the running one passes 10 % at the 11th.
    const AveragedDensity density = evenDensity(-49.0F, 50.0F);
    const Range ends = densityPercentile(density, 90.0);
    CHECK(ends.low == Approx(-40.0).margin(0.51));
    CHECK(ends.high == Approx(41.0).margin(0.51));
    const Range all = densityPercentile(density, 100.0);
    CHECK(all.low == static_cast<double>(density.observedLow()));
    CHECK(all.high == static_cast<double>(density.observedHigh()));
}

TEST_CASE("the least error of even data keeps nearly all of them, at bin edges")
{
    const AveragedDensity density = evenDensity(-80.0F, 80.0F);
    for (const Scheme& scheme : {asymmetric, strict}) {
        const Range best = densityLeastError(density, scheme);
        CHECK(best.low < -78.0);
        CHECK(best.high > 78.0);
        CHECK(best.high <= 87.0);
    }
}

TEST_CASE("the weight of clipping widens what costs least")
{
    const AveragedDensity density = evenDensity(-20.0F, 20.0F);
    constexpr Scheme fewBits{.kind = SchemeKind::SymmetricRestricted, .bits = 4};
    const auto light = densityLeastCost(density, fewBits, 0.0);
    const auto heavy = densityLeastCost(density, fewBits, 1000.0);
    REQUIRE((light && heavy));
    CHECK(light->scale < heavy->scale);
    CHECK(heavy->scale * 7 > 80.0);
    CHECK(heavy->offset == -7.0);
}

}  // namespace density_searches_test
