// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/graph_index.h"
#include "core/model/model_file.h"
#include "core/model/tensor_scales.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

/// What follows the operands of a layer, to be run with one of them quantized.
namespace calibscope::model {

/// An operand whose values a cut takes.
struct CutOperand
{
    std::size_t asked = 0;  ///< which of the scales that were asked for
    std::string tensor;
    std::string input;                 ///< of the cut, that takes them
    TensorQuantization quantization;   ///< as the pair of an activation computes it
    std::vector<std::uint64_t> shape;  ///< of a weight
    std::vector<float> values;         ///< of a weight, in float
    std::vector<float> quantized;      ///< of a weight, as its integers have them
};

/// An operand, and the nodes of the main graph that take it as such.
struct UsedOperand
{
    CutOperand operand;
    std::vector<TensorUse> uses;
    std::set<int> nodes = {};
};

/// The operands that scales quantize, of the main graph, activations first. The model is lifted;
/// `scopes` are graphScopes() before that. Throws Error(Input) as quantizeFile().
[[nodiscard]] std::vector<UsedOperand> usedOperands(const ::onnx::ModelProto& model,
                                                    const std::string& path,
                                                    std::span<const std::string> scopes,
                                                    std::span<const TensorScales> scales);

struct OperandCut
{
    std::string bytes;  ///< of a model that needs no other file
    std::vector<CutOperand> operands;
    std::vector<std::string> taken;  ///< its other inputs, as the source's tensors are called
};

/// For each activation that layers multiply, with the weights that no others do, and for the other
/// weights, the nodes from these layers to `ends`. Inputs of a cut are its operands and those
/// tensors of float32 that the source makes or takes and that follow none of them. Scales are as
/// for quantizeFile() with pairs at operands. Operands are in no cut that are in inner graphs, or
/// that one of the ends does not follow from. Throws Error(Input) as quantizeFile().
[[nodiscard]] std::vector<OperandCut> operandCuts(const ModelFile& source,
                                                  std::span<const TensorScales> scales,
                                                  std::span<const std::string> ends);

}  // namespace calibscope::model
