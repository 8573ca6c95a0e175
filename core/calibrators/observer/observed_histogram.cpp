#include "core/calibrators/observer/observed_histogram.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// The ends that torch.histc counts over: cut to whole numbers by the observer; if both are equal
/// then, the ends of the values; if these are equal too, one more on both sides.
SingleRange countedRange(const SingleRange& range, const SingleRange& batch)
{
    SingleRange counted{std::trunc(range.low), std::trunc(range.high)};
    if (counted.low == counted.high)
        counted = batch;
    if (counted.low == counted.high)
        return {counted.low - 1.0F, counted.high + 1.0F};
    return counted;
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

ObservedHistogram::ObservedHistogram(std::size_t bins, std::size_t upsampling)
    : m_upsampling(upsampling), m_counts(bins), m_batchCounts(bins)
{}

void ObservedHistogram::beginBatch(const SingleRange& batch)
{
    if (!m_isBegun || m_range.low == m_range.high) {
        m_hasForgotten = m_isBegun;
        m_isBegun = true;
        std::ranges::fill(m_counts, 0.0F);
        m_range = batch;
    } else {
        stretch({std::min(m_range.low, batch.low), std::max(m_range.high, batch.high)});
    }
    m_countedRange = countedRange(m_range, batch);
}

void ObservedHistogram::stretch(const SingleRange& wider)
{
    const SingleRange old = m_range;
    const Stretched to = stretched(old, wider, m_counts.size(), m_upsampling);
    if (!std::isfinite(to.range.high) || !std::isfinite(to.partsInBin)) {
        // The old range is too narrow to be counted in parts: the tool runs out of memory here.
        m_hasForgotten = true;
        std::ranges::fill(m_counts, 0.0F);
        m_range = wider;
        return;
    }
    m_range = to.range;
    if (m_range.low == old.low && m_range.high == old.high)
        return;
    RunningParts parts(m_counts, m_upsampling);
    std::vector<float> moved(m_counts.size());
    float before = 0.0F;  // the tool rounds the lower of both sums only
    for (std::size_t bin = 0; bin < moved.size(); ++bin) {
        const double upTo = parts.before(static_cast<double>(bin + 1) * to.partsInBin - to.offset);
        moved[bin] = static_cast<float>((upTo - static_cast<double>(before)) /
                                        static_cast<double>(m_upsampling));
        before = static_cast<float>(upTo);
    }
    m_counts = std::move(moved);
}

void ObservedHistogram::add(std::span<const float> values)
{
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        if (value < m_countedRange.low || value > m_countedRange.high)
            ++m_leftOut;
        else
            ++m_batchCounts[torchBin(value, m_countedRange, m_batchCounts.size())];
    }
}

void ObservedHistogram::endBatch()
{
    for (std::size_t bin = 0; bin < m_counts.size(); ++bin)
        m_counts[bin] += static_cast<float>(m_batchCounts[bin]);
    std::ranges::fill(m_batchCounts, 0U);
}

}  // namespace calibscope
