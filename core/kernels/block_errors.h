// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/kept_patterns.h"
#include "core/kernels/summing_lanes.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace calibscope::kernels {

/// Where the middle between two whole numbers goes.
enum class Halves { ToEven, AwayFromZero, Up };

/// Places of values on a lattice: round(x / scale + shift), clamped to [low, high], which are whole
/// numbers and less than 2^16 apart. A place stands for scale (place - shift).
struct Lattice
{
    double scale = 1.0;
    double shift = 0.0;
    double low = -127.0;
    double high = 127.0;
    double clipLow = -127.0;  ///< values outside are clipped
    double clipHigh = 127.0;
    Halves halves = Halves::ToEven;
};

/// Finite values, and their ends (floatEnds()): where these lie within the clip range nothing is
/// clipped.
struct ValueBlock
{
    std::span<const float> values;
    float least = 0.0F;
    float greatest = 0.0F;
};

/// Sums over values x and what they are quantized to, q: value i in lane i mod 16.
struct QuantizedErrors
{
    SummingLanes squaresQuantized{};
    SummingLanes products{};  ///< x q
    SummingLanes rounding{};  ///< (x - q)^2 of values that are not clipped
    SummingLanes clipping{};  ///< of those that are
    double largest = 0.0;     ///< |x - q|, or what was known
    std::uint64_t clipped = 0;

    bool operator==(const QuantizedErrors&) const = default;
};

/// The sums of a block under one quantizer, to be called for each of them while the block is near.
/// `known` is a largest error that was found before: a larger one is looked for only where there
/// may be any. Writes each value's place, from 0 for the lowest, to `places`, which has
/// `vectorRoom` elements more than there are values.
[[nodiscard]] QuantizedErrors blockErrors(const ValueBlock& block, const Lattice& lattice,
                                          double known, std::span<std::uint16_t> places);
/// The same, value by value: what the vector form is held against.
[[nodiscard]] QuantizedErrors blockErrorsPlain(const ValueBlock& block, const Lattice& lattice,
                                               double known, std::span<std::uint16_t> places);

/// Sums over the squares of finite values, value i in lane i mod 16. The same for every quantizer.
[[nodiscard]] SummingLanes squaresOf(std::span<const float> values);
[[nodiscard]] SummingLanes squaresOfPlain(std::span<const float> values);

}  // namespace calibscope::kernels
