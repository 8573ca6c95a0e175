// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/window/window_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace calibscope {

namespace {

constexpr double emptyBinCount = 1e-4;  // Glow, conditionHistogram: epsZero

/// The window with what lies outside added to its end bins.
template <typename Real>
std::vector<Real> truncated(const std::vector<Real>& counts, const Window& window)
{
    const auto begin = counts.begin();
    const auto first = begin + static_cast<std::ptrdiff_t>(window.first);
    const auto last = begin + static_cast<std::ptrdiff_t>(window.last);
    std::vector<Real> kept(first, last + 1);
    kept.front() = std::accumulate(begin, first + 1, Real{0});
    kept.back() = std::accumulate(last, counts.end(), Real{0});
    return kept;
}

/// Places are counted in parts of a bin, `parts` of them to each, so that borders are whole.
struct Level
{
    std::size_t begin;
    std::size_t end;
    std::size_t parts;

    [[nodiscard]] std::size_t firstBin() const { return begin / parts; }
    [[nodiscard]] std::size_t endBin() const { return (end + parts - 1) / parts; }
    /// Share of a bin that belongs to the level.
    template <typename Real>
    [[nodiscard]] Real shareOf(std::size_t bin) const
    {
        const std::size_t low = std::max(begin, bin * parts);
        const std::size_t high = std::min(end, (bin + 1) * parts);
        return static_cast<Real>(high - low) / static_cast<Real>(parts);
    }
};

Level levelOf(std::size_t level, std::size_t bins, const WindowRule& rule)
{
    if (rule.splitsBins)
        return {level * bins, (level + 1) * bins, rule.levels};
    const std::size_t whole = bins / rule.levels;
    return {level * whole, level + 1 < rule.levels ? (level + 1) * whole : bins, 1};
}

template <typename Real>
std::vector<Real> coarse(std::span<const Real> counts, const std::vector<Real>& kept,
                         const WindowRule& rule)
{
    std::vector<Real> spread(counts.size());
    for (std::size_t index = 0; index < rule.levels; ++index) {
        const Level level = levelOf(index, counts.size(), rule);
        Real sum = 0;
        Real filled = 0;
        for (std::size_t bin = level.firstBin(); bin < level.endBin(); ++bin) {
            const Real share = level.shareOf<Real>(bin);
            sum += share * counts[bin];
            filled += counts[bin] != Real{0} ? share : Real{0};
        }
        if (filled == Real{0})
            continue;
        for (std::size_t bin = level.firstBin(); bin < level.endBin(); ++bin)
            if (kept[bin] != Real{0})
                spread[bin] += level.shareOf<Real>(bin) * (sum / filled);
    }
    return spread;
}

template <typename Real>
void smooth(std::vector<Real>& counts)
{
    const auto empty = static_cast<std::size_t>(std::ranges::count(counts, Real{0}));
    if (empty == counts.size())
        return;
    constexpr Real given = static_cast<Real>(emptyBinCount);
    const Real taken = given * static_cast<Real>(empty) / static_cast<Real>(counts.size() - empty);
    if (taken >= Real{1})
        return;
    for (Real& count : counts)
        count = count == Real{0} ? given : count - taken;
}

template <typename Real>
double divergence(const std::vector<Real>& kept, const std::vector<Real>& spread)
{
    const Real keptSum = std::accumulate(kept.begin(), kept.end(), Real{0});
    const Real spreadSum = std::accumulate(spread.begin(), spread.end(), Real{0});
    Real sum = 0;
    for (std::size_t bin = 0; bin < kept.size(); ++bin) {
        const Real p = kept[bin] / keptSum;
        const Real q = spread[bin] / spreadSum;
        if (p > Real{0} && q > Real{0})
            sum += p * std::log(p / q);
    }
    return static_cast<double>(sum);
}

template <typename Real>
void measure(Window& window, const std::vector<Real>& counts, const WindowRule& rule)
{
    const std::span<const Real> within =
        std::span(counts).subspan(window.first, window.last - window.first + 1);
    window.isEmpty = std::ranges::all_of(within, [](Real count) { return count == Real{0}; });
    if (window.isEmpty) {
        window.divergence = rule.takesEmpty ? 0.0 : std::numeric_limits<double>::infinity();
        return;
    }
    std::vector<Real> kept = truncated(counts, window);
    std::vector<Real> spread = coarse(within, kept, rule);
    smooth(kept);
    smooth(spread);
    window.divergence = divergence(kept, spread);
}

/// A step inwards, and the counts of the two bins that it leaves out.
struct Step
{
    std::size_t below;
    std::size_t above;
    std::uint64_t lost;
};

bool keepsZero(const Window& window, const Step& step, const WindowRule& rule)
{
    return static_cast<double>(window.first + step.below) <= rule.zeroPlace &&
           rule.zeroPlace <= static_cast<double>(window.last + 1 - step.above);
}

std::optional<Window> nextWindow(const Window& window, std::span<const std::uint64_t> counts,
                                 const WindowRule& rule)
{
    if (window.last - window.first + 1 < rule.levels + 2)
        return std::nullopt;
    const std::size_t low = window.first;
    const std::size_t high = window.last;
    const std::array<Step, 3> steps{{{1, 1, counts[low] + counts[high]},
                                     {2, 0, counts[low] + counts[low + 1]},
                                     {0, 2, counts[high] + counts[high - 1]}}};
    std::optional<Step> best;
    for (const Step& step : std::span(steps).first(rule.shrinksBothEnds ? 1 : steps.size()))
        if ((rule.zeroMayLeave || keepsZero(window, step, rule)) &&
            (!best || step.lost < best->lost))
            best = step;
    if (!best)
        return std::nullopt;
    return Window{.first = low + best->below, .last = high - best->above};
}

template <typename Real>
std::vector<Real> realCounts(std::span<const std::uint64_t> counts)
{
    std::vector<Real> real(counts.size());
    std::ranges::transform(counts, real.begin(),
                           [](std::uint64_t count) { return static_cast<Real>(count); });
    return real;
}

template <typename Real>
void measureAll(std::span<Window> windows, std::span<const std::uint64_t> counts,
                const WindowRule& rule)
{
    const std::vector<Real> real = realCounts<Real>(counts);
    for (Window& window : windows)
        measure(window, real, rule);
}

}  // namespace

