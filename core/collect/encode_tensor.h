// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/formats/block_code.h"
#include "core/formats/format_errors.h"
#include "core/formats/input_products.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace calibscope {

/// Neighbouring values of one block along a row of the matrix, or of one scale in the file's order.
struct BlockPart
{
    std::uint64_t block = 0;
    std::uint64_t first = 0;   ///< flat index in the tensor of the first value, as it is visited
    std::uint64_t stride = 1;  ///< from each value to the next
    const BlockScale& scale;
    std::span<const float> values;
    std::span<const float> decoded;
    std::span<const std::uint16_t> patterns;
};

using PartUse = std::function<void(const BlockPart&)>;

/// A tensor under a format, its matrix being `matrix` (of matrixShape()). Scales of tensor, channel
/// and row take two passes, one that measures and one that encodes; those of groups and tiles one,
/// and one before it where the tensor has a scale or its blocks end their search together; a search
/// for those of tensor, channel and row takes one more. Memory: one scale for each channel or row, or
/// the values of one group (of a super-block, or a row under importance) for all columns behind it, or
/// of `rows` rows of a tile. `use` is called with each part of a block, in the order of the visit.
/// `inputs` are what importance counts by. Throws Error(Usage) for tiles along an axis that is neither
/// the first nor the last, for rows without whole super-blocks, for a search in steps or by
/// importance at a granularity whose values lie apart, for importance without inputs of that
/// matrix, and as the source does.
[[nodiscard]] FormatErrors encodeTensor(const ValueSource& source, const BlockFormat& format,
                                        const MatrixShape& matrix, const Progress& progress = {},
                                        const PartUse& use = {},
                                        const InputProducts* inputs = nullptr);

/// The same for each of several formats, in passes that they share, several formats at once.
[[nodiscard]] std::vector<FormatErrors> encodeTensors(const ValueSource& source,
                                                      std::span<const BlockFormat> formats,
                                                      const MatrixShape& matrix,
                                                      const Progress& progress = {},
                                                      const InputProducts* inputs = nullptr);

}  // namespace calibscope
