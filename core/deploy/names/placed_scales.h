// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/deploy/names/graph_names.h"
#include "core/model/model_file.h"
#include "core/model/tensor_scales.h"
#include "core/recipes/decided_tensor.h"
#include "core/tensor/tensor_info.h"

#include <span>
#include <vector>

namespace calibscope::deploy {

/// A decision as a model takes it: scales rounded to float32, levels and zero points within int8
/// (those from 0 on are shifted by 2^(bits-1)), the axis of scales per channel or row; and what is
/// linted: the share that is clipped, if it was measured, and the samples.
[[nodiscard]] model::TensorScales modelScales(const DecidedTensor& decided,
                                              const model::GraphTensor& found);

/// Decisions as a model takes them, and what is odd about their names.
struct PlacedScales
{
    std::vector<model::TensorScales> scales;
    Findings lints;
};

/// The decisions on a dump's tensors whose names were found in the graph (`names`: of `tensors`, in
/// their order); of the others a lint: an error where the weight differs from the model's. A note
/// of weights that were recorded with fewer digits than the model has.
[[nodiscard]] PlacedScales placedScales(std::span<const DecidedTensor> decided,
                                        std::span<const TensorInfo> tensors,
                                        std::span<const GraphName> names,
                                        std::span<const model::GraphTensor> graph);

}  // namespace calibscope::deploy
