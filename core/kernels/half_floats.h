// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace calibscope::kernels {

static_assert(std::numeric_limits<float>::is_iec559, "float is taken for binary32");

/// The value of a bfloat16 pattern: the upper half of a binary32. NaN keep their bits.
[[nodiscard]] inline float bfloat16Value(std::uint16_t pattern)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(pattern) << 16);
}

/// The value of a binary16 pattern. Exact; infinities stay what they are, NaN too, but that their
/// first mantissa bit is set (as processors do). Without branches, so that loops over it become
/// vector instructions, and without arithmetic on subnormals, which is slow on some processors.
[[nodiscard]] inline float float16Value(std::uint16_t pattern)
{
    constexpr std::uint32_t rebias = (127 - 15) << 23;
    constexpr std::uint32_t infinity = 31U << 23;
    const std::uint32_t sign = static_cast<std::uint32_t>(pattern & 0x8000U) << 16;
    const std::uint32_t moved = static_cast<std::uint32_t>(pattern & 0x7fffU) << 13;
    const std::uint32_t normal = moved + rebias;
    // m 2^-24 is 2^-14 (1 + m 2^-10) - 2^-14, and both lie on float32's grid there.
    const std::uint32_t subnormal =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(normal + (1U << 23)) - 0x1p-14F);
    // Masks, of signed comparisons: vector instructions have no others.
    const auto exponent = static_cast<std::int32_t>(moved >> 23);
    const std::uint32_t isSpecial = 0U - static_cast<std::uint32_t>(exponent > 30);
    const std::uint32_t isSubnormal = 0U - static_cast<std::uint32_t>(exponent < 1);
    const std::uint32_t isNan =
        0U - static_cast<std::uint32_t>(static_cast<std::int32_t>(moved) >
                                        static_cast<std::int32_t>(infinity));
    const std::uint32_t rest = (normal + (rebias & isSpecial)) | (isNan & 0x00400000U);
    return std::bit_cast<float>(sign | (subnormal & isSubnormal) | (rest & ~isSubnormal));
}

/// The nearest binary16 pattern, ties to even; beyond 65504 and half a step: infinity.
[[nodiscard]] inline std::uint16_t float16Pattern(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
    if (std::isnan(value))
        return static_cast<std::uint16_t>(sign | 0x7e00U);
    const double magnitude = std::abs(static_cast<double>(value));
    if (magnitude >= 65520.0)
        return static_cast<std::uint16_t>(sign | 0x7c00U);
    // Steps of subnormals and of the first binade are 2^-24; each further binade doubles them.
    const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
    const auto steps =
        static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
    const auto binade = static_cast<std::uint32_t>(exponent + 14) << 10U;
    return static_cast<std::uint16_t>(sign + binade + steps);
}

/// The values of patterns as they are stored; `isSwapped`: with the bytes of each in the other
/// order than this machine's. Both hold equally many.
void float16Values(std::span<const std::byte> stored, bool isSwapped, std::span<float> values);
void bfloat16Values(std::span<const std::byte> stored, bool isSwapped, std::span<float> values);

}  // namespace calibscope::kernels
