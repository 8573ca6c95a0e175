#pragma once

#include "core/base/progress.h"
#include "core/deploy/check_plan.h"
#include "core/dump/dump_file.h"
#include "core/model/graph_ports.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::deploy {

/// Which tensor of a dump a name of the graph means, by the names alone: equal; equal after "/" ->
/// "." and without leading dots; or the graph's name ends in the dump's behind one of . / : _.
/// Nothing where none or several do.
[[nodiscard]] std::optional<std::size_t> recordedAs(const std::vector<TensorInfo>& tensors,
                                                    const std::string& graphName);

/// Writes what the model was fed into the folder's folder feeds, which is there, for the first
/// batches that hold `samples` (0: all), and says which samples each batch holds.
[[nodiscard]] std::vector<CheckBatch> writeFeeds(const DumpFile& dump,
                                                 const std::vector<model::GraphPort>& inputs,
                                                 std::uint64_t samples, const std::string& folder,
                                                 const Progress& progress);

}  // namespace calibscope::deploy
