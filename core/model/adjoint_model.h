// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_file.h"
#include "core/model/tensor_scales.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// What choices for operands do to a network's end, to first order.
namespace calibscope::model {

/// A choice: which of the scales of which set.
struct AdjointProduct
{
    std::size_t set = 0;
    std::size_t asked = 0;
    std::string whyNot = {};  ///< it is not in the model; empty: it is
};

/// The network as far as its end, and the way back.
struct AdjointModel
{
    std::string bytes;                     ///< of a model that needs no other file
    std::vector<std::string> taken;        ///< inputs of the network
    std::string vector;                    ///< further input, in the shape of the end
    std::string product;                   ///< the only output: [choices, samples]
    std::vector<AdjointProduct> products;  ///< its rows
    std::vector<AdjointProduct> refused;
};

/// A row of `product` has for each sample the sum over positions of A e: e is the error that the choice
/// alone makes at the outputs of the layers that multiply the operand, all before in float, and A the
/// gradient of the sum of vector times end there. The mean of its square over vectors of random signs
/// is the power of the end's error to first order; with a vector for each value of the end it is the
/// sum. Scales of each set are as for operandCuts(). Refused are operands in inner graphs, choices
/// that are not integers by one scale for each activation, and what stands before an operator without
/// a rule (gradientsOf()). Throws Error(Input) as quantizeFile(), and where no choice is left.
[[nodiscard]] AdjointModel adjointModel(const ModelFile& source,
                                        std::span<const std::vector<TensorScales>> sets,
                                        const std::string& end);

}  // namespace calibscope::model
