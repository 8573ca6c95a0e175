// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/averaged_density.h"

#include "tests/support/catch.h"

#include <vector>

namespace averaged_density_test {

using namespace calibscope;

AveragedDensity densityOf(const std::vector<std::vector<float>>& batches)
{
    AveragedDensity density;
    for (const std::vector<float>& batch : batches) {
        Extents extents;
        extents.add(batch);
        density.beginBatch(extents);
        density.add(batch);
        density.endBatch();
    }
    return density;
}

TEST_CASE("the first batch's range is taken three times, and a value goes to the nearest left edge")
{
    // 0 to 512 / 3 becomes -512 / 3 to 1024 / 3; bins of 1: 0 lies 170.67 bins above the low end.
    const AveragedDensity density = densityOf({{0.0F, 512.0F / 3.0F}});
    CHECK(density.width() == 1.0F);
    CHECK(density.left(0) == test::Approx(-512.0F / 3.0F).epsilon(1e-6));
    CHECK(density.share(171) == 0.5);
    CHECK(density.share(341) == 0.5);
    CHECK(density.observedLow() == 0.0F);
    CHECK(density.observedHigh() == density.left(341));
}

TEST_CASE("batches count alike whatever their size, and zeros before them not at all")
{
    const AveragedDensity density =
        densityOf({{0.0F, 0.0F}, {-1.0F, 1.0F}, {1.0F, 1.0F, 1.0F, 1.0F}, {100.0F, 0.0F}});
    std::vector<double> shares;
    for (std::size_t bin = 0; bin < AveragedDensity::bins; ++bin)
        if (density.share(bin) > 0.0)
            shares.push_back(density.share(bin));
    REQUIRE(shares.size() == 3);
    CHECK(shares[0] == test::Approx(0.5 / 3.0).epsilon(1e-15));          // -1
    CHECK(shares[1] == test::Approx(0.5 / 3.0).epsilon(1e-15));          // 0
    CHECK(shares[2] == test::Approx((0.5 + 1.0) / 3.0).epsilon(1e-15));  // 1
    CHECK(density.leftOut() == 1);
}

TEST_CASE("one value alone gets a width, a range that float32 can't divide no bins")
{
    CHECK(densityOf({{0.75F}}).width() == test::Approx(3.0 * 0.01 / 512.0).epsilon(1e-4));
    CHECK_FALSE(densityOf({{3e38F, -3e38F}}).hasBins());
    CHECK_FALSE(densityOf({{0.0F}}).hasBins());
}

}  // namespace averaged_density_test
