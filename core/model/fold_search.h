// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/graph_index.h"
#include "core/model/indexed_constants.h"
#include "core/model/model_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace calibscope::model {

/// Some of a tensor's channels: of what a Concat joins, one part.
struct ChannelPart
{
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    bool operator==(const ChannelPart&) const = default;
};

/// A constant that takes factors, and where a node has it.
struct FoldTarget
{
    enum class Kind {
        Factor,   ///< is divided by the factors
        Divisor,  ///< of a Div: multiplied by them
        Weight,   ///< of a layer: its output channels are divided
        Bound,    ///< of a Clip, which takes one number: becomes that of a Max or Min behind
        Mul,      ///< none: a Mul in front of the layer divides by the factors
    };
    Kind kind = Kind::Factor;
    TensorUse use;
    std::size_t constant = 0;  ///< tensor of the index; of a Mul the one that it divides
    std::size_t behind = 0;    ///< axes behind that of the channels
    ChannelPart part;
};

/// An activation whose channels change with those of the tensor that folds.
struct FoldedTensor
{
    std::size_t tensor = 0;
    ChannelPart part;
};

/// Where the channels of a tensor could be divided, without another operator or by a Mul.
struct Fold
{
    std::vector<std::string> constants = {};  ///< that would take the factors, nearest first
    std::string whyNot = {};                  ///< why nowhere, as a sentence; empty: there
    std::vector<FoldTarget> targets = {};     ///< of the constants, in their order
    std::vector<FoldedTensor> tensors = {};   ///< that would change, itself first

    [[nodiscard]] bool isMul() const
    {
        return !targets.empty() && targets.front().kind == FoldTarget::Kind::Mul;
    }
};

/// Searches from an activation that one layer multiplies by a constant weight of its own upwards, to
/// the first constants that can take a factor for each of its channels:
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
/// operator with its own on the other axis ends the search, as does anything else, a value that
/// others take, too, a weight that several layers share, and a constant that is not float32. `model`
/// must be lifted: older operators have as attributes what is looked for among inputs.
///
/// Where these can't, and with `takesMul`, a tensor that a node makes and that the layer alone takes
/// is divided by a Mul in front of the layer.
[[nodiscard]] Fold foldOf(const GraphIndex& index, const IndexedConstants& constants,
                          std::size_t tensor, bool takesMul = false);

/// Folds of a model's tensors, by their names.
class ModelFolds
{
public:
    /// On a lifted copy. Throws Error(Input) as lift().
    explicit ModelFolds(const ModelFile& model);
    ~ModelFolds();
    ModelFolds(const ModelFolds&) = delete;
    ModelFolds& operator=(const ModelFolds&) = delete;

    /// As foldOf(); of the first graph that has the name.
    [[nodiscard]] Fold of(const std::string& name, bool takesMul = false) const;

private:
    struct Lifted;
    std::unique_ptr<const Lifted> m_lifted;
};

/// "fold into `a` and 2 more", "a Mul in front", or "no fold: ...".
[[nodiscard]] std::string foldText(const Fold& fold);

}  // namespace calibscope::model
