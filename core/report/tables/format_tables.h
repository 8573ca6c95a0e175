// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/block_code.h"
#include "core/formats/format_errors.h"
#include "core/report/tables/table.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <vector>

/// Tables of number formats (resources/docs/number-formats.md).
namespace calibscope {

/// format, element, element_bits, scales, granularity, scale_rule, effective_bits, users,
/// parameters.
[[nodiscard]] const std::vector<Column>& formatColumns();
/// Effective bits are those of a weight of 4096 rows of 4096 values.
[[nodiscard]] std::vector<Cell> formatRow(const BlockFormat& format);

/// preset, tool, format: those of formatPresets().
[[nodiscard]] const std::vector<Column>& formatPresetColumns();
[[nodiscard]] std::vector<std::vector<Cell>> formatPresetRows();

/// element, pattern, value.
[[nodiscard]] const std::vector<Column>& elementColumns();
/// A row for each pattern of the format's elements, in the order of the patterns.
[[nodiscard]] std::vector<std::vector<Cell>> elementRows(const ElementFormat& element);

/// A tensor under a format.
struct EncodedTensor
{
    TensorInfo tensor;
    MatrixShape matrix;
    BlockFormat format;
    FormatErrors errors;
    std::uint64_t rank = 0;   ///< among the formats of that tensor, from 1; 0: not ranked
    std::string family = {};  ///< whose line of a rate curve it is a point of
    bool isBest = false;      ///< no format of the tensor has an SQNR as high with so few bits
};

/// What a table of formats says of how they compare.
enum class FormatComparison {
    None,
    Rank,  ///< by SQNR
    Rate,  ///< SQNR against effective bits
};

/// tensor, role, rank or family and best, format, granularity, row_length, sqnr_db, effective_bits,
/// db_per_bit, mse, max_error, saturated_share, flushed_share, blocks, zero_blocks,
/// poisoned_blocks, least_scale_blocks, tensor_scale, notes.
[[nodiscard]] std::vector<Column> encodedColumns(FormatComparison comparison);
/// Numbers of finite values are absent where there is none.
[[nodiscard]] std::vector<Cell> encodedRow(const EncodedTensor& encoded,
                                           FormatComparison comparison);

/// Marks those (EncodedTensor::isBest) that no other one equals or exceeds in SQNR with as few
/// effective bits: the upper envelope of the rate curve as steps. Of equals the first one. One
/// without a finite value is none of them.
void markBest(std::vector<EncodedTensor>& encoded);

/// block, scale, scale_pattern, zero_point, index, value, pattern, decoded, error.
[[nodiscard]] const std::vector<Column>& blockColumns();
/// The row of one value of a block.
[[nodiscard]] std::vector<Cell> blockRow(const BlockFormat& format, std::uint64_t block,
                                         const BlockScale& scale, std::uint64_t index, float value,
                                         unsigned pattern, float decoded);

}  // namespace calibscope
