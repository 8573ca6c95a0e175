// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/formats/block_format.h"
#include "core/formats/format_map.h"
#include "core/tensor/value_source.h"

#include <cstdint>

namespace calibscope {

/// Most cells of a map, each at least 1.
struct MapSize
{
    std::uint64_t rows = 1;
    std::uint64_t columns = 1;
};

/// The tensor under the format as encodeTensor() has it, in the same passes. Memory beyond that: the
/// cells; and for scales of tensor, channels and rows the sums of each. Throws Error(Usage) for a
/// tensor without values, and as encodeTensor() does.
[[nodiscard]] FormatMap mapFormat(const ValueSource& source, const BlockFormat& format,
                                  const MatrixShape& matrix, const MapSize& size,
                                  const Progress& progress = {});

}  // namespace calibscope
