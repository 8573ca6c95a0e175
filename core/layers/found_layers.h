// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/graph/named_tensors.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::layers {

/// An operand of a layer: its place among the dump's tensors, if it is there.
struct FoundOperand
{
    std::string name;  ///< the tensor's; of one that is not there as the layer calls it
    std::optional<std::size_t> tensor;
};

/// A layer (Conv, ConvTranspose, Gemm, MatMul) that a dump tells of.
struct FoundLayer
{
    std::string name;  ///< its output's; without a recorded output its node's
    std::string op;
    std::optional<std::size_t> output;
    FoundOperand input;              ///< the activation; of two the first
    FoundOperand weight;             ///< or the second activation
    bool isWeightFirst = false;      ///< weight times input
    bool isWeightPerSample = false;  ///< the second activation
    std::string whyNot;              ///< why it can't be computed, as a sentence
};

/// The layers of a dump: an output after those that it is made of, as far as inputs were recorded,
/// else in the order of the file; behind them layers that only their weights tell of. Operands are
/// found by the names of the output's inputs, a weight also as one whose consumer made the output.
[[nodiscard]] std::vector<FoundLayer> foundLayers(std::span<const TensorInfo> tensors);

/// Whether the op's output has its first input's values and no others, perhaps in another order:
/// Reshape, Flatten, Squeeze, Unsqueeze, Transpose, Identity, Dropout.
[[nodiscard]] bool onlyMovesValues(const TensorInfo& made);

/// The tensors that a tensor's values were moved from, the nearest first, as far as they are in the
/// dump.
[[nodiscard]] std::vector<std::size_t> movedFrom(const NamedTensors& names, std::size_t tensor);

/// A layer of a dump with a bias: places of its tensors among those of the dump.
struct BiasedLayer
{
    std::size_t weight = 0;
    std::size_t input = 0;
    std::size_t bias = 0;

    bool operator==(const BiasedLayer&) const = default;
};

/// The layers whose weight, input and bias a dump has: of each activation that Conv, ConvTranspose
/// or Gemm made, by the inputs that were recorded for it; of a MatMul with a weight, whose result
/// an Add takes with a bias. Without recorded inputs or biases there are none.
[[nodiscard]] std::vector<BiasedLayer> biasedLayers(std::span<const TensorInfo> tensors);

}  // namespace calibscope::layers
