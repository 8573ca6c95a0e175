// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/number_format.h"

#include "tests/support/catch.h"

#include <array>

namespace number_format_test {

using namespace calibscope;

constexpr std::array fp4{-6.0F, -4.0F, -3.0F, -2.0F, -1.5F, -1.0F, -0.5F, 0.0F,
                         0.5F,  1.0F,  1.5F,  2.0F,  3.0F,  4.0F,  6.0F};

TEST_CASE("a range of integers is known by its bits, and by its ends where some are left out")
{
    CHECK(NumberFormat().id() == "int8");
    CHECK(NumberFormat::integers(-128, 127).id() == "int8");
    CHECK(NumberFormat::integers(-127, 127).id() == "int8[-127,127]");
    CHECK(NumberFormat::integers(-63, 63).id() == "int7[-63,63]");
    CHECK(NumberFormat::integers(0, 255).id() == "uint8");
    CHECK(NumberFormat::integers(1, 255).id() == "uint8[1,255]");
    CHECK(NumberFormat::integers(-8, 7).id() == "int4");
    CHECK(NumberFormat::integers(0, 15).id() == "uint4");
    CHECK(NumberFormat::integers(-32768, 32767).id() == "int16");
    CHECK(NumberFormat::integers(-1, 1).bits() == 2);
    CHECK(NumberFormat::integers(-1, 0).bits() == 1);
}

TEST_CASE("integers are listed from low to high")
{
    const NumberFormat format = NumberFormat::integers(-8, 7);
    CHECK(format.isInteger());
    CHECK(format.count() == 16);
    CHECK(format.number(0) == -8.0);
    CHECK(format.number(15) == 7.0);
    CHECK(format.least() == -8.0);
    CHECK(format.largest() == 7.0);
    CHECK(format.low() == -8);
    CHECK(format.high() == 7);
}

TEST_CASE("a format can be any set of numbers")
{
    const NumberFormat format = NumberFormat::table("fp4-e2m1", fp4);
    CHECK_FALSE(format.isInteger());
    CHECK(format.id() == "fp4-e2m1");
    CHECK(format.bits() == 4);
    CHECK(format.count() == 15);
    CHECK(format.number(4) == -1.5);
    CHECK(format.least() == -6.0);
    CHECK(format.largest() == 6.0);
}

TEST_CASE("formats are equal with the same numbers under the same id")
{
    CHECK(NumberFormat::integers(-128, 127) == NumberFormat());
    CHECK_FALSE(NumberFormat::integers(-127, 127) == NumberFormat());
    CHECK(NumberFormat::table("fp4-e2m1", fp4) == NumberFormat::table("fp4-e2m1", fp4));
    CHECK_FALSE(NumberFormat::table("fp4-e2m1", fp4) == NumberFormat::table("other", fp4));
    CHECK_FALSE(NumberFormat::table("fp4-e2m1", fp4) == NumberFormat());
}

}  // namespace number_format_test
