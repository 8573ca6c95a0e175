// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/new_names.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

/// A node that is being rewritten, with what is added around it.
struct LiftedNode
{
    ::onnx::NodeProto node;
    std::vector<::onnx::NodeProto> before;
    std::vector<::onnx::NodeProto> after;
    std::vector<::onnx::TensorProto> initializers;  ///< of the node's graph
};

/// Services for a node's rewriting.
struct LiftContext
{
    NewNames& names;
    int formerOpset = 7;
    int opset = 13;  ///< that the node is rewritten for
    /// ONNX's number of the data type of a tensor; nothing where it is not known.
    std::function<std::optional<int>(const std::string&)> dataType;
    /// Whether any node or graph output takes a tensor of that name.
    std::function<bool(const std::string&)> isUsed;
    /// Whether all tensors of that name are constants without any value.
    std::function<bool(const std::string&)> isEmpty;
};

/// Rewrites a node from its meaning in the former opset to that in the other, 13 or 21; true if anything was
/// changed. Throws std::invalid_argument, the reason as half a sentence, where that can't be done.
[[nodiscard]] bool liftNode(LiftedNode& lifted, const LiftContext& context);

}  // namespace calibscope::model
