// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/extents.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace calibscope {

/// The running density that AIMET's analyzers tf_enhanced, percentile and mse work on
/// (DlQuantization, UpdatePdfSigned). Its range is that of the first batch that is not all zero,
/// three times as wide about its centre; one value alone is first given a width of 0.01. A value's
/// bin is its place in bins *rounded*, so that it may lie half a bin before its bin's left edge;
/// values outside are left out. The shares of the batches are averaged, each batch with equal
/// weight whatever its size.
///
/// All steps are rounded to float32 where the tool rounds them, products with what they are added
/// to at once, as its builds for processors with fused multiply-add do.
class AveragedDensity
{
public:
    static constexpr std::size_t bins = 512;

    /// Makes room for a batch with finite values.
    void beginBatch(const Extents& batch);
    /// Counts values of the batch that was begun; those that are not finite are left out.
    void add(std::span<const float> values);
    /// Averages the batch into the shares so far.
    void endBatch();

    /// Whether there are bins: one batch at least was not all zero, and its range is one that
    /// float32 can divide.
    [[nodiscard]] bool hasBins() const { return m_width > 0.0F; }
    /// A left edge: computed in double, rounded to float32.
    [[nodiscard]] float left(std::size_t bin) const
    {
        return static_cast<float>(static_cast<double>(m_low) +
                                  static_cast<double>(bin) * static_cast<double>(m_width));
    }
    [[nodiscard]] float width() const { return m_width; }
    [[nodiscard]] double share(std::size_t bin) const { return m_shares[bin]; }
    /// Left edges of the first and the last bin with a share, 0 put into them, and at least 0.01
    /// apart.
    [[nodiscard]] float observedLow() const;
    [[nodiscard]] float observedHigh() const;
    /// Finite values that were not counted.
    [[nodiscard]] std::uint64_t leftOut() const { return m_leftOut; }

private:
    void makeBins(const Extents& batch);

    std::array<double, bins> m_shares{};
    std::array<std::uint64_t, bins> m_batchCounts{};
    float m_low = 0.0F;
    float m_width = 0.0F;
    std::uint64_t m_batches = 0;
    std::uint64_t m_batchValues = 0;
    std::uint64_t m_leftOut = 0;
};

}  // namespace calibscope
