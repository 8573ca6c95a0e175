// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/position_mask.h"

#include "core/tensor/element_type.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

std::uint64_t valuesOf(std::span<const std::uint64_t> shape)
{
    return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies{});
}

}  // namespace

std::uint64_t PositionMask::countedIn(std::span<const std::uint64_t> tensor) const
{
    std::vector<std::uint64_t> cut = shape;
    if (!cut.empty())
        cut.front() = std::min(cut.front(), tensor.front());
    const std::uint64_t flags = valuesOf(cut);
    if (flags == 0)
        return 0;
    const auto end = counts->begin() + static_cast<std::ptrdiff_t>(flags);
    const auto none = static_cast<std::uint64_t>(std::count(counts->begin(), end, 0));
    return (flags - none) * (valuesOf(tensor) / flags);
}

MaskRuns::MaskRuns(PositionMask mask, std::span<const std::uint64_t> tensor)
    : m_mask(std::move(mask)), m_shape(tensor.begin(), tensor.end())
{
    while (!m_shape.empty() && m_mask.shape[m_shape.size() - 1] == 1) {
        m_inner *= m_shape.back();
        m_shape.pop_back();
    }
    m_strides.resize(m_shape.size());
    std::uint64_t stride = 1;
    for (std::size_t axis = m_shape.size(); axis-- > 0; stride *= m_mask.shape[axis])
        m_strides[axis] = m_mask.shape[axis] == 1 ? 0 : stride;
}

void MaskRuns::forEach(std::uint64_t first, std::uint64_t count, const Use& use) const
{
    if (count == 0)
        return;
    const std::uint64_t end = first + count;
    std::vector<std::uint64_t> index(m_shape.size());
    std::uint64_t flag = 0;
    std::uint64_t rest = first / m_inner;
    for (std::size_t axis = m_shape.size(); axis-- > 0; rest /= m_shape[axis]) {
        index[axis] = rest % m_shape[axis];
        flag += index[axis] * m_strides[axis];
    }
    const auto advance = [&] {
        for (std::size_t axis = m_shape.size(); axis-- > 0;) {
            flag += m_strides[axis];
            if (++index[axis] < m_shape[axis])
                return;
            flag -= index[axis] * m_strides[axis];
            index[axis] = 0;
        }
    };
    const std::vector<std::uint8_t>& counts = *m_mask.counts;
    bool isCounted = counts[flag] != 0;
    for (std::uint64_t at = first - first % m_inner + m_inner; at < end; at += m_inner) {
        advance();
        if ((counts[flag] != 0) == isCounted)
            continue;
        use(first, at - first, isCounted);
        first = at;
        isCounted = !isCounted;
    }
    use(first, end - first, isCounted);
}

ValueSource masked(ValueSource source, PositionMask mask)
{
    TensorInfo& info = source.info;
    if (info.mask) {
        info.mask->counted = mask.countedIn(info.shape);
        info.mask->of = info.valueCount();
    }
    const std::size_t bytes =
        ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes();
    source.visit = [visit = std::move(source.visit), bytes,
                    runs = MaskRuns(std::move(mask), info.shape)](const BlockVisitor& visitor,
                                                                  const Progress& progress) {
        visit(
            [&](const Block& block) {
                std::vector<LostValue> lost;
                auto next = block.lost.begin();
                runs.forEach(
                    block.firstIndex, block.values.size(),
                    [&](std::uint64_t first, std::uint64_t count, bool counts) {
                        const std::uint64_t start = first - block.firstIndex;
                        lost.clear();
                        for (; next != block.lost.end() && next->place < start + count; ++next)
                            lost.push_back(
                                {.place = static_cast<std::uint32_t>(next->place - start),
                                 .loss = next->loss});
                        if (counts) {
                            Block part{.values = block.values.subspan(start, count),
                                       .firstIndex = first,
                                       .batch = block.batch,
                                       .lost = lost};
                            if (block.place)
                                part.place = *block.place + start * bytes;
                            visitor(part);
                        } else if (start + count == block.values.size()) {
                            visitor(
                                {.values = {}, .firstIndex = first + count, .batch = block.batch});
                        }
                    });
            },
            progress);
    };
    return source;
}

PositionMask joinedMasks(std::span<const PositionMask> masks,
                         std::span<const std::vector<std::uint64_t>> tensors)
{
    // Alike along an axis only where all are.
    PositionMask joined{.shape = std::vector<std::uint64_t>(tensors.front().size(), 1)};
    joined.shape.front() = 0;
    for (std::size_t part = 0; part < tensors.size(); ++part) {
        joined.shape.front() += tensors[part].front();
        for (std::size_t axis = 1; masks[part].counts && axis < joined.shape.size(); ++axis)
            joined.shape[axis] = std::max(joined.shape[axis], masks[part].shape[axis]);
    }
    std::vector<std::uint8_t> counts;
    counts.reserve(valuesOf(joined.shape));
    for (std::size_t part = 0; part < tensors.size(); ++part) {
        std::vector<std::uint64_t> own = joined.shape;
        own.front() = tensors[part].front();
        const std::size_t end = counts.size() + valuesOf(own);
        if (masks[part].counts)
            MaskRuns(masks[part], own)
                .forEach(0, end - counts.size(),
                         [&](std::uint64_t, std::uint64_t count, bool isCounted) {
                             counts.insert(counts.end(), count, isCounted ? 1 : 0);
                         });
        else
            counts.resize(end, 1);
    }
    joined.counts = std::make_shared<const std::vector<std::uint8_t>>(std::move(counts));
    return joined;
}

}  // namespace calibscope
