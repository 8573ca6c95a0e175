// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/slab_plan.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace calibscope {

namespace {

/// Values behind one index of that axis.
std::uint64_t strideOf(const std::vector<std::uint64_t>& shape, std::size_t axis)
{
    return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end(),
                           std::uint64_t{1}, std::multiplies{});
}

}  // namespace

std::uint64_t SlabPlan::mostValues() const
{
    return std::min(step, shape[axis]) * strideOf(shape, axis);
}

Slab SlabPlan::slabAt(std::uint64_t firstIndex) const
{
    Slab slab{.start = std::vector<std::uint64_t>(shape.size()),
              .count = shape,
              .firstIndex = firstIndex,
              .values = 0};
    std::uint64_t rest = firstIndex;
    for (std::size_t outer = 0; outer <= axis; ++outer) {
        const std::uint64_t stride = strideOf(shape, outer);
        slab.start[outer] = rest / stride;
        slab.count[outer] = 1;
        rest %= stride;
    }
    slab.count[axis] = std::min(step, shape[axis] - slab.start[axis]);
    slab.values = slab.count[axis] * strideOf(shape, axis);
    return slab;
}

SlabPlan planSlabs(const std::vector<std::uint64_t>& shape, const std::vector<std::uint64_t>& chunk,
                   std::size_t elementBytes, std::uint64_t targetBytes)
{
    // Behind the first axis along which chunks are longer than 1 a slab would be a part of chunks.
    for (std::size_t axis = 0;; ++axis) {
        const std::uint64_t length = std::min(chunk[axis], shape[axis]);
        const std::uint64_t bytes = length * strideOf(shape, axis) * elementBytes;
        if (bytes <= targetBytes || length > 1 || axis + 1 == shape.size())
            return {.shape = shape,
                    .axis = axis,
                    .step = length * std::max<std::uint64_t>(targetBytes / bytes, 1)};
    }
}

}  // namespace calibscope
