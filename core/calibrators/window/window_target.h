// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"
#include "core/calibrators/window/window_search.h"

#include <cstdint>
#include <string>
#include <vector>

namespace calibscope {

/// The histogram that the calibrator "kl-window" starts from.
[[nodiscard]] HistogramSpec windowSpec(const Settings& settings);

/// Nothing clipped: what its search starts from.
[[nodiscard]] ClipChoice wholeRange(const Scheme& scheme, const Extents& extents);

/// The counts over the range that the scheme gives to unclipped data, and its edges.
struct WindowTarget
{
    Range range;
    std::vector<std::uint64_t> counts;
    bool inFloat32 = false;

    /// Lower edge of a bin; of the bin behind the last: the range's upper end.
    [[nodiscard]] double edge(std::size_t bin) const;
    [[nodiscard]] Range ends(const Window& window) const
    {
        return {edge(window.first), edge(window.last + 1)};
    }
    /// Whether its bins have a width in its arithmetic.
    [[nodiscard]] bool canBeSearched() const;
    /// The symmetric range that keeps both ends of a window: the end that is the larger share of
    /// its end of the whole range decides, the other one follows.
    [[nodiscard]] Range evenedOut(const Range& ends) const;
    /// The window's place on the curve: its symmetric range's threshold, else half its width.
    [[nodiscard]] double threshold(const Window& window, bool isSymmetric) const;
};

[[nodiscard]] WindowTarget windowTarget(const CalibratorInput& input, const Histogram& histogram,
                                        const ClipChoice& whole);
[[nodiscard]] WindowRule windowRule(const CalibratorInput& input, const WindowTarget& target);

/// Why there is nothing to search; empty: there is.
[[nodiscard]] std::string reasonToKeepAll(const Extents& extents, const WindowTarget& target,
                                          const WindowRule& rule);

}  // namespace calibscope
