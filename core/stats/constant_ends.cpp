// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/constant_ends.h"

#include <algorithm>

namespace calibscope {

namespace {

constexpr std::uint64_t leastLength = 8;
constexpr std::uint64_t mostWidth = 1U << 16U;
constexpr std::uint64_t mostKept = 1U << 20U;
constexpr std::uint64_t leastAlike = 2;

/// Positions at either end of an axis that are not looked at.
std::uint64_t edgeOf(std::uint64_t length)
{
    constexpr std::uint64_t most = 4;
    constexpr std::uint64_t share = 16;
    return std::min(most, length / share);
}

/// Those that are.
std::uint64_t innerOf(std::uint64_t length)
{
    return length - 2 * edgeOf(length);
}

/// Values from the start that equal the first, counted up to `most`.
template <typename Values>
std::uint64_t alike(const Values& begin, std::uint64_t most)
{
    std::uint64_t count = 1;
    while (count < most && begin[static_cast<std::ptrdiff_t>(count)] == *begin)
        ++count;
    return std::min(count, most);
}

}  // namespace

ConstantEndsCounter::ConstantEndsCounter(const TensorInfo& info) : m_all(info.valueCount())
{
    const std::vector<std::uint64_t>& shape = info.shape;
    const bool isBySample = info.batchAxis == 0;
    const std::size_t first = isBySample ? 1 : 0;
    if (info.role == Role::Weight || info.role == Role::Bias || shape.size() <= first ||
        m_all == 0 || shape.back() > mostWidth)
        return;
    const std::uint64_t sampleValues = isBySample ? m_all / shape.front() : m_all;
    m_width = shape.back();
    m_sampleRows = sampleValues / m_width;
    std::uint64_t inner = 1;
    for (std::size_t place = shape.size(); place-- > first; inner *= shape[place]) {
        const int axis = static_cast<int>(place);
        if (shape[place] >= leastLength && axis != info.channelAxis && axis != info.batchAxis &&
            inner <= mostKept)
            m_axes.push_back({.axis = axis,
                              .length = shape[place],
                              .rows = place + 1 == shape.size() ? 0 : inner / m_width,
                              .perPosition = sampleValues / shape[place],
                              .lead = innerOf(shape[place]),
                              .trail = innerOf(shape[place])});
    }
}

void ConstantEndsCounter::add(const Block& block)
{
    m_seen += block.values.size();
    if (m_axes.empty())
        return;
    std::span<const float> values = block.values;
    if (!m_cut.empty()) {
        const std::size_t missing = std::min<std::size_t>(m_width - m_cut.size(), values.size());
        m_cut.insert(m_cut.end(), values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(missing));
        values = values.subspan(missing);
        if (m_cut.size() < m_width)
            return;
        addRow(m_cut);
        m_cut.clear();
    }
    for (; values.size() >= m_width; values = values.subspan(m_width))
        addRow(values.first(m_width));
    m_cut.assign(values.begin(), values.end());
}

void ConstantEndsCounter::addRow(std::span<const float> row)
{
    for (Axis& axis : m_axes)
        if (axis.lead >= leastAlike || axis.trail >= leastAlike)
            addRow(axis, row);
    if (++m_row == m_sampleRows)
        endSample();
}

void ConstantEndsCounter::addRow(Axis& axis, std::span<const float> row) const
{
    const std::uint64_t edge = edgeOf(axis.length);
    if (axis.rows == 0) {
        const auto inner = row.subspan(edge, innerOf(axis.length));
        axis.lead = alike(inner.begin(), axis.lead);
        axis.trail = alike(inner.rbegin(), axis.trail);
        return;
    }
    const std::uint64_t inPosition = m_row % axis.rows;
    if (m_row / axis.rows % axis.length < edge ||
        m_row / axis.rows % axis.length >= axis.length - edge)
        return;
    const std::uint64_t position = m_row / axis.rows % axis.length - edge;
    if (inPosition == 0)
        axis.isEqual = position > 0;
    axis.previous.resize(axis.rows * m_width);
    const std::span<float> before =
        std::span(axis.previous).subspan(inPosition * m_width, row.size());
    axis.isEqual = axis.isEqual && std::ranges::equal(row, before);
    if (!axis.isEqual)
        std::ranges::copy(row, before.begin());
    if (inPosition + 1 < axis.rows)
        return;
    if (position == 0) {
        axis.run = 1;
        axis.isLeading = true;
    } else if (axis.isEqual) {
        ++axis.run;
    } else {
        if (axis.isLeading)
            axis.lead = std::min(axis.lead, axis.run);
        axis.isLeading = false;
        axis.run = 1;
    }
    if (position + 1 == innerOf(axis.length))
        axis.trail = std::min(axis.trail, axis.run);
}

void ConstantEndsCounter::endSample()
{
    m_row = 0;
    for (Axis& axis : m_axes) {
        const auto counted = [](std::uint64_t run) { return run >= leastAlike ? run : 0; };
        const std::uint64_t inner = innerOf(axis.length);
        const std::uint64_t positions =
            axis.lead == inner ? axis.length : counted(axis.lead) + counted(axis.trail);
        axis.total += positions * axis.perPosition;
        axis.lead = inner;
        axis.trail = inner;
    }
}

ConstantEnds ConstantEndsCounter::finish() const
{
    const auto most = std::ranges::max_element(m_axes, {}, &Axis::total);
    if (most == m_axes.end() || most->total == 0 || m_seen != m_all)
        return {};
    return {.axis = most->axis, .values = most->total};
}

}  // namespace calibscope
