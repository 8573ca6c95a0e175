// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/kept_patterns.h"

#include <cstdint>
#include <span>

namespace calibscope::kernels {

/// Equal bins around 0: `half` on each side, bin half + k covers [k width, (k + 1) width). Values
/// outside fall into the end bins.
struct CentredBins
{
    double width = 1.0;  ///< above 0
    std::uint32_t half = 1024;
};

/// Writes the bins of finite values to `bins`, which has `vectorRoom` elements more than there are
/// values. As a division says: a value just below an edge is not rounded onto it.
void centredBins(std::span<const float> values, const CentredBins& centred,
                 std::span<std::uint32_t> bins);
/// The same, value by value: what the vector form is held against.
void centredBinsPlain(std::span<const float> values, const CentredBins& centred,
                      std::span<std::uint32_t> bins);

}  // namespace calibscope::kernels
