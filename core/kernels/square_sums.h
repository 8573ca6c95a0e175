// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/summing_lanes.h"

#include <span>

namespace calibscope::kernels {

/// Sums of squares in lanes of two doubles each, about 100 bits: `low` holds what the additions to
/// `high` round away.
struct SquareSums
{
    SummingLanes high{};
    SummingLanes low{};

    bool operator==(const SquareSums&) const = default;
};

/// Sums of x^2 over a multiple of 16 finite values, value i in lane i mod 16.
[[nodiscard]] SquareSums squareSums(std::span<const float> values);
/// The same, value by value: what the vector form is held against.
[[nodiscard]] SquareSums squareSumsPlain(std::span<const float> values);

}  // namespace calibscope::kernels
