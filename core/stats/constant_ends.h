// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Positions near the ends of an axis at which all values of a sample equal those of the position
/// beside them: what was padded before it went through the network, or is blank.
struct ConstantEnds
{
    int axis = -1;             ///< the one that has most of them; -1: none has any
    std::uint64_t values = 0;  ///< that lie at such positions, of all samples

    bool operator==(const ConstantEnds&) const = default;
};

/// Finds them in one pass, each sample by itself, two at least; NaN repeats nothing. Not looked at:
/// the outermost 16th of an axis, 4 positions at most, where convolutions reach over the edge; the
/// batch and channel axes, axes shorter than 8, those of which one position has more than 2^20
/// values, weights, biases, and tensors whose last axis is longer than 2^16: what is kept is
/// bounded. Where the batch axis is not the first, all is one sample.
class ConstantEndsCounter
{
public:
    explicit ConstantEndsCounter(const TensorInfo& info);

    /// Consecutive values of the tensor, from its first on.
    void add(const Block& block);
    /// Nothing unless all of the tensor's values were added.
    [[nodiscard]] ConstantEnds finish() const;

private:
    struct Axis
    {
        int axis = 0;
        std::uint64_t length = 0;
        std::uint64_t rows = 0;  ///< of one position; 0: the last axis, whose positions are values
        std::uint64_t perPosition = 0;  ///< values of a sample
        std::uint64_t lead = 0;   ///< positions alike at the start, the least of those seen so far
        std::uint64_t trail = 0;  ///< at the end
        std::vector<float> previous = {};  ///< the position before
        std::uint64_t run = 0;             ///< positions alike up to this one
        bool isEqual = false;              ///< so far, this position and the one before
        bool isLeading = false;            ///< all positions so far are alike
        std::uint64_t total = 0;           ///< values found
    };
    void addRow(std::span<const float> row);
    void addRow(Axis& axis, std::span<const float> row) const;
    void endSample();

    std::uint64_t m_all;
    std::uint64_t m_seen = 0;
    std::uint64_t m_width = 0;       ///< of a row: the last axis
    std::uint64_t m_sampleRows = 0;  ///< in a sample
    std::uint64_t m_row = 0;         ///< in its sample
    std::vector<float> m_cut;        ///< the beginning of a row that a block's end cut
    std::vector<Axis> m_axes;
};

}  // namespace calibscope
