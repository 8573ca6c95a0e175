// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/averaged_density.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr float leastRange = 0.01F;

}  // namespace

void AveragedDensity::makeBins(const Extents& batch)
{
    float low = static_cast<float>(batch.min);
    float high = static_cast<float>(batch.max);
    if (low == high)
        high = std::max(high, low + leastRange);
    const float centre = (high + low) / 2.0F;
    low = centre - 3.0F * (centre - low);
    high = centre + 3.0F * (high - centre);
    const float width = (high - low) / static_cast<float>(bins);
    const bool isUsable = std::isfinite(low) && std::isfinite(width) && low + width > low;
    m_low = low;
    m_width = isUsable ? width : 0.0F;
}

void AveragedDensity::beginBatch(const Extents& batch)
{
    m_batchValues = batch.finite;
    std::ranges::fill(m_batchCounts, 0U);
    if (!hasBins() && batch.absMax() > 0.0)
        makeBins(batch);
}

void AveragedDensity::add(std::span<const float> values)
{
    if (!hasBins())
        return;
    const float offset = m_low / m_width;
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        const float place = std::round(value / m_width - offset);
        if (place >= 0.0F && place < static_cast<float>(bins))
            ++m_batchCounts[static_cast<std::size_t>(place)];
        else
            ++m_leftOut;
    }
}

void AveragedDensity::endBatch()
{
    if (!hasBins())
        return;  // a batch of zeros before any other does not count
    const auto before = static_cast<double>(m_batches);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const double share =
            static_cast<double>(m_batchCounts[bin]) / static_cast<double>(m_batchValues);
        m_shares[bin] = (m_shares[bin] * before + share) / (before + 1.0);
    }
    ++m_batches;
}

float AveragedDensity::observedLow() const
{
    const auto* const first =
        std::ranges::find_if(m_shares, [](double share) { return share > 0.0; });
    const auto bin = static_cast<std::size_t>(first - m_shares.begin());
    return std::min(left(bin < bins ? bin : 0), 0.0F);
}

float AveragedDensity::observedHigh() const
{
    std::size_t bin = bins - 1;
    while (bin > 0 && !(m_shares[bin] > 0.0))
        --bin;
    const float last = left(bin > 0 ? bin : bins - 1);  // the tool never looks at the first bin
    return std::max(std::max(last, 0.0F), observedLow() + leastRange);
}

}  // namespace calibscope
