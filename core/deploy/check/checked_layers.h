// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/dump/dump_file.h"
#include "core/model/quantized_tensors.h"
#include "core/recipes/decided_tensor.h"

#include <map>
#include <span>
#include <string>

namespace calibscope::deploy {

/// What a quantized model does with a tensor of the dump, as if it had been decided: its scales,
/// zero points and levels, which for a weight are model::levelsOf().
[[nodiscard]] DecidedTensor decidedAs(const TensorInfo& recorded,
                                      const model::QuantizedTensor& quantized);

/// SQNR in dB of layers' outputs under these scales, computed from the recorded operands
/// (resources/docs/layers.md), by path: of the weight that the layer takes, and of the output that
/// it makes. Layers that can't be computed, and those without error, are left out. Throws
/// Cancelled.
[[nodiscard]] std::map<std::string, double> outputSqnrDbs(const DumpFile& dump,
                                                          std::span<const DecidedTensor> decided,
                                                          const Progress& progress);

}  // namespace calibscope::deploy
