// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/moments.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace moments_test {

using namespace calibscope;
using calibscope::test::Approx;

std::vector<float> gaussian(std::size_t count, unsigned seed)
{
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(3.0F, 2.0F);
    std::vector<float> values(count);
    for (float& value : values)
        value = normal(engine);
    return values;
}

TEST_CASE("moments of a few values are those worked out by hand")
{
    Moments moments;
    moments.add(std::vector<float>{1.0F, 2.0F, 3.0F, 6.0F});
    CHECK(moments.sum == 12.0);
    CHECK(moments.sumSquares == 50.0);
    CHECK(moments.mean == 3.0);
    CHECK(moments.m2 == 14.0);  // 4 + 1 + 0 + 9
    CHECK(moments.m3 == 18.0);  // -8 - 1 + 0 + 27
    CHECK(moments.m4 == 98.0);  // 16 + 1 + 0 + 81
    CHECK(moments.standardDeviation() == Approx(std::sqrt(3.5)));
    CHECK(moments.kurtosis() == Approx(98.0 * 4.0 / 196.0 - 3.0));
}

TEST_CASE("NaN and infinities are counted and left out of every moment")
{
    const float inf = std::numeric_limits<float>::infinity();
    Moments moments;
    moments.add(std::vector<float>{1.0F, std::nanf(""), inf, -inf, -inf, -3.0F, 0.0F, -0.0F});
    CHECK(moments.extents.values() == 8);
    CHECK(moments.extents.finite == 4);
    CHECK(moments.extents.nan == 1);
    CHECK(moments.extents.positiveInf == 1);
    CHECK(moments.extents.negativeInf == 2);
    CHECK(moments.extents.zeros == 2);
    CHECK(moments.extents.min == -3.0);
    CHECK(moments.extents.max == 1.0);
    CHECK(moments.extents.absMax() == 3.0);
    CHECK(moments.sum == -2.0);
}

TEST_CASE("no data and constant data have moments, but no kurtosis")
{
    Moments nothing;
    nothing.add(std::vector<float>{});
    CHECK(nothing.extents == Extents{});
    CHECK(nothing.standardDeviation() == 0.0);
    CHECK(std::isnan(nothing.kurtosis()));

    Moments constant;
    constant.add(std::vector<float>(10000, 0.75F));
    CHECK(constant.mean == 0.75);
    CHECK(constant.m2 == 0.0);
    CHECK(std::isnan(constant.kurtosis()));
}

TEST_CASE("moments agree with sums of powers over the values in long double")
{
    const std::vector<float> values = gaussian(20000, 11);
    Moments moments;
    moments.add(values);
    long double sum = 0.0L;
    for (const float value : values)
        sum += static_cast<long double>(value);
    const long double mean = sum / static_cast<long double>(values.size());
    long double m2 = 0.0L;
    long double m4 = 0.0L;
    for (const float value : values) {
        const long double d = static_cast<long double>(value) - mean;
        m2 += d * d;
        m4 += d * d * d * d;
    }
    // Double sums of 20 000 terms: 1e-12 is about 20 000 roundings of 1e-16, most of which cancel.
    CHECK(moments.mean == Approx(static_cast<double>(mean)).epsilon(1e-12));
    CHECK(moments.m2 == Approx(static_cast<double>(m2)).epsilon(1e-12));
    CHECK(moments.m4 == Approx(static_cast<double>(m4)).epsilon(1e-12));
}

}  // namespace moments_test
