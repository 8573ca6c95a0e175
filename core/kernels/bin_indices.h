// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/kept_patterns.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace calibscope::kernels {

/// Equal bins from `low` on. A value's bin is the whole part of (x - low) / width in double, at
/// least 0 and at most the last bin.
struct EqualBins
{
    double low = 0.0;
    double width = 0.0;  ///< above 0
    std::uint32_t count = 0;
    bool ofMagnitude = false;  ///< of |x| instead of x
};

/// Writes the bins of the finite values that are not zero, in their order, to `bins`, which has
/// `vectorRoom` elements more than there are values.
KeptPatterns binIndices(std::span<const float> values, const EqualBins& equal,
                        std::span<std::uint32_t> bins);
/// The same, value by value: what the vector form is held against.
KeptPatterns binIndicesPlain(std::span<const float> values, const EqualBins& equal,
                             std::span<std::uint32_t> bins);

}  // namespace calibscope::kernels
