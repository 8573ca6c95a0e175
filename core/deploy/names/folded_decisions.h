// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/base/progress.h"
#include "core/deploy/names/graph_names.h"
#include "core/dump/dump_file.h"
#include "core/layers/sample_split.h"
#include "core/model/fold_factors.h"
#include "core/recipes/decided_tensor.h"

#include <span>
#include <string>
#include <vector>

namespace calibscope::deploy {

/// Decisions for the tensors of a model whose channels were divided (model::foldFactors()): those of
/// tensors whose values have changed are computed anew, of activations on the samples that calibrate;
/// the others stay. `names` are those of the dump's tensors, in their order. A decision that can't be
/// computed anew is left out, with an error in `lints`; a note of each other range.
[[nodiscard]] std::vector<DecidedTensor>
foldedDecisions(const DumpFile& dump, std::span<const DecidedTensor> decided,
                std::span<const GraphName> names, std::span<const model::GraphTensor> graph,
                const model::FoldedModel& folded, layers::SplitRule heldOut, Findings& lints,
                const Progress& progress);

/// Factors of a model's layers as it states them in its metadata (`calibscope.factors`), and read
/// back. Throws Error(Input) that begins with `origin` for another text.
[[nodiscard]] std::string factorsText(std::span<const model::LayerChange> changes);
[[nodiscard]] std::vector<model::LayerChange> factorsIn(const std::string& text,
                                                        const std::string& origin);

}  // namespace calibscope::deploy
