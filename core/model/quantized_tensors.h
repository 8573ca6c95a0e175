// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_file.h"
#include "core/quant/tensor_quantization.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::model {

constexpr std::string_view quantizeOp = "QuantizeLinear";
constexpr std::string_view dequantizeOp = "DequantizeLinear";

/// The integers of a type, of 4 bits if they are packed; nothing for those that are not those of a
/// quantized tensor.
[[nodiscard]] std::optional<NumberFormat> quantizedFormat(const std::optional<ElementKind>& kind,
                                                          bool isPacked = false);

/// The float tensor that was made integers: "w" of "w_DequantizeLinear_Output_2" or "w_quantized";
/// `absent` where neither name tells it.
[[nodiscard]] std::string floatName(const std::string& dequantized, const std::string& integers,
                                    const std::string& absent);

/// A tensor of the main graph that a quantized model has in integers, as its nodes say.
struct QuantizedTensor
{
    std::string name;  ///< of the float tensor that was quantized
    std::string op;    ///< that makes it, of floats; "Input"; empty for a weight
    bool isWeight = false;
    /// Position in the graph: -1 of an input; of a weight before its first user, else behind its
    /// maker.
    int order = 0;
    TensorQuantization quantization;  ///< levels are those of the integers' type
    // Names of the tensors in the quantized graph:
    std::string integers;
    std::string scale;
    std::string zeroPoint;  ///< empty: 0
    /// Of a weight: the constant of its integers, and the first layer that takes it (else the first
    /// node that does), as the float model has it.
    LayerConstant use = {};
};

/// Result of quantizedTensors().
struct QuantizedTensors
{
    std::vector<QuantizedTensor> tensors;  ///< by `order`
    /// Those of which a scale is 0, negative, infinite or NaN: not to be computed with.
    std::vector<QuantizedTensor> unusable;
    std::size_t inInnerGraphs = 0;  ///< that can't be looked into, as an inner graph has no outputs
    std::size_t leftOut = 0;        ///< whose scales or zero points are no constants, of another
                                    ///< type or number, or in a file that may not be read
};

/// The tensors that a quantized model tells scales of, each once: those with QuantizeLinear behind
/// them, constants before DequantizeLinear (but biases of int32), operands and results of operators
/// of integers (integerOp()). A tensor's name is that of the float model as far as the nodes tell
/// it, else that of its integers without "_quantized"; what else ONNX Runtime's quantizer appends is
/// taken off, too. The
/// scale of a ConvInteger's and MatMulInteger's weight is the constant that the product is
/// multiplied with. Reads no weights. Throws Error(Input) where scales can't be read.
[[nodiscard]] QuantizedTensors quantizedTensors(const ModelFile& quantized,
                                                bool readsOtherFiles = true);

/// Makes values of a weight's integers, the first of which has the index `first` in a tensor of that
/// shape. Requires usable scales.
void dequantize(const TensorQuantization& quantization, std::span<const std::uint64_t> shape,
                std::uint64_t first, std::span<float> values);

/// The values that all integers of such a weight stand for. Throws Error(Input) where they can't be
/// read.
[[nodiscard]] std::vector<float> dequantizedValues(const ModelFile& quantized,
                                                   const QuantizedTensor& weight);

/// The levels that a tensor was quantized to: a weight whose zero points are 0 and whose integers
/// leave out the least one of a signed type had symmetric ones, else all of its type. Reads the
/// weight, in blocks. Throws as dequantizedValues().
[[nodiscard]] NumberFormat levelsOf(const ModelFile& quantized, const QuantizedTensor& tensor);

}  // namespace calibscope::model
