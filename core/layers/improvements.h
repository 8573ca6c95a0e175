// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/layers/found_layers.h"
#include "core/layers/layer_costs.h"
#include "core/layers/layer_errors.h"
#include "core/layers/sample_split.h"
#include "core/layers/unit_errors.h"
#include "core/model/fold_search.h"
#include "core/recipes/decided_tensor.h"
#include "core/results/improvement_results.h"

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace calibscope::layers {

struct ImproveOptions
{
    LayerOptions layers = {};
    SplitRule heldOut = SplitRule::Alternate;
    std::set<Remedy> remedies = {Remedy::Precision, Remedy::Channels, Remedy::Rounding,
                                 Remedy::Bias};
    /// Remedies that are judged but not chosen, whatever they gain, by the layer's name: those behind
    /// stand on the others.
    std::set<std::pair<std::string, Remedy>> without = {};
    std::vector<double> alphas = {0.5, 0.75};  ///< of *channels*, none apart
    /// Where the factors of a tensor's channels go in the model, or why nowhere; none: the model is
    /// not known.
    std::function<model::Fold(const TensorInfo& tensor)> foldOf = {};
};

/// The words of the command line and of tables, in the order of Remedy.
[[nodiscard]] const std::vector<std::string_view>& remedyWords();

/// Fewer than these, and the mean error is not known well enough to be taken away.
constexpr std::uint64_t leastBiasPositions = 64;

/// Results of the remedies for each layer, in this order: *precision*, *channels*, *rounding*, *bias*. Those for whose
/// gain on the held-out samples whyNoGain() has no reason are chosen.
///
/// *precision*: layers with fewer than fewPositions calibrating positions stay float where they are
/// below 1 % of the dump's multiplications. *channels*: the input's channels divided by
/// channelFactors(), alpha chosen on calibrating samples that the factors were not made from, input
/// and weight calibrated anew on the calibrating samples; not chosen where the model has no fold
/// for them. *rounding*, of weights below 8 bits: clippedScales() and roundedByGrams(), from all calibrating
/// positions, four for each column at least where there are as many. *bias*: minus the mean error of each output channel over the calibrating samples, on
/// top of the others; channels whose error is below twice its standard error stay as they are. Source: Nagel et al., ICCV 2019, 4.2 (empirical).
///
/// Scales are those decided. A layer that can't be computed has the reason of layerReport(). Throws
/// Cancelled.
[[nodiscard]] ImprovementReport improvements(const LayerDump& dump,
                                             std::span<const DecidedTensor> decided,
                                             const ImproveOptions& options = {},
                                             const Progress& progress = {});

/// The shift with 0 for channels that it moves by less than twice its standard error.
[[nodiscard]] std::vector<double> surelyMoved(const ChannelShift& shift);

}  // namespace calibscope::layers
