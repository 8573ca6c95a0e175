// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/layers/layer_decisions.h"
#include "core/layers/layer_reading.h"
#include "core/quant/tensor_quantization.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

/// Scales for operands whose channels are multiplied by factors.
namespace calibscope::layers {

/// A source whose values are multiplied by the factor of their channel. `axis` is that of channels
/// in the source's order of values.
[[nodiscard]] ValueSource times(ValueSource source, std::vector<float> factors, ChannelAxis axis);

/// Those samples of a source, each a batch of its own. Samples lie along the first axis, in whose
/// order the source has its values.
[[nodiscard]] ValueSource ofSamples(ValueSource source,
                                    const std::function<bool(std::uint64_t sample)>& isWanted);

/// The decision for a tensor, computed on other values of it. Throws Error(Input) where its choice
/// gives no scale.
[[nodiscard]] DecidedTensor decidedAnew(const DecidedTensor& decided, const ValueSource& values,
                                        const Progress& progress);
/// The scale that the choice of a decision gives on other values of the tensor; nothing without a
/// decision. Throws Error(Input) where it gives none.
[[nodiscard]] std::optional<TensorQuantization> calibratedAnew(const OperandDecision& decision,
                                                               const ValueSource& values,
                                                               const Progress& progress);
/// The same of a layer's weight times its factors.
[[nodiscard]] std::optional<TensorQuantization> weightAnew(const LayerReading& reading,
                                                           const OperandDecision& decision,
                                                           const OperandFactors& factors,
                                                           const Progress& progress);

}  // namespace calibscope::layers
