// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/tensor_values.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace onnx {
class NodeProto;
}

namespace calibscope::model {

/// Facts of an input that an op which only moves values needs.
struct MovedInput
{
    ElementKind kind = ElementKind::Float32;
    std::vector<std::uint64_t> shape;
    /// Its values, where they are few integers that are known: axes, starts, a shape.
    std::optional<std::vector<std::int64_t>> integers;
};

/// How such an op makes its output: it is a copy of its input (Concat: its inputs), value by value.
struct ValueMove
{
    std::vector<std::uint64_t> shape;       ///< of the output
    std::size_t inputs = 1;                 ///< how many of the node's first inputs are copied
    std::optional<std::size_t> joinedAxis;  ///< Concat's
    /// For each axis of the output, how many values of the input lie between neighbours along it;
    /// empty: the values stay in their order.
    std::vector<std::int64_t> strides;
    std::int64_t first = 0;  ///< the input's value that becomes the output's first
};

/// Whether the op only moves values and can be followed here: Identity, Squeeze, Unsqueeze,
/// Reshape, Transpose, Concat, Slice.
[[nodiscard]] bool onlyMovesValues(const ::onnx::NodeProto& node);

/// How the node makes its first output of inputs that are constants, of any opset; an input that is
/// left out is nothing. Nothing where the op does not move alone, where axes, starts or a shape are
/// not known, or the node contradicts its inputs.
[[nodiscard]] std::optional<ValueMove> moveOf(const ::onnx::NodeProto& node,
                                              std::span<const std::optional<MovedInput>> inputs);

/// The output that the move makes of its inputs, which are those that moveOf() was given.
[[nodiscard]] StoredTensor moved(const ValueMove& move, std::span<const StoredTensor> inputs);

}  // namespace calibscope::model
