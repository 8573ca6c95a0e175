// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O2 -ftree-slp-vectorize (tests/CMakeLists.txt), where GCC 12 forgets the rounding of two casts that are stored side by
// side.
#include "core/base/float32.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>

namespace float32_test {

using namespace calibscope;

struct Pair
{
    double low;
    double high;
};

[[gnu::noinline]] Pair roundedPair(double low, double high)
{
    return {toFloat32(low), toFloat32(high)};
}

TEST_CASE("two values that are stored side by side are both rounded")
{
    const Pair pair = roundedPair(0.1, 0.3);
    // 0.1 and 0.3 in 24 bits: 13421773 / 2^27 and 10066330 / 2^25.
    CHECK(pair.low == 13421773.0 / 134217728.0);
    CHECK(pair.high == 10066330.0 / 33554432.0);
}

TEST_CASE("ties go to the even float32, and what float32 holds stays")
{
    constexpr double between = 16777217.0;  // 2^24 + 1
    CHECK(toFloat32(between) == 16777216.0);
    CHECK(toFloat32(between + 2.0) == 16777220.0);
    CHECK(toFloat32(-1.5) == -1.5);
    CHECK(toFloat32(1e-45) == std::ldexp(1.0, -149));
    CHECK(std::signbit(toFloat32(-0.0)));
}

TEST_CASE("beyond float32's largest number is infinite, and NaN stays NaN")
{
    constexpr double most = std::numeric_limits<float>::max();
    CHECK(toFloat32(most) == most);
    CHECK(std::isinf(toFloat32(-1e39)));
    CHECK(std::isnan(toFloat32(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace float32_test
