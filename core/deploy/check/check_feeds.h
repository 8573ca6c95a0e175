// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/deploy/check/check_plan.h"
#include "core/deploy/names/name_map.h"
#include "core/dump/dump_file.h"
#include "core/model/graph_ports.h"
#include "core/model/model_file.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::deploy {

/// Which tensor of the dump a tensor of the main graph is; nothing where none is, or that is not
/// known.
using RecordedAs = std::function<std::optional<std::size_t>(const std::string& graphName)>;

/// That of the tensors as the model has them.
[[nodiscard]] RecordedAs recordedIn(std::span<const TensorInfo> tensors,
                                    const model::ModelFile& model, const NameMap& map = {});

/// Inputs of the model that a dump of these tensors and feeds does not hold: in /feeds, where there
/// are any, else among the activations. They can be given in CheckOptions::feeds.
[[nodiscard]] std::vector<std::string> unrecordedInputs(std::span<const TensorInfo> tensors,
                                                        std::span<const TensorInfo> feeds,
                                                        const std::vector<model::GraphPort>& inputs,
                                                        const RecordedAs& recordedAs);

/// Writes what the model was fed into the folder's folder feeds, which is there, for the first
/// batches that hold `options.samples`, and says which samples each batch holds. Of an input in
/// `options.feeds` each length that the model leaves open is the number of the batch's samples.
[[nodiscard]] std::vector<CheckBatch>
writeFeeds(const DumpFile& dump, const std::vector<model::GraphPort>& inputs,
           const RecordedAs& recordedAs, const CheckOptions& options, const std::string& folder,
           const Progress& progress);

}  // namespace calibscope::deploy
