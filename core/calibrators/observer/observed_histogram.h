// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/tool_edges.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// What the versions of HistogramObserver do differently; as PyTorch 1.13 by default.
struct ObserverRule
{
    std::size_t bins = 2048;
    std::size_t upsampling = 128;  ///< equal parts of a bin before it is re-binned
    /// Every batch is counted over its range *cut to whole numbers*, so that values beyond it are
    /// not counted at all and the others lie in other bins than the range says; else over the
    /// range itself (torchao).
    bool cutsEnds = true;
    /// A wider range's bins are whole numbers of parts, its upper end is relaxed to fit; else its
    /// ends are exact, and each part goes where its middle lies (torchao).
    bool keepsParts = true;
};

/// The running histogram of torch.ao.quantization.HistogramObserver: a fixed number of float32
/// counts over the range of all batches. A wider batch stretches the counts so far to the wider
/// range: each bin into equal parts, these re-binned.
///
/// All steps are rounded to float32 where the tool rounds them.
class ObservedHistogram
{
public:
    explicit ObservedHistogram(const ObserverRule& rule);

    /// Makes room for a batch with these ends, both finite.
    void beginBatch(const SingleRange& batch);
    /// Counts values of the batch that was begun; those that are not finite are left out.
    void add(std::span<const float> values);
    /// Merges the batch into the counts so far.
    void endBatch();

    [[nodiscard]] const std::vector<float>& counts() const { return m_counts; }
    [[nodiscard]] const SingleRange& range() const { return m_range; }
    /// Finite values that were not counted.
    [[nodiscard]] std::uint64_t leftOut() const { return m_leftOut; }
    /// Whether a batch was taken whose own counts were dropped: the first ones, while all their
    /// values are the same.
    [[nodiscard]] bool hasForgotten() const { return m_hasForgotten; }

private:
    void stretch(const SingleRange& from);
    void restart(const SingleRange& range);
    void moveMiddles(const SingleRange& wider);

    ObserverRule m_rule;
    std::vector<float> m_counts;
    std::vector<std::uint64_t> m_batchCounts;  ///< then of values outside, then of infinite ones
    SingleRange m_range;                       ///< of all batches, relaxed at its upper end
    SingleRange m_countedRange;                ///< that the batch is counted over
    bool m_isBegun = false;
    /// The range so far, of one value, whose counts are made of the batch's at its end (torchao).
    std::optional<float> m_oneValue;
    bool m_hasForgotten = false;
    std::uint64_t m_leftOut = 0;
};

}  // namespace calibscope
