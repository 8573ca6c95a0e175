// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "core/results/layer_results.h"
#include "core/tensor/tensor_ref.h"

#include <cstdint>
#include <string>
#include <vector>

/// Requests about the layers of a dump: which there are, and what quantizing their
/// operands does to their output.
namespace calibscope::protocol {

/// Which layers (Conv, ConvTranspose, Gemm, MatMul) the tensors of a dump belong to.
struct LayersRequest
{
    std::string path;
    bool allowExternal = false;     ///< as in OpenRequest
    std::vector<TensorRef> edited;  ///< tensors that are to be understood otherwise than it says
};

struct LayerList
{
    std::vector<LayerResult> layers;  ///< in the graph's order, without numbers
};

/// A choice on a tensor of the dump, and how it is known.
struct ChoiceOnTensor
{
    std::string path;  ///< of the tensor
    std::string id;    ///< of the candidate
    std::string label;
    Choice choice;
};

/// The error of a layer's output when its operands are quantized; the answer is a LayerResult.
struct LayerRequest
{
    std::string path;
    bool allowExternal = false;
    std::vector<TensorRef> edited;
    std::string layer;  ///< LayerResult::layer
    /// On its operands, and on what their values were moved from; an operand without one is float.
    std::vector<ChoiceOnTensor> decisions;
    std::uint64_t positions = 4096;  ///< that are drawn at random; 0: all
    std::uint64_t seed = 1;
    bool perChannel = false;
};

/// Effects of candidates in a layer; the answer are LayerCandidates.
struct LayerTrialsRequest
{
    LayerRequest layer;
    std::vector<ChoiceOnTensor> candidates;  ///< on its operands
};

/// Trials on a layer's operands; the answer are OperandTrials. Decisions play no part.
struct OperandTrialsRequest
{
    LayerRequest layer;
    std::string analysis;     ///< of operandAnalysisWords
    std::string format = {};  ///< of the weight; empty: what the analysis begins with
};

/// Results of equalizing the channels between layers.
struct EqualizationsRequest
{
    std::string path;
    bool allowExternal = false;
    std::vector<TensorRef> edited;
    std::vector<ChoiceOnTensor> decisions;
    std::uint64_t positions = 1024;
    std::uint64_t seed = 1;
};

struct Equalizations
{
    std::vector<Equalization> pairs;
};

}  // namespace calibscope::protocol
