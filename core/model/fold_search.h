// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/graph_index.h"
#include "core/model/indexed_constants.h"

#include <cstddef>
#include <string>
#include <vector>

namespace calibscope::model {

/// Where the channels of a tensor could be divided without another operator.
struct Fold
{
    std::vector<std::string> constants = {};  ///< that would take the factors, nearest first
    std::string whyNot = {};                  ///< why nowhere, as a sentence; empty: there

    bool operator==(const Fold&) const = default;
};

/// Searches from an activation that only layers multiply upwards, to the first constants that can
/// take a factor for each of its channels:
///
///     made by                                        the factors go into
///     Mul by a constant, Div by one                  that constant
///     Add, Sub, Max, Min with a constant             that constant, and on with the other operand
///     Clip with constant bounds                      the bounds other than 0, and on
///     BatchNormalization, LayerNormalization         scale and bias
///     Conv, ConvTranspose, Gemm, MatMul by a weight  the weight's output channels and the bias
///     Relu, LeakyRelu, PRelu, pools, Resize, Pad     on (Pad: with 0)
///     Mul of two activations                         the one with fewer constants
///     Add, Concat of activations                     all of them
///
/// Channels are the second axis of what convolutions take, the last of what MatMul and Gemm take; an
/// operator with its own on the other axis ends the search, as does anything else, and a value that
/// others take, too.
[[nodiscard]] Fold foldOf(const GraphIndex& index, const IndexedConstants& constants,
                          std::size_t tensor);

/// "fold into `a` and 2 more", or "no fold: ...".
[[nodiscard]] std::string foldText(const Fold& fold);

}  // namespace calibscope::model
