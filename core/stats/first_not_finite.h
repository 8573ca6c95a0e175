// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/extents.h"

#include <cstdint>
#include <optional>
#include <span>

namespace calibscope {

/// Where a tensor's first values that are not finite lie: flat row-major indices, absent where
/// there is none.
struct FirstNotFinite
{
    std::optional<std::uint64_t> nan;
    std::optional<std::uint64_t> infinite;  ///< of either sign

    /// Adds the values from a flat index on, whose extents are `counts`: they are searched only
    /// where those tell of a kind that was not met yet. Values come in ascending order of index.
    void add(std::span<const float> values, std::uint64_t firstIndex, const Extents& counts);
    bool operator==(const FirstNotFinite&) const = default;
};

}  // namespace calibscope
