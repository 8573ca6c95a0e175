// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_slice.h"

#include "core/base/error.h"
#include "core/collect/slice_tally.h"
#include "core/stats/slice.h"
#include "core/tensor/value_boxes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

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

constexpr double costOfPlace = 512.0;
constexpr double costOfChunk = 16384.0;
/// Values that lie so near are read with what is between them.
constexpr std::uint64_t nearBytes = 4096;
constexpr std::uint64_t valuesAtOnce = std::uint64_t{1} << 20U;
constexpr std::uint64_t chunkBytesAtOnce = std::uint64_t{32} << 20U;

std::uint64_t ceilOf(std::uint64_t number, std::uint64_t divisor)
{
    return (number - 1) / divisor + 1;
}

SlicePlan::SlicePlan(const ValueBoxes& boxes, const SliceQuestion& question)
    : m_question(question),
      m_isRowSlow(!question.rowAxis || *question.rowAxis < question.columnAxis),
      m_isChunked(
          std::ranges::any_of(boxes.chunk, [](std::uint64_t length) { return length > 1; })),
      m_elementBytes(boxes.elementBytes),
      m_chunkBytes(std::accumulate(boxes.chunk.begin(), boxes.chunk.end(),
                                   std::uint64_t{boxes.elementBytes}, std::multiplies{})),
      m_slow(axisOf(boxes, m_isRowSlow)),
      m_fast(axisOf(boxes, !m_isRowSlow))
{
    const std::uint64_t fastAxis = m_isRowSlow ? question.columnAxis : *question.rowAxis;
    const std::vector<std::uint64_t>& shape = boxes.info.shape;
    m_fastBytes = std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(fastAxis) + 1,
                                  shape.end(), std::uint64_t{m_elementBytes}, std::multiplies{});
    if (question.mostBytes > 0 && costOfAll() > static_cast<double>(question.mostBytes))
        planPart();
    m_toRead = countToRead();
}

SlicePlan::Axis SlicePlan::axisOf(const ValueBoxes& boxes, bool ofRows) const
{
    if (!ofRows)
        return {.first = m_question.firstColumn,
                .count = m_question.columnCount,
                .step = m_question.columnStep,
                .chunk = boxes.chunk[m_question.columnAxis]};
    if (!m_question.rowAxis)
        return {};
    return {.first = m_question.firstRow,
            .count = m_question.rowCount,
            .step = m_question.rowStep,
            .chunk = boxes.chunk[*m_question.rowAxis]};
}

double SlicePlan::costOfLine() const
{
    const auto values = static_cast<double>(m_fast.count);
    if (m_fastBytes > nearBytes)
        return values * (costOfPlace + static_cast<double>(m_elementBytes));
    return costOfPlace + values * static_cast<double>(m_fastBytes);
}

double SlicePlan::costOfAll() const
{
    if (m_isChunked)
        return static_cast<double>(m_slow.chunks()) * static_cast<double>(m_fast.chunks()) *
               (static_cast<double>(m_chunkBytes) + costOfChunk);
    return static_cast<double>(m_slow.count) * costOfLine();
}

void SlicePlan::planPart()
{
    if (m_isChunked)
        return planChunks();
    const double lines = static_cast<double>(m_question.mostBytes) / costOfLine();
    if (lines < static_cast<double>(m_slow.cells()))
        return planPoints();
    m_kind = Kind::Lines;
    const auto perCell = static_cast<std::uint64_t>(lines / static_cast<double>(m_slow.cells()));
    m_slow.every = ceilOf(m_slow.step, std::min(perCell, m_slow.step));
}

