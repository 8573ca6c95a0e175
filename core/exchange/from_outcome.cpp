// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/from_outcome.h"

#include <algorithm>
#include <cmath>

namespace calibscope::exchange {

namespace {

EntryValue valueOf(const ScaleRow& row)
{
    // Levels that count from 0 are shifted to those of the entry, and the zero point with them.
    return {.range = row.quantizer.clip,
            .threshold = row.clip.threshold,
            .scale = row.quantizer.scale,
            .zeroPoint = row.quantizer.zeroPoint};
}

}  // namespace

ScaleEntry entryFromOutcome(const Outcome& outcome, std::string name)
{
    const Quantizer& quantizer = outcome.whole.quantizer;
    ScaleEntry entry{.name = std::move(name),
                     .role = outcome.role,
                     .isPerChannel = outcome.isPerChannel(),
                     .format = NumberFormat::integers(quantizer.lowLevel, quantizer.highLevel),
                     .isSymmetric = !outcome.choice.scheme.isAffine()};
    if (outcome.isPerChannel())
        std::ranges::transform(outcome.channels, std::back_inserter(entry.values), valueOf);
    else
        entry.values = {valueOf(outcome.whole)};
    return entry;
}

std::vector<double> countsOver(const MagnitudeSketch& sketch, const Range& range, std::size_t bins)
{
    std::vector<double> counts(bins);
    const double width = range.width();
    if (!(width > 0.0) || !std::isfinite(width))
        return counts;
    const auto count = [&](double value, std::uint64_t times) {
        const double place = (value - range.low) / width * static_cast<double>(bins);
        const double last = static_cast<double>(bins - 1);
        counts[static_cast<std::size_t>(std::clamp(place, 0.0, last))] +=
            static_cast<double>(times);
    };
    count(0.0, sketch.zeros);
    for (const SketchBin& bin : sketch.negative)
        count(-bin.mean(), bin.count);
    for (const SketchBin& bin : sketch.positive)
        count(bin.mean(), bin.count);
    return counts;
}

}  // namespace calibscope::exchange
