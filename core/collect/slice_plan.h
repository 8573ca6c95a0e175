// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/collect/slice_tally.h"
#include "core/stats/slice.h"
#include "core/tensor/value_boxes.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace calibscope {

/// Which values of a slice are read, and in which blocks: all of them, or a part that costs no more
/// than the question allows. Costs are bytes, about; each place where reading begins costs as much
/// as some hundred of them.
///
/// The slow axis is the one that comes first in the file; along the fast one values are stored
/// nearer to each other.
class SlicePlan
{
public:
    using Visitor = std::function<void(std::span<const SliceBlock>)>;

    /// Requires a question that the boxes' tensor admits.
    SlicePlan(const ValueBoxes& boxes, const SliceQuestion& question);

    /// As asked, but for cells that had to be made larger.
    [[nodiscard]] const SliceQuestion& question() const { return m_question; }
    [[nodiscard]] bool isPart() const { return m_kind != Kind::All; }
    [[nodiscard]] std::uint64_t valuesToRead() const { return m_toRead; }
    /// Gives all blocks, some at a time that are to be read together.
    void visit(const Visitor& visitor) const;
    [[nodiscard]] ValueBox boxOf(const SliceBlock& block) const;
    /// Fills in the cost of the read part and of the whole.
    void describe(Slice& slice) const;

private:
    enum class Kind {
        All,
        Lines,   ///< every so many lines along the fast axis
        Points,  ///< the first values of each cell's first line
        Chunks,  ///< every so many chunks
    };
    struct Axis
    {
        std::uint64_t first = 0;
        std::uint64_t count = 1;
        std::uint64_t step = 1;   ///< values to a cell
        std::uint64_t chunk = 1;  ///< values read together
        std::uint64_t every = 1;  ///< of these, or of chunks, one is read

        [[nodiscard]] std::uint64_t end() const { return first + count; }
        [[nodiscard]] std::uint64_t cells() const { return (count - 1) / step + 1; }
        [[nodiscard]] std::uint64_t chunks() const
        {
            return (end() - 1) / chunk - first / chunk + 1;
        }
        [[nodiscard]] std::uint64_t picks() const { return (chunks() - 1) / every + 1; }
    };
    [[nodiscard]] Axis axisOf(const ValueBoxes& boxes, bool ofRows) const;
    [[nodiscard]] double costOfLine() const;
    [[nodiscard]] double costOfAll() const;
    void planPart();
    void planPoints();
    void planChunks();
    [[nodiscard]] std::uint64_t countToRead() const;
    [[nodiscard]] SliceBlock block(std::uint64_t slowFirst, std::uint64_t slow,
                                   std::uint64_t fastFirst, std::uint64_t fast) const;
    void visitAll(const Visitor& visitor) const;
    void visitLines(const Visitor& visitor) const;
    void visitPoints(const Visitor& visitor) const;
    void visitChunks(const Visitor& visitor) const;

    SliceQuestion m_question;
    Kind m_kind = Kind::All;
    bool m_isRowSlow;
    bool m_isChunked;
    std::size_t m_elementBytes;
    std::uint64_t m_chunkBytes = 0;
    std::uint64_t m_fastBytes = 0;  ///< from one value to the next along the fast axis
    Axis m_slow;
    Axis m_fast;
    std::uint64_t m_run = 1;  ///< Points: values of each cell
    std::uint64_t m_toRead = 0;
};

}  // namespace calibscope
