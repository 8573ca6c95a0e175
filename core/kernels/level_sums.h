// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/summing_lanes.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace calibscope::kernels {

/// Values that levelSums() takes at once: so few that its sums of small integers stay exact.
constexpr std::size_t levelStretch = 4096;
/// The largest magnitude of a level that it takes.
constexpr int mostLevel = 256;

/// How values become levels: clip(round(x perScale)) to [low, high], which hold 0.
struct LevelSumsRule
{
    float perScale = 1.0F;
    int low = -127;
    int high = 127;
};

/// Sums over values and their levels z, value i in lane i mod 16.
struct LevelSums
{
    SummingLanes xz{};  ///< exact where each lane's sum of |x z| is below 2^53 units in the last
                        ///< place of the smallest x that has a level other than 0
    std::uint64_t zz = 0;
    std::size_t near = 0;  ///< values left out because they may have another level

    bool operator==(const LevelSums&) const = default;
};

/// Sums of a stretch: a multiple of 16 finite values, at most `levelStretch`. Values so near to the
/// border of two levels that the product with `perScale` instead of a division by the scale may
/// decide otherwise are left out of the sums; their places are written to `near`, which has room
/// for all. `perScale` is the nearest float to 1 / scale and neither huge nor tiny (2^-100 to
/// 2^100).
LevelSums levelSums(std::span<const float> values, const LevelSumsRule& rule,
                    std::span<std::uint16_t> near);
/// The same, value by value: what the vector form is held against.
LevelSums levelSumsPlain(std::span<const float> values, const LevelSumsRule& rule,
                         std::span<std::uint16_t> near);

}  // namespace calibscope::kernels
