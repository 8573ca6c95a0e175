// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace calibscope::kernels {

/// Counts and ends of the finite values among some floats; the ends are 0 while there are none, and
/// never -0.
struct FloatEnds
{
    std::uint64_t finite = 0;
    std::uint64_t zeros = 0;
    float least = 0.0F;
    float greatest = 0.0F;
    float leastMagnitude = 0.0F;

    bool operator==(const FloatEnds&) const = default;
};

/// At most 2^30 values.
[[nodiscard]] FloatEnds floatEnds(std::span<const float> values);
/// The same, value by value: what the vector form is held against.
[[nodiscard]] FloatEnds floatEndsPlain(std::span<const float> values);

/// How many values equal that one.
[[nodiscard]] std::uint64_t countEqual(std::span<const float> values, float wanted);
[[nodiscard]] std::uint64_t countEqualPlain(std::span<const float> values, float wanted);

/// The largest magnitude but for one value that has `greatest`; 0 without another. Values of larger
/// magnitude, and those that are not finite, are left out.
[[nodiscard]] float secondMagnitude(std::span<const float> values, float greatest);
[[nodiscard]] float secondMagnitudePlain(std::span<const float> values, float greatest);

}  // namespace calibscope::kernels
