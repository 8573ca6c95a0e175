// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/observer/observed_histogram.h"

#include "core/kernels/range_bins.h"
#include "core/stats/count_tables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

/// torch.histc over one value alone: one more on both sides.
SingleRange distinctEnds(const SingleRange& range)
{
    return range.low == range.high ? SingleRange{range.low - 1.0F, range.high + 1.0F} : range;
}

/// The ends that torch.histc counts over: cut to whole numbers by the observer; if both are equal
/// then, the ends of the values; if these are equal too, one more on both sides.
SingleRange countedRange(const SingleRange& range, const SingleRange& batch)
{
    const SingleRange cut{std::trunc(range.low), std::trunc(range.high)};
    return distinctEnds(cut.low == cut.high ? batch : cut);
}

/// The wider range whose bins are whole numbers of the parts of the old bins.
struct Stretched
{
    SingleRange range;
    double partsInBin = 0.0;  ///< of the old bins' parts in a new bin
    double offset = 0.0;      ///< of the old range in the new one, in parts
};

Stretched stretched(const SingleRange& old, const SingleRange& wider, std::size_t bins,
                    std::size_t upsampling)
{
    const float part = (old.high - old.low) / static_cast<float>(bins * upsampling);
    const float row = static_cast<float>(bins) * part;
    const float width = wider.high - wider.low;
    const float partsInBin = std::ceil(width / row);
    const float excess = partsInBin * row - width;
    return {.range = {wider.low, wider.high + excess},
            .partsInBin = static_cast<double>(partsInBin),
            .offset = static_cast<double>(std::nearbyint((old.low - wider.low) / part))};
}

/// Running sum of the old counts' parts, one part after the other as torch.cumsum adds them in
/// double: counts that have been shared before are so fine that the order decides the last bits.
class RunningParts
{
public:
    RunningParts(const std::vector<float>& counts, std::size_t upsampling)
        : m_counts(counts), m_upsampling(upsampling)
    {}

    /// The sum of all parts before that place, counted from the beginning of the old range. Places
    /// must not descend from call to call.
    [[nodiscard]] double before(double place)
    {
        const auto parts = static_cast<double>(m_counts.size() * m_upsampling);
        const auto end = static_cast<std::size_t>(std::clamp(place, 0.0, parts));
        for (; m_place < end; ++m_place)
            m_sum += static_cast<double>(m_counts[m_place / m_upsampling]);
        return m_sum;
    }

private:
    const std::vector<float>& m_counts;
    std::size_t m_upsampling;
    std::size_t m_place = 0;
    double m_sum = 0.0;
};

}  // namespace

ObservedHistogram::ObservedHistogram(const ObserverRule& rule)
    : m_rule(rule), m_counts(rule.bins), m_batchCounts(rule.bins + 2)
{}

void ObservedHistogram::restart(const SingleRange& range)
{
    std::ranges::fill(m_counts, 0.0F);
    m_range = range;
}

void ObservedHistogram::beginBatch(const SingleRange& batch)
{
    const SingleRange wider = m_isBegun ? SingleRange{std::min(m_range.low, batch.low),
                                                      std::max(m_range.high, batch.high)}
                                        : batch;
    if (!m_isBegun) {
        m_isBegun = true;
        restart(batch);
    } else if (m_rule.keepsParts && m_range.low == m_range.high) {
        m_hasForgotten = true;
        restart(batch);
    } else if (m_rule.keepsParts) {
        stretch(wider);
    } else if (wider.low != m_range.low || wider.high != m_range.high) {
        moveMiddles(wider);
    }
    m_countedRange = m_rule.cutsEnds ? countedRange(m_range, batch) : distinctEnds(m_range);
}

/// Parts of the old bins to the bins of the wider range that hold their middles.
void ObservedHistogram::moveMiddles(const SingleRange& wider)
{
    const std::size_t bins = m_counts.size();
    const std::size_t parts = bins * m_rule.upsampling;
    const SingleRange old = m_range;
    m_range = wider;
    if (old.low == old.high) {
        m_oneValue = old.low;
        return;
    }
    const float half = 0.5F * ((old.high - old.low) / static_cast<float>(parts));
    const std::vector<double> begins = torchLinspace(old, parts);
    const std::vector<double> borders = torchLinspace(wider, bins);
    std::vector<float> moved(bins);
    for (std::size_t part = 0; part < parts; ++part) {
        const auto middle = static_cast<double>(static_cast<float>(begins[part]) + half);
        const auto above = std::ranges::upper_bound(borders, middle) - borders.begin();
        const auto bin = std::clamp<std::ptrdiff_t>(above - 1, 0, std::ssize(moved) - 1);
        moved[static_cast<std::size_t>(bin)] +=
            m_counts[part / m_rule.upsampling] / static_cast<float>(m_rule.upsampling);
    }
    m_counts = std::move(moved);
}

void ObservedHistogram::stretch(const SingleRange& wider)
{
    const SingleRange old = m_range;
    const Stretched to = stretched(old, wider, m_counts.size(), m_rule.upsampling);
    if (!std::isfinite(to.range.high) || !std::isfinite(to.partsInBin)) {
        // The old range is too narrow to be counted in parts: the tool runs out of memory here.
        m_hasForgotten = true;
        restart(wider);
        return;
    }
    m_range = to.range;
    if (m_range.low == old.low && m_range.high == old.high)
        return;
    RunningParts parts(m_counts, m_rule.upsampling);
    std::vector<float> moved(m_counts.size());
    float before = 0.0F;  // the tool rounds the lower of both sums only
    for (std::size_t bin = 0; bin < moved.size(); ++bin) {
        const double upTo = parts.before(static_cast<double>(bin + 1) * to.partsInBin - to.offset);
        moved[bin] = static_cast<float>((upTo - static_cast<double>(before)) /
                                        static_cast<double>(m_rule.upsampling));
        before = static_cast<float>(upTo);
    }
    m_counts = std::move(moved);
}

void ObservedHistogram::add(std::span<const float> values)
{
    constexpr std::size_t pieceValues = 4096;
    std::array<std::uint32_t, pieceValues + kernels::vectorRoom> bins;
    const kernels::RangeBins range{.low = m_countedRange.low,
                                   .high = m_countedRange.high,
                                   .count = static_cast<std::uint32_t>(m_rule.bins)};
    CountTables tables(m_batchCounts, values.size());
    while (!values.empty()) {
        const std::size_t size = std::min(pieceValues, values.size());
        kernels::rangeBins(values.first(size), range, bins);
        tables.add(std::span<const std::uint32_t>(bins).first(size));
        values = values.subspan(size);
    }
    tables.finish();
}

void ObservedHistogram::endBatch()
{
    if (m_oneValue) {
        // The tool gives all the earlier values together the new batch's count.
        const auto total = std::accumulate(m_batchCounts.begin(),
                                           m_batchCounts.begin() + std::ssize(m_counts), 0.0);
        restart(m_range);
        m_counts[torchBin(*m_oneValue, m_countedRange, m_counts.size())] =
            static_cast<float>(total);
        m_oneValue.reset();
    }
    for (std::size_t bin = 0; bin < m_counts.size(); ++bin)
        m_counts[bin] += static_cast<float>(m_batchCounts[bin]);
    m_leftOut += m_batchCounts[m_rule.bins];
    std::ranges::fill(m_batchCounts, 0U);
}

}  // namespace calibscope
