// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/engine/subject.h"
#include "core/protocol/messages.h"

#include <cstdint>

/// The engine's answers about the layers of a dump. All throw Error(Input) where the dump is no
/// longer what was opened, and Cancelled; a tensor that can't be read is a layer's reason.
namespace calibscope::engine {

/// Reads no values.
[[nodiscard]] protocol::LayerList listedLayers(EngineMemory& memory,
                                               const protocol::LayersRequest& request,
                                               const Progress& progress);
/// Runs the decisions on their tensors, whose profiles come from memory where they are there. A
/// decision that fails is the layer's reason. Throws Error(Input) where there is no such layer.
[[nodiscard]] LayerResult layerResult(EngineMemory& memory, const protocol::LayerRequest& request,
                                      std::uint64_t memoryBytes, const Progress& progress);
/// The candidates under the ids of the request.
[[nodiscard]] LayerCandidates layerTrials(EngineMemory& memory,
                                          const protocol::LayerTrialsRequest& request,
                                          std::uint64_t memoryBytes, const Progress& progress);
/// Throws Error(Usage) for an analysis or a format that there is not.
[[nodiscard]] OperandTrials operandTrials(EngineMemory& memory,
                                          const protocol::OperandTrialsRequest& request,
                                          std::uint64_t memoryBytes, const Progress& progress);
[[nodiscard]] protocol::Equalizations
layerEqualizations(EngineMemory& memory, const protocol::EqualizationsRequest& request,
                   std::uint64_t memoryBytes, const Progress& progress);

}  // namespace calibscope::engine
