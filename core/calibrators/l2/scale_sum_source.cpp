// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/l2/scale_sum_source.h"

#include "core/kernels/all_finite.h"
#include "core/kernels/summing_lanes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace calibscope {

namespace {

/// Below so many values for each level a look at all of them is faster than at the places where
/// levels end.
constexpr std::uint64_t valuesForLevel = 256;

void appendFinite(std::vector<float>& list, std::span<const float> values)
{
    if (kernels::allFinite(values))
        list.insert(list.end(), values.begin(), values.end());
    else
        std::ranges::copy_if(values, std::back_inserter(list),
                             [](float x) { return std::isfinite(x); });
}

}  // namespace

ScaleSumSource::ScaleSumSource(const CalibratorValues& values, std::uint64_t finiteCount,
                               const LevelRule& rule)
    : m_values(values), m_rule(rule)
{
    if (SortedValues::bytesFor(finiteCount, false) > values.memoryBytes)
        return;
    std::vector<float> finite;
    finite.reserve(finiteCount + kernels::summingLanes);
    values.source.visit([&](const Block& block) { appendFinite(finite, block.values); },
                        values.progress);
    if (finiteCount < rule.count() * valuesForLevel) {
        m_row.emplace(std::move(finite), rule);
        return;
    }
    const bool copies = SortedValues::bytesFor(finiteCount, true) <= values.memoryBytes;
    m_sorted.emplace(SortedValues(std::move(finite), copies), rule);
}

template <typename Use>
void ScaleSumSource::pass(const Use& use)
{
    m_values.source.visit([&](const Block& block) { use(block.values); }, m_values.progress);
    if (!m_values.source.isInMemory)
        ++m_passes;
}

ScaleSums ScaleSumSource::at(double scale)
{
    if (m_row)
        return m_row->at(scale);
    if (m_sorted)
        return m_sorted->at(scale);
    DirectSums direct(scale, m_rule);
    pass([&](std::span<const float> values) { direct.add(values); });
    return direct.sums();
}

void ScaleSumSource::addErrors(std::vector<float> part, std::span<const double> scales,
                               std::vector<CompensatedSum>& errors) const
{
    if (part.size() < m_rule.count() * valuesForLevel) {
        const RowSums row(std::move(part), m_rule);
        for (std::size_t index = 0; index < scales.size(); ++index)
            errors[index].add(row.at(scales[index]).error);
        return;
    }
    SortedSums sorted(SortedValues(std::move(part), false), m_rule);
    for (std::size_t index = 0; index < scales.size(); ++index)
        errors[index].add(sorted.at(scales[index]).error);
}

std::vector<double> ScaleSumSource::errorsAt(std::span<const double> scales)
{
    std::vector<double> errors;
    if (m_row || m_sorted) {
        std::ranges::transform(scales, std::back_inserter(errors),
                               [&](double scale) { return at(scale).error; });
        return errors;
    }
    // Sorted part by part: errors of parts add up, and one pass does for all scales.
    constexpr std::uint64_t partsOfMemory = 2;  // the vector may hold twice what it has
    const std::uint64_t most =
        std::max<std::uint64_t>(1, m_values.memoryBytes / partsOfMemory / sizeof(float) / 2);
    std::vector<CompensatedSum> sums(scales.size());
    std::vector<float> part;
    pass([&](std::span<const float> values) {
        appendFinite(part, values);
        if (part.size() >= most)
            addErrors(std::exchange(part, {}), scales, sums);
    });
    addErrors(std::move(part), scales, sums);
    std::ranges::transform(sums, std::back_inserter(errors),
                           [](const CompensatedSum& sum) { return sum.value(); });
    return errors;
}

}  // namespace calibscope
