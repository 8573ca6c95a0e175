// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_file.h"

#include <string>
#include <vector>

namespace calibscope::model {

/// A layer of a model's main graph that multiplies by a constant weight.
struct ModelLayer
{
    std::string output;
    /// Names of what it multiplies, and of what these are made of by ops that only move values.
    std::vector<std::string> operands;
    /// The tensor and the multiplications of each of its values: their product is the layer's cost.
    /// Of a ConvTranspose its input, else the output.
    std::string sized;
    double multiplications = 0.0;
    double weightValues = 0.0;

    bool operator==(const ModelLayer&) const = default;
};

/// The layers in the order of the graph: Conv, ConvTranspose, Gemm and MatMul with a weight. A
/// MatMul of two activations is none.
[[nodiscard]] std::vector<ModelLayer> modelLayers(const ModelFile& model);

}  // namespace calibscope::model
