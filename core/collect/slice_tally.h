// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/slice.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// A rectangle of a slice's values, by index along its axes.
struct SliceBlock
{
    std::uint64_t firstRow = 0;
    std::uint64_t rows = 0;
    std::uint64_t firstColumn = 0;
    std::uint64_t columns = 0;
};

/// Adds blocks of values up to the cells of a slice.
class SliceTally
{
public:
    /// Requires a question that the tensor admits. `isPart`: cells of which nothing is added are
    /// unread.
    SliceTally(const TensorInfo& info, const SliceQuestion& question, bool isPart);

    /// A block's values in the order in which they are stored: by rows where the row axis is the
    /// earlier one, else by columns.
    void add(const SliceBlock& block, std::span<const float> values);
    [[nodiscard]] Slice finish();

private:
    /// The same comparisons as with the ends in double.
    struct Ends
    {
        float low;
        float high;
    };
    struct Run
    {
        std::uint64_t cell;  ///< of its first value
        std::uint64_t cellStep;
        std::uint64_t first;  ///< index of its first value, counted from the slice's first one
        std::uint64_t step;   ///< values to a cell
        std::uint64_t firstChannel;
        bool hasChannels;  ///< its values have channels one after the other
    };
    void addRun(const Run& run, std::span<const float> values);
    void addToCell(std::uint64_t cell, std::span<const float> values, const Ends& clip);
    void addOdd(std::uint64_t cell, std::span<const float> values);
    void addMarked(std::uint64_t cell, std::span<const float> values);
    [[nodiscard]] const Ends& clipOf(std::uint64_t channel) const;

    SliceQuestion m_question;
    Slice m_slice;
    std::vector<Ends> m_clips;
    Ends m_marked{};
    bool m_areRowsTogether;  ///< neighbouring columns of a row are stored together
    std::optional<std::uint64_t> m_channelAxis;  ///< where there is a clip range for each
};

}  // namespace calibscope
