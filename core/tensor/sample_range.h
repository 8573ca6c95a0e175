// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace calibscope {

/// Samples of a tensor in a row, from `first` to before `end`.
struct SampleRange
{
    std::uint64_t first = 0;
    std::uint64_t end = std::numeric_limits<std::uint64_t>::max();  ///< may be beyond the last one

    /// Whether these are all of so many samples.
    [[nodiscard]] bool holdsAll(std::uint64_t samples) const
    {
        return first == 0 && end >= samples;
    }
    /// Those that are among `count` samples from `begin` on, counted from there.
    [[nodiscard]] SampleRange within(std::uint64_t begin, std::uint64_t count) const
    {
        const auto moved = [&](std::uint64_t sample) {
            return std::clamp(sample, begin, begin + count) - begin;
        };
        return {.first = moved(first), .end = moved(end)};
    }
    bool operator==(const SampleRange&) const = default;
};

}  // namespace calibscope
