#include "core/samples/growth_counts.h"

#include "core/stats/growth_rule.h"

#include <algorithm>
#include <stdexcept>

namespace calibscope::samples {

namespace {

/// Calls `use(batch, units)` for each batch of an arrangement with the units that it is made of.
template <typename Use>
void forEachBatch(const Arrangement& arrangement, const Use& use)
{
    const std::span<const std::uint32_t> units = arrangement.units;
    std::size_t batch = 0;
    for (std::size_t first = 0; first < units.size(); ++batch) {
        std::size_t end = first + 1;
        while (end < units.size() && arrangement.batches[end] == arrangement.batches[first])
            ++end;
        use(batch, units.subspan(first, end - first));
        first = end;
    }
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
    });
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

/// A rule looks at its histogram's counts only to see whether anything, and anything but zeros, was
/// counted: one value for each unit, its largest, tells that.
GrowthCounts::Plan GrowthCounts::plan(const HistogramSpec& spec, const Arrangement& arrangement,
                                      const ArrangedExtents& extents)
{
    const GrowthRule& rule = growthRule(spec.growth);
    Histogram histogram = emptyHistogram(spec);
    Plan plan;
    forEachBatch(arrangement, [&](std::size_t batch, std::span<const std::uint32_t> units) {
        rule.grow(histogram, extents.batches[batch], extents.whole);
        plan.push_back(indexOf(histogram));
        for (const std::uint32_t unit : units) {
            if (m_units[unit].finite == 0)
                continue;
            ++histogram.counts[histogram.binOf(m_units[unit].absMax())];
            const auto [counted, isNew] = m_counts.try_emplace({unit, plan.back()});
            if (!isNew)
                continue;
            const Bins& bins = *m_bins[plan.back()];
            counted->second = {.spec = spec,
                               .low = bins.low,
                               .high = bins.high,
                               .counts = {},
                               .notes = {},
                               .edges = bins.edges,
                               .binning = bins.binning};
            m_bytes += sizeof(std::uint64_t) * bins.count + sizeof(double) * bins.edges.size();
        }
    });
    return plan;
}

void GrowthCounts::add(std::size_t unit, std::span<const float> values)
{
    const auto number = static_cast<std::uint32_t>(unit);
    for (auto counted = m_counts.lower_bound({number, 0});
         counted != m_counts.end() && counted->first.first == number; ++counted) {
        counted->second.counts.resize(m_bins[counted->first.second]->count);
        counted->second.add(values);
    }
}

Histogram GrowthCounts::histogram(const HistogramSpec& spec, const Arrangement& arrangement,
                                  const ArrangedExtents& extents, const Plan& plan) const
{
    const GrowthRule& rule = growthRule(spec.growth);
    Histogram histogram = emptyHistogram(spec);
    forEachBatch(arrangement, [&](std::size_t batch, std::span<const std::uint32_t> units) {
        rule.grow(histogram, extents.batches[batch], extents.whole);
        const Bins& bins = *m_bins[plan[batch]];
        if (bins.count != histogram.counts.size() || bins.low != histogram.low ||
            bins.high != histogram.high)
            throw std::logic_error("a histogram grew otherwise than was planned");
        for (const std::uint32_t unit : units) {
            const auto counted = m_counts.find({unit, plan[batch]});
            if (counted == m_counts.end())
                continue;
            const Histogram& own = counted->second;
            std::ranges::transform(own.counts, histogram.counts, histogram.counts.begin(),
                                   std::plus{});
            histogram.leftOut += own.leftOut;
        }
    });
    return histogram;
}

void GrowthCounts::clear()
{
    m_indices.clear();
    m_bins.clear();
    m_counts.clear();
    m_bytes = 0;
}

}  // namespace calibscope::samples
