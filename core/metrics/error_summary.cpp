// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/error_summary.h"

#include "core/metrics/common_bins.h"
#include "core/stats/spread.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace calibscope {

namespace {

template <typename Number>
void addTo(std::vector<Number>& sums, const std::vector<Number>& others)
{
    std::ranges::transform(sums, others, sums.begin(), std::plus{});
}

}  // namespace

void spreadLevels(std::span<const double> masses, const Quantizer& quantizer, double absMax,
                  std::vector<double>& bins)
{
    const CommonBins common(absMax);
    for (std::size_t index = 0; index < masses.size(); ++index) {
        if (masses[index] == 0.0)
            continue;
        const Range cell = quantizer.roundingCell(quantizer.lowLevel + static_cast<int>(index));
        spread(bins, common.position(cell.low), common.position(cell.high), masses[index]);
    }
}

ErrorSummary::ErrorSummary(const ErrorTally& tally)
    : absMax(tally.absMax),
      sums(tally.sums),
      levelCounts(tally.levelCounts),
      recorded(tally.bins),
      quantized(commonBins)
{
    spreadLevels(std::vector<double>(levelCounts.begin(), levelCounts.end()), tally.quantizer,
                 absMax, quantized);
}

ErrorSummary& ErrorSummary::operator+=(const ErrorSummary& other)
{
    if (levelCounts.empty())
        return *this = other;
    if (absMax != other.absMax || levelCounts.size() != other.levelCounts.size())
        throw std::invalid_argument(
            "errors to be added must be of one tensor and one number of levels");
    sums += other.sums;
    addTo(levelCounts, other.levelCounts);
    addTo(recorded, other.recorded);
    addTo(quantized, other.quantized);
    return *this;
}

}  // namespace calibscope
