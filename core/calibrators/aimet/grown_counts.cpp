// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/grown_counts.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr auto leastWidth = static_cast<double>(0.01F);

double widthOfBin(const Range& range, std::size_t bins)
{
    return range.width() / static_cast<double>(bins);
}

double edgeOf(const Range& range, double width, std::size_t bin)
{
    return range.low + static_cast<double>(bin) * width;
}

/// A value's bin, its place computed in float32.
std::size_t singleBin(float value, float low, float width, std::size_t bins)
{
    if (!(width > 0.0F))
        return 0;
    const float place = std::max((value - low) / width, 0.0F);
    return place < static_cast<float>(bins) ? static_cast<std::size_t>(place) : bins - 1;
}

}  // namespace

bool GrownCounts::hasBins() const
{
    const float width = static_cast<float>(widthOfBin(m_range, bins));
    return !m_counts.empty() && width > 0.0F && std::isfinite(width);
}

void GrownCounts::beginBatch(const Extents& batch)
{
    m_isLeftOut = !(batch.absMax() > 0.0);
    if (m_isLeftOut)
        return;
    Range ends{batch.min, batch.max};
    if (ends.low == ends.high)
        ends.high = std::max(ends.high, ends.low + leastWidth);
    if (m_counts.empty()) {
        m_counts.assign(bins, 0.0);
        m_range = ends;
    } else if (ends.low < m_range.low || ends.high > m_range.high) {
        moveTo({std::min(ends.low, m_range.low), std::max(ends.high, m_range.high)});
    }
}

void GrownCounts::moveTo(const Range& wider)
{
    const double source = widthOfBin(m_range, bins);
    const double target = widthOfBin(wider, bins);
    const auto low = static_cast<float>(wider.low);
    const auto width = static_cast<float>(target);
    std::vector<double> moved(bins);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double count = m_counts[bin];
        if (count == 0.0)
            continue;
        const double begin = edgeOf(m_range, source, bin);
        const double place = std::floor((begin - wider.low) / target);
        const double end = wider.low + target * (place + 1.0);
        const double stays = std::min(std::round((end - begin) / source * count), count);
        moved[singleBin(static_cast<float>(begin), low, width, bins)] += stays;
        if (stays < count)
            moved[singleBin(static_cast<float>(begin + target), low, width, bins)] += count - stays;
    }
    m_counts = std::move(moved);
    m_range = wider;
}

void GrownCounts::add(std::span<const float> values)
{
    if (m_isLeftOut)
        return;
    const auto low = static_cast<float>(m_range.low);
    const auto width = static_cast<float>(widthOfBin(m_range, bins));
    for (const float value : values)
        if (std::isfinite(value))
            m_counts[singleBin(value, low, width, bins)] += 1.0;
}

std::vector<double> sharedByOverlap(const std::vector<double>& counts, const Range& from,
                                    const Range& to)
{
    if (from == to)
        return counts;
    const std::size_t bins = counts.size();
    const double source = widthOfBin(from, bins);
    const double target = widthOfBin(to, bins);
    const auto targetBin = [bins](double place) {
        const double last = static_cast<double>(bins - 1);
        return static_cast<std::size_t>(std::clamp(place, 0.0, last));
    };
    std::vector<double> shared(bins);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double begin = edgeOf(from, source, bin);
        const double end = edgeOf(from, source, bin + 1);
        double rest = counts[bin];
        const std::size_t last = targetBin(std::ceil((end - to.low) / target));
        for (std::size_t at = targetBin(std::floor((begin - to.low) / target));
             rest > 0.0 && at <= last; ++at) {
            const double low = std::max(begin, edgeOf(to, target, at));
            const double high = std::min(end, edgeOf(to, target, at + 1));
            const double share = std::clamp((high - low) / source, 0.0, 1.0);
            const double given = std::min(std::round(share * counts[bin]), rest);
            shared[at] += given;
            rest -= given;
        }
    }
    return shared;
}

}  // namespace calibscope
