// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>

namespace onnx {
class NodeProto;
}

namespace calibscope::model {

/// Conv, ConvTranspose, Gemm or MatMul: what integer kernels are for.
[[nodiscard]] bool isLayer(const ::onnx::NodeProto& node);
/// Input of a layer that is multiplied: not its bias.
[[nodiscard]] bool isOperand(const ::onnx::NodeProto& node, int input);
/// Input where a constant is a weight: second of a convolution, any operand of Gemm and MatMul, W
/// and R of LSTM, GRU and RNN, the table of a Gather.
[[nodiscard]] bool isWeightInput(const ::onnx::NodeProto& node, int input);
/// Axis of a weight of that rank along which its output channels lie there: 0 of a Conv, 1 of a
/// ConvTranspose, by transA and transB of a Gemm, the last of a MatMul's second operand, the last
/// but one of its first; 1 of W and R, 0 of a table. Nothing where that axis does not exist, as in
/// a MatMul with a vector. Requires isWeightInput().
[[nodiscard]] std::optional<int> channelAxisAt(const ::onnx::NodeProto& node, int input,
                                               std::size_t rank);
/// Input that holds the bias; nothing for what has none, and for a Gemm that multiplies it or its
/// products (alpha, beta), as integer kernels do not.
[[nodiscard]] std::optional<int> biasInput(const ::onnx::NodeProto& node);
/// The first input's values reach the output unchanged, at other places or fewer of them.
/// A Concat does, too; a Pad counts unless it pads with a constant (given as its third input).
[[nodiscard]] bool movesValues(const ::onnx::NodeProto& node);

}  // namespace calibscope::model
