// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"

#include "tests/support/catch.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace number_text_test {

using namespace calibscope;

TEST_CASE("a number's text is the shortest that reads back to the same double")
{
    CHECK(numberText(0.1) == "0.1");
    CHECK(numberText(127.0) == "127");
    CHECK(numberText(1.0 / 3.0) == "0.3333333333333333");
    CHECK(numberText(std::uint64_t{18446744073709551615U}) == "18446744073709551615");
    std::mt19937_64 engine(3);
    for (int round = 0; round < 2000; ++round) {
        const double value = std::bit_cast<double>(engine());
        if (std::isfinite(value) && value != 0.0)
            CHECK(std::bit_cast<std::uint64_t>(*parseNumber(numberText(value))) ==
                  std::bit_cast<std::uint64_t>(value));
    }
}

TEST_CASE("infinity and NaN have words")
{
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(numberText(inf) == "inf");
    CHECK(numberText(-inf) == "-inf");
    CHECK(numberText(std::nan("")) == "nan");
    CHECK(parseNumber("-inf") == -inf);
}

TEST_CASE("what is not wholly a number is none")
{
    for (const char* text : {"", "x", "1x", "1,5", " 1", "+", "0x10"})
        CHECK_FALSE(parseNumber(text).has_value());
    CHECK(parseNumber("+1.5") == 1.5);
    CHECK(parseNumber("1e-3") == 0.001);
}

TEST_CASE("a count goes with the singular for one, with the plural for all else")
{
    CHECK(countText(0, "bin", "bins") == "0 bins");
    CHECK(countText(1, "bin", "bins") == "1 bin");
    CHECK(countText(2, "bin", "bins") == "2 bins");
}

TEST_CASE("a negative zero is 0")
{
    CHECK(numberText(-0.0) == "0");
    CHECK(numberText(-1e-300) == "-1e-300");
}

}  // namespace number_text_test
