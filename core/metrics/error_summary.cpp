// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/error_summary.h"

#include "core/metrics/common_bins.h"
#include "core/stats/spread.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace calibscope {

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

void ChannelSummary::add(const ErrorTally& tally)
{
    if (m_total.levelCounts.empty()) {
        m_total.absMax = tally.absMax;
        m_total.levelCounts.resize(tally.levelCounts.size());
        m_total.quantized.resize(commonBins);
        m_spread.resize(commonBins);
    }
    if (m_total.absMax != tally.absMax || m_total.levelCounts.size() != tally.levelCounts.size())
        throw std::invalid_argument(
            "errors to be added must be of one tensor and one number of levels");
    m_total.sums += tally.sums;
    const CommonBins common(tally.absMax);
    const Quantizer& quantizer = tally.quantizer;
    // Cells ascend with the levels.
    std::size_t first = m_spread.size();
    std::size_t end = 0;
    for (std::size_t index = 0; index < tally.levelCounts.size(); ++index) {
        const std::uint64_t count = tally.levelCounts[index];
        if (count == 0)
            continue;
        m_total.levelCounts[index] += count;
        const Range cell = quantizer.roundingCell(quantizer.lowLevel + static_cast<int>(index));
        const double low = common.position(cell.low);
        const double high = common.position(cell.high);
        spread(m_spread, low, high, static_cast<double>(count));
        first = std::min({first, static_cast<std::size_t>(low), m_spread.size() - 1});
        end = std::max(end, std::min(static_cast<std::size_t>(high) + 1, m_spread.size()));
    }
    // A channel is added as a whole, as its own summary would be.
    for (std::size_t bin = first; bin < end; ++bin)
        m_total.quantized[bin] += std::exchange(m_spread[bin], 0.0);
}

ErrorSummary ChannelSummary::total(std::vector<std::uint64_t> recorded) const
{
    ErrorSummary whole = m_total;
    whole.recorded = std::move(recorded);
    return whole;
}

}  // namespace calibscope
