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
    std::uint64_t rank = 0;  ///< among the formats of that tensor, from 1; 0: not ranked
};

/// tensor, role, rank, format, granularity, row_length, sqnr_db, effective_bits, db_per_bit, mse,
/// max_error, saturated_share, flushed_share, blocks, zero_blocks, poisoned_blocks,
/// least_scale_blocks, tensor_scale, notes; `isRanked`: with rank.
[[nodiscard]] std::vector<Column> encodedColumns(bool isRanked);
/// Numbers of finite values are absent where there is none.
[[nodiscard]] std::vector<Cell> encodedRow(const EncodedTensor& encoded, bool isRanked);

/// block, scale, scale_pattern, zero_point, index, value, pattern, decoded, error.
[[nodiscard]] const std::vector<Column>& blockColumns();
/// The row of one value of a block.
[[nodiscard]] std::vector<Cell> blockRow(const BlockFormat& format, std::uint64_t block,
                                         const BlockScale& scale, std::uint64_t index, float value,
                                         unsigned pattern, float decoded);

}  // namespace calibscope
