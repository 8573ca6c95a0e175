// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/half_floats.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace half_floats_test {

namespace kernels_half_floats_test {

using namespace calibscope;

std::vector<std::uint16_t> allPatterns()
{
    std::vector<std::uint16_t> patterns(65536);
    std::iota(patterns.begin(), patterns.end(), std::uint16_t{0});
    return patterns;
}

/// IEEE 754-2019, 3.4: value from sign, exponent and mantissa, in exact arithmetic.
double byDefinition(unsigned pattern, int mantissaBits, int bias)
{
    const double sign = (pattern >> 15) != 0 ? -1.0 : 1.0;
    const int largest = (1 << (15 - mantissaBits)) - 1;
    const int exponent = static_cast<int>(pattern >> mantissaBits) & largest;
    const double fraction = (pattern & ((1U << mantissaBits) - 1)) / std::exp2(mantissaBits);
    if (exponent == largest)
        return fraction == 0.0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
    if (exponent == 0)
        return sign * fraction * std::exp2(1 - bias);
    return sign * (1.0 + fraction) * std::exp2(exponent - bias);
}

std::size_t differences(auto valueOf, int mantissaBits, int bias)
{
    return static_cast<std::size_t>(std::ranges::count_if(allPatterns(), [&](auto pattern) {
        const double value = static_cast<double>(valueOf(pattern));
        const double expected = byDefinition(pattern, mantissaBits, bias);
        return std::isnan(expected)
                   ? !std::isnan(value)
                   : std::bit_cast<std::uint64_t>(value) != std::bit_cast<std::uint64_t>(expected);
    }));
}

/// Converts words that lie at an odd address, in either order of bytes.
std::vector<float> converted(auto convert, std::vector<std::uint16_t> words, bool isSwapped)
{
    if (isSwapped)
        for (std::uint16_t& word : words)
            word = static_cast<std::uint16_t>(word << 8 | word >> 8);
    std::vector<std::byte> bytes(2 * words.size() + 1);
    std::ranges::copy(std::as_bytes(std::span(words)), bytes.begin() + 1);
    std::vector<float> values(words.size());
    convert(std::span<const std::byte>(bytes).subspan(1), isSwapped, values);
    return values;
}

void checkConversion(auto convert, auto valueOf)
{
    for (const bool isSwapped : {false, true})
        for (const std::size_t size : {0U, 1U, 7U, 15U, 16U, 17U, 33U, 65536U}) {
            INFO(size << " values" << (isSwapped ? ", swapped" : ""));
            std::vector<std::uint16_t> patterns = allPatterns();
            patterns.erase(patterns.begin() + static_cast<std::ptrdiff_t>(size), patterns.end());
            const std::vector<float> values = converted(convert, patterns, isSwapped);
            CHECK(std::ranges::equal(patterns, values, [&](std::uint16_t pattern, float value) {
                return std::bit_cast<std::uint32_t>(valueOf(pattern)) ==
                       std::bit_cast<std::uint32_t>(value);
            }));
        }
}

TEST_CASE("all 65536 patterns of the 16-bit floats have the value of their definition")
{
    CHECK(differences(kernels::float16Value, 10, 15) == 0);
    CHECK(differences(kernels::bfloat16Value, 7, 127) == 0);
}

TEST_CASE("16-bit floats by vectors have the bits of those one by one, in both byte orders")
{
    checkConversion(kernels::float16Values, kernels::float16Value);
    checkConversion(kernels::bfloat16Values, kernels::bfloat16Value);
}

TEST_CASE("a signalling NaN of binary16 becomes a quiet one of the same payload")
{
    CHECK(std::bit_cast<std::uint32_t>(kernels::float16Value(0x7c01)) == 0x7fc02000U);
    CHECK(std::bit_cast<std::uint32_t>(kernels::float16Value(0xfe01)) == 0xffc02000U);
}

TEST_CASE("the nearest pattern of a binary16's value is its own, and ties go to the even one")
{
    for (const std::uint16_t pattern : allPatterns())
        if (const float value = kernels::float16Value(pattern); !std::isnan(value))
            REQUIRE(kernels::float16Pattern(value) == pattern);
    CHECK(kernels::float16Pattern(1.0F + 0x1p-11F) == 0x3c00);
    CHECK(kernels::float16Pattern(1.0F + 3 * 0x1p-11F) == 0x3c02);
    CHECK(kernels::float16Pattern(65519.0F) == 0x7bff);
    CHECK(kernels::float16Pattern(65520.0F) == 0x7c00);
}

}  // namespace kernels_half_floats_test

}  // namespace half_floats_test
