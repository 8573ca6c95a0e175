// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/small_float.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <vector>

namespace small_float_test {

using namespace calibscope;
using Kind = ElementType::Kind;

constexpr double inf = std::numeric_limits<double>::infinity();
const double notANumber = std::nan("");

bool isSame(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// IEEE 754-2019, 3.4: value from sign, exponent and mantissa, in exact arithmetic. Where
/// `hasSpecials` is false the largest exponent is one like any other.
double byDefinition(unsigned pattern, int bits, int exponentBits, int bias, bool hasSpecials = true)
{
    const int mantissaBits = bits - 1 - exponentBits;
    const double sign = (pattern >> (bits - 1)) != 0 ? -1.0 : 1.0;
    const int largest = (1 << exponentBits) - 1;
    const int exponent = static_cast<int>(pattern >> mantissaBits) & largest;
    const double fraction = (pattern & ((1U << mantissaBits) - 1)) / std::exp2(mantissaBits);
    if (hasSpecials && exponent == largest)
        return fraction == 0.0 ? sign * inf : notANumber;
    if (exponent == 0)
        return sign * fraction * std::exp2(1 - bias);
    return sign * (1.0 + fraction) * std::exp2(exponent - bias);
}

template <typename Expected>
std::size_t differences(unsigned patterns, auto valueOf, Expected expected)
{
    std::size_t different = 0;
    for (unsigned pattern = 0; pattern < patterns; ++pattern)
        different += isSame(static_cast<double>(valueOf(pattern)), expected(pattern)) ? 0U : 1U;
    return different;
}

std::size_t differences(Kind kind, auto expected)
{
    return differences(
        256, [&](unsigned pattern) { return float8Values(kind)[pattern]; }, expected);
}

TEST_CASE("all patterns of the 8-bit floats have the value of their definition")
{
    CHECK(differences(Kind::Float8E5m2,
                      [](unsigned pattern) { return byDefinition(pattern, 8, 5, 15); }) == 0);
    CHECK(differences(Kind::Float8E4m3,
                      [](unsigned pattern) { return byDefinition(pattern, 8, 4, 7); }) == 0);
    CHECK(differences(Kind::Float8E4m3fn, [](unsigned pattern) {
              return (pattern & 0x7fU) == 0x7f ? notANumber : byDefinition(pattern, 8, 4, 7, false);
          }) == 0);
    CHECK(differences(Kind::Float8E4m3fnuz, [](unsigned pattern) {
              return pattern == 0x80 ? notANumber : byDefinition(pattern, 8, 4, 8, false);
          }) == 0);
    CHECK(differences(Kind::Float8E5m2fnuz, [](unsigned pattern) {
              return pattern == 0x80 ? notANumber : byDefinition(pattern, 8, 5, 16, false);
          }) == 0);
    CHECK(differences(Kind::Float8E4m3b11fnuz, [](unsigned pattern) {
              return pattern == 0x80 ? notANumber : byDefinition(pattern, 8, 4, 11, false);
          }) == 0);
}

TEST_CASE("the ends of the 8-bit floats are those that their specifications list")
{
    // OCP 8-bit floating point specification 1.0, table 1; Python package ml_dtypes, finfo()
    struct Ends
    {
        Kind kind;
        std::size_t largestPattern;
        float largest;
        float leastNormal;
        std::size_t leastNormalPattern;
        float leastSubnormal;
    };
    for (const Ends& ends :
         std::vector<Ends>{{Kind::Float8E4m3fn, 0x7e, 448.0F, 0x1p-6F, 0x08, 0x1p-9F},
                           {Kind::Float8E5m2, 0x7b, 57344.0F, 0x1p-14F, 0x04, 0x1p-16F},
                           {Kind::Float8E4m3, 0x77, 240.0F, 0x1p-6F, 0x08, 0x1p-9F},
                           {Kind::Float8E4m3fnuz, 0x7f, 240.0F, 0x1p-7F, 0x08, 0x1p-10F},
                           {Kind::Float8E5m2fnuz, 0x7f, 57344.0F, 0x1p-15F, 0x04, 0x1p-17F},
                           {Kind::Float8E4m3b11fnuz, 0x7f, 30.0F, 0x1p-10F, 0x08, 0x1p-13F}}) {
        const auto& values = float8Values(ends.kind);
        CHECK(values[ends.largestPattern] == ends.largest);
        CHECK(values[ends.leastNormalPattern] == ends.leastNormal);
        CHECK(values[1] == ends.leastSubnormal);
    }
}

TEST_CASE("only 8-bit floats have a table of values")
{
    CHECK_THROWS(float8Values(Kind::Uint8));
    CHECK_THROWS(float8Values(Kind::Float16));
}

}  // namespace small_float_test
