// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/sample_study.h"
#include "core/tensor/value_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace calibscope::samples {

/// Calls `use(unit, values)` for the longest runs of a block's values that belong to one unit, in
/// order.
template <typename Use>
void forEachUnitRun(const TensorInfo& info, SampleUnit unit, const Block& block, const Use& use)
{
    if (unit == SampleUnit::Batch) {
        use(static_cast<std::size_t>(block.batch), block.values);
        return;
    }
    const std::uint64_t size = info.valuesPerSample();
    for (std::size_t first = 0; first < block.values.size();) {
        const std::uint64_t index = block.firstIndex + first;
        const std::size_t count =
            std::min<std::uint64_t>(size - index % size, block.values.size() - first);
        use(static_cast<std::size_t>(index / size), block.values.subspan(first, count));
        first += count;
    }
}

}  // namespace calibscope::samples
