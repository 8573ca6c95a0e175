// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/reconstruction.h"

#include "core/stats/spread.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace calibscope {

namespace {

std::vector<std::uint64_t> levelCounts(const MagnitudeSketch& sketch, const Quantizer& quantizer)
{
    std::vector<std::uint64_t> counts(
        static_cast<std::size_t>(quantizer.highLevel - quantizer.lowLevel) + 1);
    const auto add = [&](double value, std::uint64_t count) {
        counts[static_cast<std::size_t>(quantizer.level(value) - quantizer.lowLevel)] += count;
    };
    add(0.0, sketch.zeros);
    for (const SketchBin& bin : sketch.negative)
        add(-bin.mean(), bin.count);
    for (const SketchBin& bin : sketch.positive)
        add(bin.mean(), bin.count);
    return counts;
}

/// Spreads a mass over a range of x into bins of |x|: what lies below 0 is folded over.
void spreadFolded(std::vector<double>& bins, const Range& cell, double binWidth, double mass)
{
    if (cell.low >= 0.0)
        return spread(bins, cell.low / binWidth, cell.high / binWidth, mass);
    if (cell.high <= 0.0)
        return spread(bins, -cell.high / binWidth, -cell.low / binWidth, mass);
    const double below = -cell.low / cell.width() * mass;
    spread(bins, 0.0, -cell.low / binWidth, below);
    spread(bins, 0.0, cell.high / binWidth, mass - below);
}

}  // namespace

std::vector<double> reconstructedCounts(const MagnitudeSketch& sketch, const Quantizer& quantizer,
                                        const Histogram& bins)
{
    assert(bins.edges.empty() && !bins.counts.empty());
    std::vector<double> counts(bins.counts.size(), 0.0);
    if (!(bins.high > bins.low)) {
        counts.front() = static_cast<double>(sketch.count());
        return counts;
    }
    const bool isFolded = bins.spec.domain == Domain::Magnitude;
    const Range data = isFolded ? Range{-bins.high, bins.high} : bins.range();
    const std::vector<std::uint64_t> levels = levelCounts(sketch, quantizer);
    for (std::size_t index = 0; index < levels.size(); ++index) {
        if (levels[index] == 0)
            continue;
        const Range cell = quantizer.roundingCell(quantizer.lowLevel + static_cast<int>(index));
        const Range inside{std::clamp(cell.low, data.low, data.high),
                           std::clamp(cell.high, data.low, data.high)};
        const double mass = static_cast<double>(levels[index]);
        if (isFolded)
            spreadFolded(counts, inside, bins.width(), mass);
        else
            spread(counts, (inside.low - bins.low) / bins.width(),
                   (inside.high - bins.low) / bins.width(), mass);
    }
    return counts;
}

}  // namespace calibscope
