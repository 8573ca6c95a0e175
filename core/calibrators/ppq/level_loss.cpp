// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/ppq/level_loss.h"

#include <algorithm>
#include <numeric>

namespace calibscope {

namespace {

double distanceInside(std::size_t fromLower, std::size_t fromUpper)
{
    if (fromLower == fromUpper)
        return static_cast<double>(fromLower) + 0.25;
    return static_cast<double>(std::min(fromLower, fromUpper)) + 0.5;
}

double distanceOf(std::size_t bin, const LevelGrid& grid)
{
    if (bin < grid.start)
        return static_cast<double>(grid.start - bin - 1) + 0.5;
    if (bin > grid.end)
        return static_cast<double>(bin - grid.end) + 0.5;
    const std::size_t fromLower = (bin - grid.start) % grid.step;
    return distanceInside(fromLower, grid.step - fromLower - 1);
}

}  // namespace

double levelLoss(std::span<const std::uint64_t> counts, double total, const LevelGrid& grid)
{
    double loss = 0.0;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        if (counts[bin] == 0)
            continue;
        const double distance = distanceOf(bin, grid);
        loss += static_cast<double>(counts[bin]) * distance * distance / total;
    }
    return loss;
}

LevelGrid bestLevelGrid(std::span<const std::uint64_t> counts, std::size_t levels,
                        std::span<const std::size_t> starts)
{
    const auto total =
        static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    const std::size_t steps = counts.size() / levels;
    LevelGrid best{.start = 0, .step = steps + 1, .end = levels * (steps + 1)};
    best.loss = levelLoss(counts, total, best);
    for (const std::size_t start : starts)
        for (std::size_t step = 1; step <= steps; ++step) {
            LevelGrid grid{.start = start, .step = step, .end = start + levels * step};
            if (grid.end > counts.size() + levels)
                break;
            grid.loss = levelLoss(counts, total, grid);
            if (grid.loss < best.loss)
                best = grid;
        }
    return best;
}

}  // namespace calibscope
