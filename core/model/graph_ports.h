// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace calibscope::model {

/// An input or output of a model.
struct GraphPort
{
    std::string name;
    std::string op;       ///< of an output: the op that makes it; "Input" of an input
    int elementType = 0;  ///< TensorProto.DataType; 0: not stated
    bool hasShape = false;
    std::vector<std::optional<std::uint64_t>> shape;  ///< nothing: any length

    bool operator==(const GraphPort&) const = default;
};

/// The main graph's inputs that have to be fed: those that are initializers, too, need not.
[[nodiscard]] std::vector<GraphPort> graphInputs(const ::onnx::ModelProto& model);
[[nodiscard]] std::vector<GraphPort> graphOutputs(const ::onnx::ModelProto& model);

/// The output of the Relu or Clip of the main graph that alone takes the tensor of that name, which
/// a quantizer may fold into what makes the tensor; nothing where others take it, too.
[[nodiscard]] std::optional<GraphPort> onlyClipping(const ::onnx::ModelProto& model,
                                                    const std::string& tensor);
/// What the main graph's Sigmoid, Softmax or LogSoftmax takes that makes the tensor of that name; of a
/// tensor that another operator makes its own name.
[[nodiscard]] std::string beforeFlattening(const ::onnx::ModelProto& model,
                                           const std::string& tensor);

}  // namespace calibscope::model