std::vector<Window> visitedWindows(std::span<const std::uint64_t> counts, const WindowRule& rule)
{
    std::vector<Window> windows;
    if (counts.size() < rule.levels)
        return windows;
    std::optional<Window> window{{.first = 0, .last = counts.size() - 1}};
    while (window) {
        windows.push_back(*window);
        window = nextWindow(*window, counts, rule);
    }
    return windows;
}

std::vector<Window> searchWindows(std::span<const std::uint64_t> counts, const WindowRule& rule)
{
    std::vector<Window> windows = visitedWindows(counts, rule);
    if (rule.sumsInFloat32)
        measureAll<float>(windows, counts, rule);
    else
        measureAll<double>(windows, counts, rule);
    return windows;
}

Window measuredWindow(std::span<const std::uint64_t> counts, const Window& window,
                      const WindowRule& rule)
{
    Window measured = window;
    if (rule.sumsInFloat32)
        measureAll<float>({&measured, 1}, counts, rule);
    else
        measureAll<double>({&measured, 1}, counts, rule);
    return measured;
}

WindowHistograms windowHistograms(std::span<const std::uint64_t> counts, const Window& window,
                                  const WindowRule& rule)
{
    const std::vector<double> real = realCounts<double>(counts);
    WindowHistograms both{.truncated = truncated(real, window), .coarse = {}};
    const std::span within = std::span(real).subspan(window.first, both.truncated.size());
    both.coarse = coarse(within, both.truncated, rule);
    return both;
}

}  // namespace calibscope
