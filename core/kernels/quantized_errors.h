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
/// numbers. A place stands for scale (place - shift).
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

/// Sums over values x and what they are quantized to, q: value i in lane i mod 16.
struct QuantizedErrors
{
    SummingLanes squares{};  ///< of x
    SummingLanes squaresQuantized{};
    SummingLanes products{};  ///< x q
    SummingLanes rounding{};  ///< (x - q)^2 of values that are not clipped
    SummingLanes clipping{};  ///< of those that are
    SummingLanes largest{};   ///< |x - q|
    std::uint64_t clipped = 0;

    bool operator==(const QuantizedErrors&) const = default;
};

/// The sums of finite values. Writes each value's place, from 0 for the lowest, to `places`, which
/// has `vectorRoom` elements more than there are values.
QuantizedErrors quantizedErrors(std::span<const float> values, const Lattice& lattice,
                                std::span<std::uint32_t> places);
/// The same, value by value: what the vector form is held against.
QuantizedErrors quantizedErrorsPlain(std::span<const float> values, const Lattice& lattice,
                                     std::span<std::uint32_t> places);

}  // namespace calibscope::kernels