/// Not even a line of each row of cells can be read.
void SlicePlan::planPoints()
{
    m_kind = Kind::Points;
    const auto bytes = static_cast<double>(m_question.mostBytes);
    const auto costOfCell = [this, bytes] {
        return bytes / (static_cast<double>(m_slow.cells()) * static_cast<double>(m_fast.cells()));
    };
    const double least = costOfPlace + static_cast<double>(m_elementBytes);
    while (costOfCell() < least && (m_slow.cells() > 1 || m_fast.cells() > 1)) {
        Axis& finer = m_slow.cells() >= m_fast.cells() ? m_slow : m_fast;
        finer.step = std::min(finer.step * 2, finer.count);
    }
    if (m_fastBytes == m_elementBytes && costOfCell() > least)
        m_run = static_cast<std::uint64_t>((costOfCell() - costOfPlace) /
                                           static_cast<double>(m_elementBytes));
    m_run = std::clamp<std::uint64_t>(m_run, 1, m_fast.step);
    m_slow.every = m_slow.step;
    m_fast.every = ceilOf(m_fast.step, m_run);
    m_question.rowStep = m_isRowSlow ? m_slow.step : m_fast.step;
    m_question.columnStep = m_isRowSlow ? m_fast.step : m_slow.step;
}

void SlicePlan::planChunks()
{
    m_kind = Kind::Chunks;
    const double most = static_cast<double>(m_question.mostBytes) /
                        (static_cast<double>(m_chunkBytes) + costOfChunk);
    const auto isTooMuch = [this, most] {
        return static_cast<double>(m_slow.picks()) * static_cast<double>(m_fast.picks()) > most;
    };
    while (isTooMuch() && (m_slow.picks() > 1 || m_fast.picks() > 1)) {
        Axis& finer = m_slow.picks() >= m_fast.picks() ? m_slow : m_fast;
        finer.every += std::max<std::uint64_t>(finer.every / 8, 1);
    }
}

SliceBlock SlicePlan::block(std::uint64_t slowFirst, std::uint64_t slow, std::uint64_t fastFirst,
                            std::uint64_t fast) const
{
    if (m_isRowSlow)
        return {.firstRow = slowFirst, .rows = slow, .firstColumn = fastFirst, .columns = fast};
    return {.firstRow = fastFirst, .rows = fast, .firstColumn = slowFirst, .columns = slow};
}

ValueBox SlicePlan::boxOf(const SliceBlock& block) const
{
    ValueBox box{.start = m_question.at,
                 .count = std::vector<std::uint64_t>(m_question.at.size(), 1)};
    box.start[m_question.columnAxis] = block.firstColumn;
    box.count[m_question.columnAxis] = block.columns;
    if (m_question.rowAxis) {
        box.start[*m_question.rowAxis] = block.firstRow;
        box.count[*m_question.rowAxis] = block.rows;
    }
    return box;
}

void SlicePlan::visit(const Visitor& visitor) const
{
    switch (m_kind) {
    case Kind::All: return visitAll(visitor);
    case Kind::Lines: return visitLines(visitor);
    case Kind::Points: return visitPoints(visitor);
    case Kind::Chunks: return visitChunks(visitor);
    }
}

/// Blocks of whole chunks, so that each chunk is read once.
void SlicePlan::visitAll(const Visitor& visitor) const
{
    const std::uint64_t slowUnit = std::min(m_slow.chunk, m_slow.count);
    const std::uint64_t fastUnit = std::min(m_fast.chunk, m_fast.count);
    std::uint64_t most = valuesAtOnce / fastUnit / slowUnit;
    if (m_isChunked)  // several threads decode them
        most = std::min(4 * valuesAtOnce / fastUnit / slowUnit, chunkBytesAtOnce / m_chunkBytes);
    most = std::max<std::uint64_t>(most, 1);
    const std::uint64_t fastUnits = std::min(most, m_fast.chunks());
    const std::uint64_t slowUnits = std::max<std::uint64_t>(most / fastUnits, 1);
    const auto endAfter = [](const Axis& axis, std::uint64_t from, std::uint64_t units) {
        const std::uint64_t left = axis.end() / axis.chunk - from / axis.chunk;
        return units > left ? axis.end()
                            : std::min((from / axis.chunk + units) * axis.chunk, axis.end());
    };
    for (std::uint64_t slow = m_slow.first; slow < m_slow.end();) {
        const std::uint64_t slowEnd = endAfter(m_slow, slow, slowUnits);
        for (std::uint64_t fast = m_fast.first; fast < m_fast.end();) {
            const std::uint64_t fastEnd = endAfter(m_fast, fast, fastUnits);
            const SliceBlock one = block(slow, slowEnd - slow, fast, fastEnd - fast);
            visitor(std::span(&one, 1));
            fast = fastEnd;
        }
        slow = slowEnd;
    }
}

