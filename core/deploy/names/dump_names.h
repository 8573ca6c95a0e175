// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/deploy/names/graph_names.h"
#include "core/dump/dump_file.h"
#include "core/exchange/entry_matches.h"
#include "core/model/model_file.h"
#include "core/recipes/decided_tensor.h"

#include <functional>
#include <span>
#include <vector>

namespace calibscope::deploy {

/// A dump's tensors, and the values of one of them however it is understood.
struct DumpedTensors
{
    std::span<const TensorInfo> tensors;
    std::function<ValueSource(const TensorInfo& understood)> source;
};

/// Those of a dump that outlives them.
[[nodiscard]] DumpedTensors tensorsOf(const DumpFile& dump);

/// graphNames() of a dump in a model, in the order of the dump's tensors: reads the weights of both
/// as far as names leave it open which they are. Throws Error(Input) where they can't be read.
[[nodiscard]] std::vector<GraphName> namesIn(const model::ModelFile& model,
                                             const DumpedTensors& dump, const NameMap& map = {},
                                             bool takesGraphWeights = false,
                                             const Progress& progress = {});

/// What `calib import` and the window know of names where the model is at hand: those of namesIn()
/// by the tensors' paths, all that the graph has, its layers, and the user's map, which comes
/// first.
[[nodiscard]] exchange::EntryNaming entryNaming(const model::ModelFile& model,
                                                const DumpedTensors& dump, const NameMap& map = {},
                                                const Progress& progress = {});

/// The name that the model's main graph has for each of those tensors; empty for others.
[[nodiscard]] std::vector<std::string> mainGraphNames(std::span<const GraphName> names,
                                                      const model::ModelFile& model);

/// Without a model: gives decided tensors the graph's name of the map, else the recorded one, and
/// leaves others without one.
void nameAsRecorded(std::span<DecidedTensor> tensors, const NameMap& map);

/// With the names of namesIn(): gives decided tensors of that dump the names of those that were
/// placed.
void nameAsFound(std::span<DecidedTensor> tensors, const DumpFile& dump,
                 std::span<const GraphName> names, const model::ModelFile& model);

}  // namespace calibscope::deploy
