// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/zero_ends.h"

#include "core/tensor/element_type.h"

#include <algorithm>
#include <array>
#include <span>

namespace calibscope {

namespace {

std::size_t elementBytesOf(const TensorInfo& info)
{
    return ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes();
}

void addZeros(ZeroBlockCounter& counter, const ZeroRun& run, std::size_t elementBytes)
{
    static constexpr std::array<float, 4096> zeros{};
    for (std::uint64_t first = 0; first < run.count; first += zeros.size())
        counter.add({.values = std::span(zeros).first(
                         std::min<std::uint64_t>(zeros.size(), run.count - first)),
                     .firstIndex = run.firstIndex + first,
                     .place = run.place + first * elementBytes});
}

bool isFollowedBy(const ZeroRun& run, std::uint64_t place, std::size_t elementBytes)
{
    return run.place + run.count * elementBytes == place;
}

/// The values from one on, as far as another.
Block piece(const Block& block, std::size_t first, std::size_t end, std::size_t elementBytes)
{
    return {.values = block.values.subspan(first, end - first),
            .firstIndex = block.firstIndex + first,
            .batch = block.batch,
            .place = *block.place + first * elementBytes};
}

}  // namespace

ZeroEndsCounter::ZeroEndsCounter(const TensorInfo& info)
    : m_counter(info), m_elementBytes(elementBytesOf(info))
{}

/// The run of zeros so far ends here.
void ZeroEndsCounter::settle()
{
    if (m_trailing && m_isLeading)
        m_ends.push_back(*m_trailing);
    else if (m_trailing)
        addZeros(m_counter, *m_trailing, m_elementBytes);
    m_trailing.reset();
    m_isLeading = false;
}

void ZeroEndsCounter::add(const Block& block)
{
    if (!block.place || block.values.empty()) {
        settle();
        m_counter.add(block);
        return;
    }
    const std::size_t size = block.values.size();
    std::size_t first = 0;
    if (m_trailing && !isFollowedBy(*m_trailing, *block.place, m_elementBytes))
        settle();
    if (m_trailing || m_isLeading) {
        while (first < size && block.values[first] == 0.0F)
            ++first;
        if (!m_trailing && first > 0)
            m_trailing = ZeroRun{.firstIndex = block.firstIndex, .place = *block.place};
        if (m_trailing)
            m_trailing->count += first;
        if (first == size)
            return;
        settle();
    }
    std::size_t end = size;
    while (end > first && block.values[end - 1] == 0.0F)
        --end;
    if (first < end)
        m_counter.add(piece(block, first, end, m_elementBytes));
    if (end < size)
        m_trailing = ZeroRun{.firstIndex = block.firstIndex + end,
                             .place = *block.place + end * m_elementBytes,
                             .count = size - end};
}

ZeroBlocks ZeroEndsCounter::finish(std::vector<ZeroRun>& ends)
{
    if (m_trailing)
        m_ends.push_back(*m_trailing);
    ends.insert(ends.end(), m_ends.begin(), m_ends.end());
    return m_counter.finish();
}

ZeroBlocks zeroBlocksOf(const TensorInfo& info, std::vector<ZeroRun> ends)
{
    const std::size_t elementBytes = elementBytesOf(info);
    ZeroBlockCounter counter(info);
    std::ranges::sort(ends, {}, &ZeroRun::firstIndex);
    // The counter joins what follows without a gap in the file.
    for (const ZeroRun& run : ends)
        addZeros(counter, run, elementBytes);
    return counter.finish();
}

}  // namespace calibscope