void SlicePlan::visitLines(const Visitor& visitor) const
{
    const std::uint64_t piece = std::min(m_fast.count, valuesAtOnce);
    for (std::uint64_t cell = 0; cell < m_slow.cells(); ++cell) {
        const std::uint64_t end = std::min((cell + 1) * m_slow.step, m_slow.count);
        for (std::uint64_t line = cell * m_slow.step; line < end; line += m_slow.every)
            for (std::uint64_t at = 0; at < m_fast.count; at += piece) {
                const SliceBlock one = block(m_slow.first + line, 1, m_fast.first + at,
                                             std::min(piece, m_fast.count - at));
                visitor(std::span(&one, 1));
            }
    }
}

void SlicePlan::visitPoints(const Visitor& visitor) const
{
    constexpr std::size_t blocksAtOnce = 1024;
    std::vector<SliceBlock> blocks;
    for (std::uint64_t slow = 0; slow < m_slow.count; slow += m_slow.step)
        for (std::uint64_t fast = 0; fast < m_fast.count; fast += m_fast.step) {
            blocks.push_back(block(m_slow.first + slow, 1, m_fast.first + fast,
                                   std::min(m_run, m_fast.count - fast)));
            const bool isLast = fast + m_fast.step >= m_fast.count;
            if (isLast || blocks.size() >= blocksAtOnce || blocks.size() * m_run >= valuesAtOnce) {
                visitor(blocks);
                blocks.clear();
            }
        }
}

void SlicePlan::visitChunks(const Visitor& visitor) const
{
    const auto spanOf = [](const Axis& axis, std::uint64_t pick) {
        const std::uint64_t chunk = axis.first / axis.chunk + pick * axis.every;
        const std::uint64_t from = std::max(chunk * axis.chunk, axis.first);
        return std::pair(from, std::min((chunk + 1) * axis.chunk, axis.end()) - from);
    };
    const std::uint64_t most = std::clamp<std::uint64_t>(chunkBytesAtOnce / m_chunkBytes, 1, 4096);
    std::vector<SliceBlock> blocks;
    for (std::uint64_t slowPick = 0; slowPick < m_slow.picks(); ++slowPick)
        for (std::uint64_t fastPick = 0; fastPick < m_fast.picks(); ++fastPick) {
            const auto [slow, slowCount] = spanOf(m_slow, slowPick);
            const auto [fast, fastCount] = spanOf(m_fast, fastPick);
            blocks.push_back(block(slow, slowCount, fast, fastCount));
            if (fastPick + 1 == m_fast.picks() || blocks.size() >= most) {
                visitor(blocks);
                blocks.clear();
            }
        }
}

std::uint64_t SlicePlan::countToRead() const
{
    if (m_kind == Kind::All)
        return m_slow.count * m_fast.count;
    if (m_kind == Kind::Lines)
        return ceilOf(m_slow.count, m_slow.every) * m_fast.count;
    if (m_kind == Kind::Points)
        return m_slow.cells() * m_fast.cells() * m_run;
    return m_slow.picks() * m_fast.picks() * std::min(m_slow.chunk, m_slow.count) *
           std::min(m_fast.chunk, m_fast.count);
}

