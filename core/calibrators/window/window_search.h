// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Some neighbouring bins of a histogram, and how far their coarse form is from them.
struct Window
{
    std::size_t first = 0;  ///< both included
    std::size_t last = 0;
    double divergence =
        0.0;               ///< nats; +inf where the window holds no counts and is not to be taken
    bool isEmpty = false;  ///< holds no counts
};

struct WindowRule
{
    std::size_t levels = 255;      ///< at least 2
    bool splitsBins = true;        ///< levels share the bins on their borders; else whole bins, the
                                   ///< last level takes what division leaves over
    bool takesEmpty = false;       ///< a window without counts has divergence 0
    bool shrinksBothEnds = false;  ///< else whatever loses the fewest counts
    bool zeroMayLeave = false;
    double zeroPlace = 0.0;  ///< of the value 0, in bins from the lower end of bin 0
    bool sumsInFloat32 = false;
};

/// All windows that the search visits, the widest (all bins) first; none for fewer bins than
/// levels. Each next one leaves out two bins more: one at each end, or two at one end, whatever
/// loses the fewest counts (equal: both ends, then the lower end). Where 0 may not leave the
/// window, only steps that keep it are taken. The search ends with the last window that has a bin
/// for each level, or when no step is left.
///
/// Divergence: P is the window with all counts outside added to its end bins. Q spreads each
/// level's counts within the window evenly over its bins that are not empty, where P is not empty.
/// Empty bins of either are given 1e-4 counts, taken from the others in equal parts unless that is
/// a count or more each. D = KL(P || Q), each divided by its sum; a bin whose Q is not above 0 is
/// left out. In double the windows within 1e-9 of the least are added bin by bin, the others by level:
/// within 1e-11 of that. Cost: bins times levels; in float32, which fixes the order of additions,
/// bins^2 / 2. Source: Glow, optimizeKL (2024).
[[nodiscard]] std::vector<Window> searchWindows(std::span<const std::uint64_t> counts,
                                                const WindowRule& rule);

/// The same windows without their divergences. Cost: bins.
[[nodiscard]] std::vector<Window> visitedWindows(std::span<const std::uint64_t> counts,
                                                 const WindowRule& rule);

/// The window with its divergence.
[[nodiscard]] Window measuredWindow(std::span<const std::uint64_t> counts, const Window& window,
                                    const WindowRule& rule);

/// P and Q of a window's divergence, by its bins, before empty ones are given counts.
struct WindowHistograms
{
    std::vector<double> truncated;
    std::vector<double> coarse;
};
[[nodiscard]] WindowHistograms windowHistograms(std::span<const std::uint64_t> counts,
                                                const Window& window, const WindowRule& rule);

}  // namespace calibscope
