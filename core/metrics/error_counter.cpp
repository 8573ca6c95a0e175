// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/error_counter.h"

#include "core/metrics/common_bins.h"

#include <algorithm>
#include <array>
#include <functional>

namespace calibscope {

ErrorCounter::ErrorCounter(std::span<const Quantizer> quantizers, double absMax,
                           std::uint64_t values)
    : m_largest(quantizers.size()), m_common(CommonBins(absMax).centred())
{
    for (const Quantizer& quantizer : quantizers) {
        m_lattices.push_back(latticeOf(quantizer));
        m_counts.emplace_back(static_cast<std::size_t>(quantizer.highLevel - quantizer.lowLevel) +
                              1);
    }
    m_counts.emplace_back(commonBins);
    for (std::vector<std::uint64_t>& counts : m_counts)
        m_tables.emplace_back(counts, values);
}

std::vector<ErrorSums> ErrorCounter::add(std::span<const float> values)
{
    std::array<std::uint32_t, errorBlockValues + kernels::vectorRoom> bins;
    BlockLevels levels;
    std::vector<ErrorSums> sums;
    sums.reserve((values.size() / errorBlockValues + 1) * m_lattices.size());
    forEachFiniteBlock(values, [&](const kernels::ValueBlock& block) {
        const std::size_t size = block.values.size();
        kernels::centredBins(block.values, m_common, bins);
        m_tables.back().add(std::span<const std::uint32_t>(bins).first(size));
        const double sumSquares = sumSquaresOf(block);
        for (std::size_t index = 0; index < m_lattices.size(); ++index) {
            sums.push_back(
                errorsOf(block, sumSquares, m_lattices[index], m_largest[index], levels));
            m_largest[index] = sums.back().maxError;
            m_tables[index].add(std::span<const std::uint16_t>(levels).first(size));
        }
    });
    return sums;
}

void ErrorCounter::addCounts(std::span<ErrorTally> tallies)
{
    const auto add = [](std::vector<std::uint64_t>& sums, const std::vector<std::uint64_t>& more) {
        std::ranges::transform(sums, more, sums.begin(), std::plus{});
    };
    for (CountTables& tables : m_tables)
        tables.finish();
    for (std::size_t index = 0; index < tallies.size(); ++index) {
        add(tallies[index].levelCounts, m_counts[index]);
        add(tallies[index].bins, m_counts.back());
    }
}

}  // namespace calibscope