void SlicePlan::describe(Slice& slice) const
{
    constexpr double most = 1e18;
    slice.allBytes = static_cast<std::uint64_t>(std::min(costOfAll(), most));
    slice.isByChunks = m_kind == Kind::Chunks;
    slice.rowEvery = m_isRowSlow ? m_slow.every : m_fast.every;
    slice.columnEvery = m_isRowSlow ? m_fast.every : m_slow.every;
}

[[noreturn]] void refuse(const TensorInfo& info, const std::string& sentence)
{
    throw Error(Fault::Usage, info.path + ": " + sentence);
}

void requireSpan(const TensorInfo& info, std::uint64_t axis, std::uint64_t first,
                 std::uint64_t count)
{
    const std::uint64_t length = info.shape[axis];
    if (count == 0 || first >= length || count > length - first)
        refuse(info, "a slice of " + std::to_string(count) + " from index " +
                         std::to_string(first) + " on does not lie in axis " +
                         std::to_string(axis) + ", which has " + std::to_string(length));
}

bool isRange(const Range& range)
{
    return range.low <= range.high;  // false for NaN
}

void requireAxes(const TensorInfo& info, const SliceQuestion& question)
{
    const std::size_t axes = info.shape.size();
    if (question.columnAxis >= axes || (question.rowAxis && *question.rowAxis >= axes) ||
        question.rowAxis == question.columnAxis)
        refuse(info, "a slice needs two of its " + std::to_string(axes) + " axes, or one");
    if (question.at.size() != axes)
        refuse(info, "a slice needs an index for each of its " + std::to_string(axes) + " axes");
    for (std::size_t axis = 0; axis < axes; ++axis)
        if (axis != question.columnAxis && question.rowAxis != axis)
            requireSpan(info, axis, question.at[axis], 1);
    requireSpan(info, question.columnAxis, question.firstColumn, question.columnCount);
    if (question.rowAxis)
        requireSpan(info, *question.rowAxis, question.firstRow, question.rowCount);
    else if (question.firstRow != 0 || question.rowCount != 1)
        refuse(info, "a slice along one axis has one row");
}

void requireAdmitted(const TensorInfo& info, const SliceQuestion& question)
{
    requireAxes(info, question);
    if (question.rowStep == 0 || question.columnStep == 0)
        refuse(info, "a cell of a slice holds at least one value");
    if (question.cellRows() > mostSliceCells / question.cellColumns())
        refuse(info, "a slice has at most " + std::to_string(mostSliceCells) + " cells");
    const std::uint64_t channels = std::max<std::uint64_t>(info.channelCount(), 1);
    const std::size_t clips = question.clips.size();
    if (clips > 1 && clips != channels)
        refuse(info, "it has " + std::to_string(channels) + " channels, not " +
                         std::to_string(clips) + " clip ranges");
    if (!std::ranges::all_of(question.clips, isRange))
        refuse(info, "a clip range has its ends in the wrong order");
    if (question.marked && !isRange(question.marked->range))
        refuse(info, "a range of values to be marked has its ends in the wrong order");
}

}  // namespace

Slice collectSlice(const ValueBoxes& boxes, const SliceQuestion& question, const Progress& progress)
{
    requireAdmitted(boxes.info, question);
    const SlicePlan plan(boxes, question);
    SliceTally tally(boxes.info, plan.question(), plan.isPart());
    std::uint64_t done = 0;
    const std::uint64_t all = plan.valuesToRead();
    plan.visit([&](std::span<const SliceBlock> blocks) {
        progress.step(done, all, "values");
        std::vector<ValueBox> asked;
        for (const SliceBlock& block : blocks)
            asked.push_back(plan.boxOf(block));
        std::span<const float> values = boxes.read(asked, progress.silent());
        for (const SliceBlock& block : blocks) {
            const std::uint64_t count = block.rows * block.columns;
            tally.add(block, values.first(count));
            values = values.subspan(count);
            done += count;
        }
    });
    Slice slice = tally.finish();
    plan.describe(slice);
    return slice;
}

}  // namespace calibscope
