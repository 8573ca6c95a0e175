// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/slice_tally.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float most = std::numeric_limits<float>::max();

/// Least float that is not below: x < bound and x < leastFrom(bound) are the same of floats.
float leastFrom(double bound)
{
    if (bound > static_cast<double>(most))
        return infinity;
    if (bound < -static_cast<double>(most))
        return -most;
    const auto nearest = static_cast<float>(bound);
    return static_cast<double>(nearest) < bound ? std::nextafter(nearest, infinity) : nearest;
}

/// Greatest float that is not above.
float greatestTo(double bound)
{
    return -leastFrom(-bound);
}

struct FiniteEnds
{
    float low = infinity;
    float high = -infinity;
    std::uint32_t finite = 0;
    std::uint32_t clipped = 0;
};

/// Without branches, so that compilers make it vectors. At most 2^32 - 1 values.
FiniteEnds finiteEnds(std::span<const float> values, float clipLow, float clipHigh)
{
    FiniteEnds ends;
    for (const float value : values) {
        const bool isFinite = std::abs(value) <= most;
        const float upward = isFinite ? value : infinity;
        const float downward = isFinite ? value : -infinity;
        ends.low = upward < ends.low ? upward : ends.low;
        ends.high = downward > ends.high ? downward : ends.high;
        ends.finite += isFinite ? 1U : 0U;
        const bool isOutside = (value < clipLow) | (value > clipHigh);
        ends.clipped += (isOutside & isFinite) ? 1U : 0U;
    }
    return ends;
}

}  // namespace

SliceTally::SliceTally(const TensorInfo& info, const SliceQuestion& question, bool isPart)
    : m_question(question),
      m_areRowsTogether(!question.rowAxis || *question.rowAxis < question.columnAxis)
{
    m_slice.firstRow = question.firstRow;
    m_slice.firstColumn = question.firstColumn;
    m_slice.rowStep = question.rowStep;
    m_slice.columnStep = question.columnStep;
    m_slice.rowCount = question.rowCount;
    m_slice.columnCount = question.columnCount;
    m_slice.rows = question.cellRows();
    m_slice.columns = question.cellColumns();
    const std::uint64_t cells = m_slice.rows * m_slice.columns;
    m_slice.low.assign(cells, infinity);
    m_slice.high.assign(cells, -infinity);
    m_slice.marks.assign(cells, isPart ? Slice::IsUnread : 0);
    m_slice.clipped.assign(cells, 0);
    for (const Range& clip : question.clips)
        m_clips.push_back({leastFrom(clip.low), greatestTo(clip.high)});
    if (m_clips.empty())
        m_clips.push_back({-infinity, infinity});
    if (m_clips.size() > 1 && info.channelAxis)
        m_channelAxis = static_cast<std::uint64_t>(*info.channelAxis);
    if (question.marked)
        m_marked = {leastFrom(question.marked->range.low), greatestTo(question.marked->range.high)};
}

const SliceTally::Ends& SliceTally::clipOf(std::uint64_t channel) const
{
    return m_channelAxis ? m_clips[channel] : m_clips.front();
}

void SliceTally::add(const SliceBlock& block, std::span<const float> values)
{
    const bool hasRowChannels = m_channelAxis && m_question.rowAxis == m_channelAxis;
    const bool hasColumnChannels = m_channelAxis == m_question.columnAxis;
    const std::uint64_t fixed = m_channelAxis ? m_question.at[*m_channelAxis] : 0;
    const std::uint64_t row = block.firstRow - m_question.firstRow;
    const std::uint64_t column = block.firstColumn - m_question.firstColumn;
    const std::uint64_t runs = m_areRowsTogether ? block.rows : block.columns;
    const std::uint64_t length = m_areRowsTogether ? block.columns : block.rows;
    for (std::uint64_t index = 0; index < runs; ++index) {
        const std::uint64_t atRow = m_areRowsTogether ? row + index : row;
        const std::uint64_t atColumn = m_areRowsTogether ? column : column + index;
        const bool hasChannels = m_areRowsTogether ? hasColumnChannels : hasRowChannels;
        const std::uint64_t channel = hasRowChannels      ? m_question.firstRow + atRow
                                      : hasColumnChannels ? m_question.firstColumn + atColumn
                                                          : fixed;
        addRun({.cell = m_slice.cell(atRow / m_slice.rowStep, atColumn / m_slice.columnStep),
                .cellStep = m_areRowsTogether ? 1 : m_slice.columns,
                .first = m_areRowsTogether ? atColumn : atRow,
                .step = m_areRowsTogether ? m_slice.columnStep : m_slice.rowStep,
                .firstChannel = channel,
                .hasChannels = hasChannels},
               values.subspan(index * length, length));
    }
    m_slice.read += values.size();
}

void SliceTally::addRun(const Run& run, std::span<const float> values)
{
    std::uint64_t cell = run.cell;
    std::uint64_t channel = run.firstChannel;
    for (std::uint64_t at = 0; at < values.size(); cell += run.cellStep) {
        const std::uint64_t left = run.step - (run.first + at) % run.step;
        const auto inCell = values.subspan(at, std::min<std::uint64_t>(left, values.size() - at));
        if (run.hasChannels)
            for (std::size_t place = 0; place < inCell.size(); ++place)
                addToCell(cell, inCell.subspan(place, 1), clipOf(channel++));
        else
            addToCell(cell, inCell, clipOf(channel));
        at += inCell.size();
    }
}

void SliceTally::addToCell(std::uint64_t cell, std::span<const float> values, const Ends& clip)
{
    const FiniteEnds ends = finiteEnds(values, clip.low, clip.high);
    m_slice.low[cell] = std::min(m_slice.low[cell], ends.low);
    m_slice.high[cell] = std::max(m_slice.high[cell], ends.high);
    m_slice.clipped[cell] += ends.clipped;
    m_slice.finite += ends.finite;
    m_slice.marks[cell] &= static_cast<std::uint8_t>(~Slice::IsUnread);
    if (ends.finite < values.size())
        addOdd(cell, values);
    if (m_question.marked)
        addMarked(cell, values);
}

void SliceTally::addOdd(std::uint64_t cell, std::span<const float> values)
{
    for (const float value : values) {
        if (std::isnan(value)) {
            m_slice.marks[cell] |= Slice::HasNan;
            ++m_slice.nan;
        } else if (std::isinf(value)) {
            m_slice.marks[cell] |= value > 0.0F ? Slice::HasPositiveInf : Slice::HasNegativeInf;
            ++m_slice.infinite;
        }
    }
}

void SliceTally::addMarked(std::uint64_t cell, std::span<const float> values)
{
    const bool ofMagnitude = m_question.marked->domain == Domain::Magnitude;
    std::uint64_t count = 0;
    for (const float value : values) {
        const float x = ofMagnitude ? std::abs(value) : value;
        count += x >= m_marked.low && x <= m_marked.high && std::isfinite(value) ? 1U : 0U;
    }
    m_slice.marked += count;
    if (count > 0)
        m_slice.marks[cell] |= Slice::HasMarked;
}

Slice SliceTally::finish()
{
    for (std::size_t cell = 0; cell < m_slice.low.size(); ++cell)
        if (m_slice.low[cell] > m_slice.high[cell])
            m_slice.low[cell] = m_slice.high[cell] = std::numeric_limits<float>::quiet_NaN();
    return std::move(m_slice);
}

}  // namespace calibscope
