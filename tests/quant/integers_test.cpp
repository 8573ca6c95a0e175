// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/integers.h"

#include "tests/support/catch.h"

#include <limits>
#include <vector>

namespace integers_test {

using namespace calibscope;

TEST_CASE("half steps go to the even integer, and the quotient is one of float32")
{
    const IntegerScale quarter{.scale = 0.25F};
    CHECK(integerOf(0.125F, quarter) == 0);
    CHECK(integerOf(0.375F, quarter) == 2);
    CHECK(integerOf(-0.125F, quarter) == 0);
    CHECK(integerOf(-0.375F, quarter) == -2);
    // NumPy: float32(3.45) / float32(0.3) is 11.5, to 12; in double it is 11.4999997, to 11.
    const IntegerScale tenths{.scale = 0.3F};
    CHECK(integerOf(3.45F, tenths) == 12);
    CHECK(integerOf(2.5500002F, tenths) == 8);  // 8.5; in double 8.5000003
}

TEST_CASE("integers stay within their levels")
{
    const IntegerScale restricted{.scale = 1.0F, .low = -127};
    CHECK(integerOf(-128.0F, restricted) == -127);
    CHECK(integerOf(1e30F, restricted) == 127);
    CHECK(integerOf(-std::numeric_limits<float>::infinity(), {.zeroPoint = 5}) == -128);
    CHECK(integerOf(1.0F, {.scale = std::numeric_limits<float>::denorm_min()}) == 127);
    std::vector<std::int8_t> integers(3);
    toIntegers(std::vector<float>{-1.0F, 0.0F, 1.0F}, {.scale = 0.5F, .zeroPoint = 3},
               std::span(integers));
    CHECK(integers == std::vector<std::int8_t>{1, 3, 5});
    CHECK(fromInteger(5, {.scale = 0.5F, .zeroPoint = 3}) == 1.0F);
}

}  // namespace integers_test
