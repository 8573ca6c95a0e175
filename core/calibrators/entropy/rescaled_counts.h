// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Counts of equal bins over `from`, moved to `bins` equal bins over `to`: each bin gives every bin
/// that it overlaps its share in proportion, rounded to whole counts; what rounding leaves over
/// goes to the last of them. What lies outside `to` goes to the end bins. The sum is kept. The same
/// number of bins over the same range: unchanged.
///
/// `to` must be wider than 0. A `from` of width 0 moves all counts to the bin of its value. With
/// `inFloat32` every step is rounded to float32. Source: Glow, rescaleHistogram (2024).
[[nodiscard]] std::vector<std::uint64_t> rescaledCounts(std::span<const std::uint64_t> counts,
                                                        const Range& from, const Range& to,
                                                        std::size_t bins, bool inFloat32);

}  // namespace calibscope
