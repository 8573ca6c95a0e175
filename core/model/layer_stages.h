// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/layer_changes.h"
#include "core/model/model_file.h"

#include <span>
#include <string>
#include <vector>

/// The layers of a model one after the other, for what is found with all before them changed.
namespace calibscope::model {

/// Those outputs of layers in stages: a stage depends on former ones alone, and has its outputs in
/// the order given. Left out are tensors that the main graph does not compute from its inputs, and
/// products whose first operand is a constant: their channels are rows.
[[nodiscard]] std::vector<std::vector<std::string>>
layerStages(const ModelFile& model, std::span<const std::string> outputs);

/// The model with the changes' shifts, these outputs alone, and only the nodes that they need, as
/// the bytes of a file. Throws as shiftBiases() and modelBytes(), and Error(Input) for a shift that
/// can't be added and where the main graph does not have one of the outputs.
[[nodiscard]] std::string shiftedCut(const ModelFile& model, std::span<const LayerChange> changes,
                                     std::span<const std::string> outputs);

}  // namespace calibscope::model
