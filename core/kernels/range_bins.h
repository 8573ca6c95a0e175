// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/kept_patterns.h"

#include <cstdint>
#include <span>

namespace calibscope::kernels {

/// Equal bins over a closed range, by float32 arithmetic alone: bin (x - low) / (high - low) count,
/// the upper end in the last one, and all where the difference is 0 or beyond float32. Source:
/// torch.histc.
struct RangeBins
{
    float low = 0.0F;
    float high = 1.0F;
    std::uint32_t count = 1;
};

/// Writes the bins to `bins`, which has `vectorRoom` elements more than there are values: `count`
/// for a finite value outside the range, `count` + 1 for NaN and infinities.
void rangeBins(std::span<const float> values, const RangeBins& range,
               std::span<std::uint32_t> bins);
/// The same, value by value: what the vector form is held against.
void rangeBinsPlain(std::span<const float> values, const RangeBins& range,
                    std::span<std::uint32_t> bins);

}  // namespace calibscope::kernels
