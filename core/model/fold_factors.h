// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/model/graph_index.h"
#include "core/model/layer_changes.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::model {

/// An activation whose channels factors have changed.
struct FactoredTensor
{
    std::string name;
    std::string scope;
    bool areLast = false;      ///< its channels: the last axis, or the second one
    std::vector<float> times;  ///< of each channel: what its values were multiplied by
};

/// What factors have changed in a model.
struct FoldedModel
{
    std::vector<FactoredTensor> activations;
    /// Values of the layers' weights that changed, by scope and name.
    std::map<std::pair<std::string, std::string>, std::vector<float>> weights;
    std::vector<LayerChange> changes;  ///< with the shifts that the layers' outputs now need
    Findings lints;
};

/// Divides the channels of each change's input by its factors s, where the model's constants can
/// take these (foldOf()), and multiplies the layer's weight by them: the model computes the same but
/// for rounding. Tensors and weights keep their names; another constant C that takes factors becomes
/// C_improved, with a number for each channel. A Clip with another bound than 0 leaves that to a Max
/// or Min behind it. Where the change takes a Mul and no constant can, the input T is made of T_undivided
/// by one.
///
/// The model must be lifted. `scopes` as for quantizeModel(). An input that does not fold, or has not
/// as many channels, stays, with an error in the lints. Throws Error(Input) where constants can't be
/// read.
/// Then the weights of changes with a rounding become the values of its integers, which a
/// QuantizeLinear of these scales gives back; one that is no constant of float32 of that shape, or that several
/// nodes take, stays, with an error in the lints.
[[nodiscard]] FoldedModel foldFactors(::onnx::ModelProto& model,
                                      const std::vector<LayerChange>& changes,
                                      const std::string& path, std::span<const std::string> scopes);

}  // namespace calibscope::model
