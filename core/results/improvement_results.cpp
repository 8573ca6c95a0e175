// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/improvement_results.h"

namespace calibscope {

std::string whyNoGain(const RemedyResult& result)
{
    const double gain = result.gainDb.value_or(0.0);
    if (gain <= result.intervalDb.value_or(0.0))
        return "its gain is within its interval";
    return gain < leastRemedyGainDb ? "its gain is below 0.1 dB: too small to tell from luck" : "";
}

bool hasRemedy(const LayerImprovement& layer, Remedy remedy)
{
    switch (remedy) {
    case Remedy::Precision: return layer.isFloat;
    case Remedy::Channels: return !layer.division.factors.empty();
    case Remedy::Rounding: return !layer.rounding.integers.empty();
    case Remedy::Bias: return !layer.biasShift.empty();
    }
    return false;
}

ImprovementCounts countsOf(const ImprovementReport& report,
                           const std::function<bool(const LayerImprovement&, Remedy)>& has)
{
    ImprovementCounts counts;
    for (const LayerImprovement& layer : report.layers) {
        counts.computed += layer.rows.size() > 1 ? 1U : 0U;
        bool isImproved = false;
        for (std::size_t index = 0; index < counts.of.size(); ++index) {
            const auto remedy = static_cast<Remedy>(index);
            if (!has(layer, remedy))
                continue;
            ++counts.of[index];
            isImproved = isImproved || remedy != Remedy::Precision;
        }
        counts.improved += isImproved ? 1U : 0U;
    }
    return counts;
}

}  // namespace calibscope
