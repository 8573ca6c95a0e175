// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/zero_blocks.h"

#include "core/tensor/element_type.h"

#include <algorithm>

namespace calibscope {

namespace {

constexpr std::uint64_t sectorBytes = 512;

std::size_t firstOtherThanZero(std::span<const float> values, std::size_t first)
{
    while (first < values.size() && values[first] == 0.0F)
        ++first;
    return first;
}

}  // namespace

ZeroBlockCounter::ZeroBlockCounter(const TensorInfo& info)
    : m_elementBytes(info.elementType ? ElementType{.kind = *info.elementType}.bytes()
                                      : sectorBytes)
{
    std::uint64_t stride = 1;
    for (std::size_t axis = info.shape.size(); axis-- > 1;) {
        stride *= info.shape[axis];
        if (stride > 1)
            m_strides.push_back(stride);
    }
}

void ZeroBlockCounter::add(const Block& block)
{
    if (!block.place) {
        close();
        return;
    }
    const std::span<const float> values = block.values;
    const std::size_t step = std::max<std::size_t>(sectorBytes / m_elementBytes, 2) - 1;
    std::size_t next = 0;
    if (m_open && m_open->place + m_open->count * m_elementBytes == *block.place) {
        next = firstOtherThanZero(values, 0);
        m_open->count += next;
        if (next == values.size())
            return;
    }
    close();
    // A run that fills a block of the disk has all values but one, and so one of as many.
    for (std::size_t probe = next; probe < values.size(); probe += step) {
        if (values[probe] != 0.0F)
            continue;
        std::size_t first = probe;
        while (first > next && values[first - 1] == 0.0F)
            --first;
        next = firstOtherThanZero(values, probe);
        m_open = Run{.firstIndex = block.firstIndex + first,
                     .place = *block.place + first * m_elementBytes,
                     .count = next - first};
        if (next == values.size())
            return;
        close();
        probe = next;
    }
    std::size_t first = values.size();
    while (first > next && values[first - 1] == 0.0F)
        --first;
    if (first < values.size())
        m_open = Run{.firstIndex = block.firstIndex + first,
                     .place = *block.place + first * m_elementBytes,
                     .count = values.size() - first};
}

void ZeroBlockCounter::close()
{
    if (!m_open)
        return;
    const Run run = *m_open;
    m_open.reset();
    const std::uint64_t end = run.place + run.count * m_elementBytes;
    // A value that lies in two blocks is lost by half, and seldom 0.
    if (end - run.place + m_elementBytes < sectorBytes)
        return;
    const std::uint64_t before = run.place % sectorBytes;
    const std::uint64_t behind = (sectorBytes - end % sectorBytes) % sectorBytes;
    const bool isOfBlocks = before < m_elementBytes && behind < m_elementBytes;
    const bool isOfShape = std::ranges::any_of(m_strides, [&](std::uint64_t stride) {
        return run.firstIndex % stride == 0 && (run.firstIndex + run.count) % stride == 0;
    });
    if (isOfBlocks && !isOfShape) {
        ++m_found.runs;
        m_found.values += run.count;
    } else {
        ++m_found.otherRuns;
    }
}

ZeroBlocks ZeroBlockCounter::finish()
{
    close();
    return m_found;
}

}  // namespace calibscope
