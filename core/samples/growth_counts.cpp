// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/growth_counts.h"

#include "core/stats/growth_rule.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace calibscope::samples {

namespace {

/// Calls `use(batch, units)` for each batch of an arrangement with the units that it is made of,
/// until that returns false.
template <typename Use>
bool forEachBatch(const Arrangement& arrangement, const Use& use)
{
    const std::span<const std::uint32_t> units = arrangement.units;
    std::size_t batch = 0;
    for (std::size_t first = 0; first < units.size(); ++batch) {
        std::size_t end = first + 1;
        while (end < units.size() && arrangement.batches[end] == arrangement.batches[first])
            ++end;
        if (!use(batch, units.subspan(first, end - first)))
            return false;
        first = end;
    }
    return true;
}

}  // namespace

ArrangedExtents::ArrangedExtents(const Arrangement& arrangement, std::span<const Extents> units)
{
    forEachBatch(arrangement, [&](std::size_t, std::span<const std::uint32_t> ofBatch) {
        Extents extents;
        for (const std::uint32_t unit : ofBatch)
            extents += units[unit];
        whole += extents;
        batches.push_back(extents);
        return true;
    });
}

Histogram replayedHistogram(const HistogramSpec& spec, const Arrangement& arrangement,
                            const ArrangedExtents& extents,
                            const std::function<void(std::size_t, std::uint32_t, Histogram&)>& add)
{
    const GrowthRule& rule = growthRule(spec.growth);
    Histogram histogram = emptyHistogram(spec);
    ValuesBefore before;
    forEachBatch(arrangement, [&](std::size_t batch, std::span<const std::uint32_t> units) {
        rule.grow(histogram, extents.batches[batch], before, extents.whole);
        before.add(extents.batches[batch]);
        for (const std::uint32_t unit : units)
            add(batch, unit, histogram);
        return true;
    });
    return histogram;
}

GrowthCounts::Bins GrowthCounts::binsOf(const Histogram& histogram)
{
    return {.domain = histogram.spec.domain,
            .binning = histogram.binning,
            .low = histogram.low,
            .high = histogram.high,
            .count = histogram.counts.size(),
            .edges = histogram.edges};
}

std::size_t GrowthCounts::indexOf(const Histogram& histogram)
{
    const auto [found, isNew] = m_indices.try_emplace(binsOf(histogram), m_bins.size());
    if (isNew) {
        m_bins.push_back(&found->first);
        m_bytes += sizeof(double) * histogram.edges.size();
    }
    return found->second;
}

std::optional<GrowthCounts::Plan> GrowthCounts::plan(const HistogramSpec& spec,
                                                     const Arrangement& arrangement,
                                                     const ArrangedExtents& extents,
                                                     std::uint64_t mostBytes)
{
    const GrowthRule& rule = growthRule(spec.growth);
    Histogram histogram = emptyHistogram(spec);
    ValuesBefore before;
    Plan plan;
    const auto planBatch = [&](std::size_t batch, std::span<const std::uint32_t> units) {
        rule.grow(histogram, extents.batches[batch], before, extents.whole);
        before.add(extents.batches[batch]);
        plan.push_back(indexOf(histogram));
        for (const std::uint32_t unit : units) {
            if (m_units[unit].finite == 0)
                continue;
            if (m_units[unit].finite > std::numeric_limits<std::uint32_t>::max())
                return false;
            if (m_counts.try_emplace({unit, plan.back()}).second)
                m_bytes += sizeof(std::uint32_t) * histogram.counts.size();
        }
        return m_bytes <= mostBytes;
    };
    if (!forEachBatch(arrangement, planBatch))
        return std::nullopt;
    return plan;
}

void GrowthCounts::add(std::size_t unit, std::span<const float> values)
{
    if (m_unit != unit) {
        finish();
        m_unit = unit;
        const auto number = static_cast<std::uint32_t>(unit);
        for (auto counted = m_counts.lower_bound({number, 0});
             counted != m_counts.end() && counted->first.first == number; ++counted) {
            const Bins& bins = *m_bins[counted->first.second];
            m_open.push_back({&counted->second,
                              {.spec = {.domain = bins.domain},
                               .low = bins.low,
                               .high = bins.high,
                               .counts = std::vector<std::uint64_t>(bins.count),
                               .notes = {},
                               .edges = bins.edges,
                               .binning = bins.binning}});
        }
    }
    for (Open& open : m_open)
        open.histogram.add(values);
}

void GrowthCounts::finish()
{
    const auto isFilled = [](std::uint64_t count) { return count > 0; };
    for (const Open& open : m_open) {
        const std::vector<std::uint64_t>& counts = open.histogram.counts;
        const auto first = std::ranges::find_if(counts, isFilled);
        const auto last =
            std::find_if(counts.rbegin(), std::make_reverse_iterator(first), isFilled);
        open.counted->first = static_cast<std::size_t>(first - counts.begin());
        open.counted->leftOut = open.histogram.leftOut;
        std::transform(first, last.base(), std::back_inserter(open.counted->counts),
                       [](std::uint64_t count) { return static_cast<std::uint32_t>(count); });
        open.counted->counts.shrink_to_fit();
    }
    m_open.clear();
    m_unit.reset();
}

void GrowthCounts::addTo(Histogram& histogram, std::uint32_t unit, std::size_t bins) const
{
    const auto counted = m_counts.find({unit, bins});
    if (counted == m_counts.end())
        return;
    if (m_bins[bins]->count != histogram.counts.size() || m_bins[bins]->low != histogram.low ||
        m_bins[bins]->high != histogram.high)
        throw std::logic_error("a histogram grew otherwise than was planned");
    const Counted& own = counted->second;
    for (std::size_t bin = 0; bin < own.counts.size(); ++bin)
        histogram.counts[own.first + bin] += own.counts[bin];
    histogram.leftOut += own.leftOut;
}

Histogram GrowthCounts::histogram(const HistogramSpec& spec, const Arrangement& arrangement,
                                  const ArrangedExtents& extents, const Plan& plan) const
{
    return replayedHistogram(spec, arrangement, extents,
                             [&](std::size_t batch, std::uint32_t unit, Histogram& histogram) {
                                 addTo(histogram, unit, plan[batch]);
                             });
}

void GrowthCounts::clear()
{
    m_indices.clear();
    m_bins.clear();
    m_counts.clear();
    m_open.clear();
    m_unit.reset();
    m_bytes = 0;
}

}  // namespace calibscope::samples
