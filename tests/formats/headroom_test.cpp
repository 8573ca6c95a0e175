// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/headroom.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>

namespace headroom_test {

using namespace calibscope;

/// Centre of the bin of 2^exponent: bins are 80/512 wide from 2^-40 on.
double centreOf(double exponent)
{
    const double width = 80.0 / 512.0;
    return std::exp2((std::floor((exponent + 40.0) / width) + 0.5) * width - 40.0);
}

TEST_CASE("a low percentile times the ratio, unless the upper one is larger")
{
    BlockMaxima maxima;
    for (int i = 0; i < 99; ++i)
        maxima.add(8.0F);
    maxima.add(1.0F);
    CHECK(maxima.maximum({.ratio = 100.0}) == test::Approx(100.0 * centreOf(0.0)));
    CHECK(maxima.maximum({.anchorPercentile = 2.0, .ratio = 100.0}) ==
          test::Approx(100.0 * centreOf(3.0)));
    CHECK(maxima.maximum({.ratio = 2.0}) == test::Approx(centreOf(3.0)));
    CHECK(maxima.maximum({.upperPercentile = 100.0, .ratio = 2.0}) == 8.0);
}

TEST_CASE("blocks below a millionth of the upper percentile are no anchor, zeros are not counted")
{
    BlockMaxima maxima;
    for (int i = 0; i < 50; ++i) {
        maxima.add(1.0F);
        maxima.add(1e-9F);
        maxima.add(0.0F);
    }
    CHECK(maxima.maximum({.ratio = 100.0}) == test::Approx(100.0 * centreOf(0.0)));
}

TEST_CASE("without a block that counts there is no maximum, and the ends hold what lies beyond")
{
    CHECK(BlockMaxima().maximum({}) == 0.0);
    BlockMaxima maxima;
    maxima.add(std::numeric_limits<float>::max());
    CHECK(maxima.maximum({.ratio = 1.0}) == test::Approx(std::exp2(40.0 - 40.0 / 512.0)));
    BlockMaxima small;
    small.add(std::numeric_limits<float>::denorm_min());
    CHECK(small.maximum({.ratio = 1.0}) == test::Approx(std::exp2(-40.0 + 40.0 / 512.0)));
}

}  // namespace headroom_test
