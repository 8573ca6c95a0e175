// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/scale_file.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::exchange {

/// By what an entry's name was found to be a tensor's, the surest first.
enum class EntryNameRule {
    None,
    Map,        ///< the user said so
    Layer,      ///< it is the operand of the layer that the entry names
    Model,      ///< it is the tensor's name in the model
    Recorded,   ///< the recorder told the graph's name
    Equal,      ///< equal names
    Separator,  ///< equal but for `/` in place of `.`, and leading ones
    End,        ///< the entry's name ends in the tensor's, behind one of `. / : _`
};

/// "map", "layer", "model", "recorded", "equal", "separator", "end"; empty for none.
[[nodiscard]] std::string_view entryNameRuleText(EntryNameRule rule);

/// The layer of a weight's entry: its name without "_param_0" or ".weight" behind it.
[[nodiscard]] std::string moduleOfWeight(std::string_view name);
/// The name that EntryNaming::layers has for an entry of a layer's operand: "conv1" of its input,
/// "conv1_param_0" of its weight.
[[nodiscard]] std::string layerRow(const ScaleEntry& entry);

/// Which tensor an entry is for.
struct EntryMatch
{
    std::optional<std::size_t> tensor;  ///< index in the list; nothing: none, or several
    EntryNameRule rule = EntryNameRule::None;
    std::vector<std::string> candidates;  ///< names among which nothing decides
};

/// Names in the model by names or paths in the dump.
using ModelNames = std::map<std::string, std::string, std::less<>>;

/// The operand of a layer that an entry is for.
struct LayerEntry
{
    std::string path;
    std::uint64_t groups = 1;  ///< of a convolution: several have one scale each
};

/// By the names of their entries.
using LayerEntries = std::map<std::string, LayerEntry, std::less<>>;

/// Names in the model that a file is for.
struct EntryNaming
{
    ModelNames map = {};    ///< as the user gives them
    ModelNames model = {};  ///< as they were found in the model, by paths
    /// All names that the model has; empty: no model is at hand. An entry of such a name is for the
    /// tensor that has it in the model, and for no other, however alike their names are.
    std::set<std::string, std::less<>> inModel = {};
    LayerEntries layers = {};  ///< of a format whose entries are those of layers
};

/// The tensors that a file's entries are for, one match for each entry. Tensors that lie beside the
/// model (TensorInfo::isBeside) are left out. Of several that a rule finds, those of the entry's
/// role are preferred; what is still ambiguous is matched to none. Where entries are those of
/// layers (ExchangeFormat::isByLayer), the map and the layers decide; of a layer that is not known,
/// the weight "conv_param_0" or "conv.weight" is looked for as the other and as "conv" too, its input
/// by no name.
[[nodiscard]] std::vector<EntryMatch> matchEntries(const ScaleFile& file,
                                                   std::span<const TensorInfo> tensors,
                                                   const EntryNaming& naming = {});

/// Tensors that no match has, though the format has their role. Indices, ascending.
[[nodiscard]] std::vector<std::size_t> missingTensors(std::span<const TensorInfo> tensors,
                                                      std::span<const EntryMatch> matches,
                                                      bool hasWeights, bool hasActivations);

}  // namespace calibscope::exchange
