// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_file.h"
#include "core/model/moved_values.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace onnx {
class AttributeProto;
class ModelProto;
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace calibscope::model {

/// Where a constant's values come from.
struct ConstantSource
{
    const ::onnx::TensorProto* stored = nullptr;     ///< an initializer, or a Constant's value
    const ::onnx::AttributeProto* number = nullptr;  ///< a Constant's value_float and the like
    std::optional<ValueMove> move;    ///< of the inputs, where the values are moved ones
    std::vector<std::size_t> inputs;  ///< places in the list of tensors, of what is moved
    std::uint64_t bytesMoved = 0;     ///< in all, with those of the inputs
    int depth = 0;                    ///< moves in a row that lead to it
};

/// All tensors of a model's graphs.
struct GraphTensors
{
    std::vector<GraphTensor> tensors;
    std::vector<ConstantSource>
        sources;  ///< as many; of no meaning for those that are not constants
    std::vector<LayerConstant> layerConstants;
};

/// Lists them; the result refers to the model. Throws Error(Input), a sentence with the path, where
/// a shape is impossible, or data lies outside of the model's folder.
[[nodiscard]] GraphTensors listTensors(const ::onnx::ModelProto& model, const std::string& path);

/// The elements of a constant. Throws Error(Input) where they can't be read.
[[nodiscard]] StoredTensor constantElements(const GraphTensors& list, std::size_t tensor,
                                            const std::string& path);

}  // namespace calibscope::model
