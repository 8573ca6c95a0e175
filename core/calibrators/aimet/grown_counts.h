// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/stats/extents.h"

#include <cstddef>
#include <span>
#include <vector>

namespace calibscope {

/// The running histogram of AIMET's entropy analyzer (DlQuantization, updateTensorHistogram): 512
/// bins over the range of all batches so far. A wider batch first moves the counts to bins over the
/// wider range, each split over at most two of them, in whole counts. Batches of zeros before any
/// other are left out; a batch of one value gets a width of 0.01.
///
/// Ends are double, a value's bin is found in float32, as the tool has it.
class GrownCounts
{
public:
    static constexpr std::size_t bins = 512;

    /// Makes room for a batch with finite values.
    void beginBatch(const Extents& batch);
    /// Counts values of the batch that was begun; those that are not finite are left out.
    void add(std::span<const float> values);

    /// Whether there are bins, and ones that float32 can divide.
    [[nodiscard]] bool hasBins() const;
    [[nodiscard]] const Range& range() const { return m_range; }
    /// Whole numbers; empty before the first batch that is not all zero.
    [[nodiscard]] const std::vector<double>& counts() const { return m_counts; }

private:
    void moveTo(const Range& wider);

    Range m_range{};
    std::vector<double> m_counts;
    bool m_isLeftOut = false;  ///< the batch that was begun
};

/// The counts over another range with as many bins, each source bin shared by overlap in whole
/// counts (DlQuantization, rescaleHistogram). Requires ranges with a width.
[[nodiscard]] std::vector<double> sharedByOverlap(const std::vector<double>& counts,
                                                  const Range& from, const Range& to);

}  // namespace calibscope
