// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/tensor_quantization.h"
#include "core/recipes/outcome.h"
#include "core/tensor/tensor_info.h"

#include <optional>
#include <string>

namespace calibscope {

/// A tensor of a dump with the candidate that was accepted for it, computed: what leaves Calibscope
/// for other programs.
struct DecidedTensor
{
    std::string file;
    TensorInfo info;
    Outcome outcome;  ///< without a problem; its quantizers are those of the scheme, in double
    std::string graphName;  ///< what the model calls it; empty: not known
};

/// The axis along which scales of that granularity follow each other: the channels', of rows the
/// other one of a matrix, of groups the one that they lie along; nothing for one scale, and where
/// there are no whole groups.
[[nodiscard]] std::optional<int> scaleAxis(const TensorInfo& tensor,
                                           const Granularity& granularity);

/// Its scales rounded to float32, levels and zero points as decided, the axis of scales per channel
/// or row.
[[nodiscard]] TensorQuantization quantizationOf(const DecidedTensor& decided);
/// The same with signed integers and whole zero points: levels from 0 on are shifted by
/// 2^(bits-1).
[[nodiscard]] TensorQuantization signedQuantizationOf(const DecidedTensor& decided);

}  // namespace calibscope
