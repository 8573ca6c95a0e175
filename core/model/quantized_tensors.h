// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_file.h"
#include "core/quant/tensor_quantization.h"

#include <cstddef>
#include <string>
#include <vector>

namespace calibscope::model {

/// A tensor of the main graph that a quantized model has in integers, as its nodes say.
struct QuantizedTensor
{
    std::string name;  ///< of the float tensor that was quantized
    std::string op;    ///< that makes it; "Input"; empty for a weight
    bool isWeight = false;
    /// Place in the graph: -1 of an input; of a weight before its first user, else behind its
    /// maker.
    int order = 0;
    TensorQuantization quantization;  ///< levels are those of the integers' type
    std::vector<float> values;        ///< of a weight: what its integers stand for
};

/// What quantizedTensors() found.
struct QuantizedTensors
{
    std::vector<QuantizedTensor> tensors;  ///< by `order`
    std::size_t inInnerGraphs = 0;  ///< that can't be looked into, as an inner graph has no outputs
    std::size_t notUnderstood =
        0;  ///< whose scale or zero point is not a constant, or of another type
};

/// The tensors with QuantizeLinear behind them, and the constants before DequantizeLinear (but
/// biases of int32), each once.
[[nodiscard]] QuantizedTensors quantizedTensors(const ModelFile& quantized);

}  // namespace calibscope::model
