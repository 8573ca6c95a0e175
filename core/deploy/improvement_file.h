// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/deploy/names/graph_names.h"
#include "core/layers/sample_split.h"
#include "core/model/layer_changes.h"
#include "core/model/model_file.h"
#include "core/recipes/decided_tensor.h"
#include "core/results/improvement_results.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace calibscope::deploy {

/// A change to a layer, by the names that the dump has.
struct SavedLayer
{
    std::string layer;  ///< name of its output
    std::string path;   ///< of the output's dataset
    /// Paths of its operands' datasets, or names of those by whose scales they are quantized.
    std::vector<std::string> operands;
    bool isFloat = false;
    std::vector<double> biasShift;
    ChannelDivision division = {};
    WeightRounding rounding = {};

    [[nodiscard]] std::vector<std::string> remedies() const;
    bool operator==(const SavedLayer&) const = default;
};

/// The improvements that were chosen for a dump's layers.
struct SavedDump
{
    std::string path;
    std::string sha256;
    std::string decisionsSha256;  ///< of the scales of these layers' operands
    std::vector<SavedLayer> layers;

    bool operator==(const SavedDump&) const = default;
};

/// A file of chosen improvements (resources/docs/improve.md, "The file").
struct SavedImprovements
{
    std::string heldOut;          ///< "alternate"
    std::uint64_t positions = 0;  ///< of each layer; 0: all
    std::uint64_t seed = 0;
    std::vector<SavedDump> dumps;

    /// Which samples judged. Throws Error(Input) for another word than the command line's.
    [[nodiscard]] layers::SplitRule split() const;
    bool operator==(const SavedImprovements&) const = default;
};

/// A layer's choices.
[[nodiscard]] SavedLayer savedLayer(const LayerImprovement& layer);
/// Choices for a dump, and the scales that they were made for.
[[nodiscard]] SavedDump savedDump(const ImprovementReport& report, std::string sha256,
                                  std::span<const DecidedTensor> decided);

/// As JSON.
[[nodiscard]] std::string improvementsJson(const SavedImprovements& improvements);
/// Reads a file of improvements. Throws Error(Input), a sentence with the path, for another kind of
/// file, and for a later version.
[[nodiscard]] SavedImprovements readImprovements(const std::string& path);

/// The saved layers of the dump with that digest, none for one without any. `origin` names the file.
/// Throws Error(Input) where it has no dump of that digest, or layers of other scales than those
/// decided: "made for other decisions; run `calib improve` again".
[[nodiscard]] std::vector<SavedLayer> improvementsFor(const SavedImprovements& improvements,
                                                      const std::string& sha256,
                                                      std::span<const DecidedTensor> decided,
                                                      const std::string& origin);

/// Changes of a model's layers, and what could not be found in it.
struct PlacedChanges
{
    std::vector<model::LayerChange> changes;
    Findings lints;
};

/// The layers under the model's names; `names` are those of `tensors`, in their order.
[[nodiscard]] PlacedChanges placedChanges(std::span<const SavedLayer> layers,
                                          std::span<const TensorInfo> tensors,
                                          std::span<const GraphName> names,
                                          std::span<const model::GraphTensor> graph);

}  // namespace calibscope::deploy
