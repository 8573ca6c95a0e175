// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace onnx {
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace calibscope::model {

/// The opset from which on QuantizeLinear and DequantizeLinear take a scale for each channel.
constexpr int perChannelOpset = 13;

/// The opset from which on these take integers of 4 and 16 bits, and a scale for each block.
constexpr int blocksOpset = 21;

/// Version of ONNX's own operators that the model asks for. Throws Error(Input), a sentence with
/// the path, for none, and for several.
[[nodiscard]] int opsetOf(const ::onnx::ModelProto& model, const std::string& path);

/// Whether the node is one of a quantized model: QuantizeLinear, DequantizeLinear, a QLinear op, or
/// an op on integers (ConvInteger, MatMulInteger, DynamicQuantizeLinear).
[[nodiscard]] bool isOfQuantizedModel(const ::onnx::NodeProto& node);

/// Rewrites the model so that a scale for each channel can be written into it; it computes the same
/// as before, to the bit, and every tensor keeps its name:
/// - the file's version (IR) becomes at least 7; from below 4, where every initializer had to be a
///   graph input as well, initializers are not inputs any more (nothing could feed them);
/// - from opset 7 to 12 those nodes are rewritten whose meaning has changed until 13, in nested
///   graphs too; what is added has names that are nowhere in the model;
/// - Constant nodes that hold floating-point tensors become initializers of their graph, but those
///   that are outputs of it.
/// The bodies of the model's functions are left alone. Returns what there is to tell, as
/// sentences. Throws Error(Input), a sentence with the path, for opsets below 7 and for what can't
/// be rewritten without knowing shapes: Upsample, Resize 10, Scatter, Scan 8, ...; the model is of
/// no use then. Source: ONNX's operator schemas; `resources/docs/deploy.md` lists each.
std::vector<std::string> lift(::onnx::ModelProto& model, const std::string& path);

/// The same from opset 13 on to 21 and version 10 of the file, for a model that lift() has made,
/// quantized or not; one of opset 21 or later stays as it is. Runtimes may sum in another order
/// where a kernel is another one (AveragePool of ONNX Runtime 1.30). What opset 21 does not say alike is
/// refused: GroupNormalization, statistics of a BatchNormalization, an AveragePool that counts pads
/// in windows beyond the end.
std::vector<std::string> liftToBlocks(::onnx::ModelProto& model, const std::string& path);

}  // namespace calibscope::model
