// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/first_not_finite.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

void FirstNotFinite::add(std::span<const float> values, std::uint64_t firstIndex,
                         const Extents& counts)
{
    const auto indexOfFirst = [&](auto isOfKind) -> std::optional<std::uint64_t> {
        const auto found = std::ranges::find_if(values, isOfKind);
        if (found == values.end())
            return std::nullopt;
        return firstIndex + static_cast<std::uint64_t>(found - values.begin());
    };
    if (!nan && counts.nan > 0)
        nan = indexOfFirst([](float value) { return std::isnan(value); });
    if (!infinite && counts.infinite() > 0)
        infinite = indexOfFirst([](float value) { return std::isinf(value); });
}

}  // namespace calibscope
