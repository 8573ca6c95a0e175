// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layers/layer_pass.h"
#include "core/layers/layer_plan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace calibscope::layers {

/// Damping of roundedByGrams(): this much of the mean of the diagonal is added to it. Measured
/// against 0.001 to 1 on samples held out: resources/docs/improve.md.
constexpr double roundingDamping = 0.1;

/// The scales with each output channel's times the fraction i / 40, i = 40 ... 16, under which
/// rounding to nearest has the least error at the output, d H d^T with d = fq(w) - w and H the gram of
/// the channel's inputs; the widest of equals. One scale for all channels takes one fraction. Scales
/// of groups, or along another axis, stay. Source: the clip search of Lin et al., AWQ, MLSys 2024, by
/// the output's own error.
[[nodiscard]] std::vector<float> clippedScales(const LayerPlan& plan, const InputGrams& grams,
                                               std::span<const float> weight,
                                               const AppliedScale& scale);

/// Integers of a weight that take each other's errors at the layer's output away: its input columns
/// are rounded one after the other, those with the largest squares first (equal: by index), and each
/// rounding error is spread over the columns still to come, by the inverse of
///
///     A = H + damping mean(diag H) I      H = X^T X / rows
///
/// of the group's inputs. Columns that are 0 in all inputs are rounded to nearest. Integers stay within the format's
/// ends. In double; scales are float32. Requires integers as the scale's format, one matrix of the
/// weight, and grams of the plan. Source: Frantar et al., GPTQ, ICLR 2023, section 3 (there
/// with damping 0.01).
[[nodiscard]] std::vector<std::int16_t>
roundedByGrams(const LayerPlan& plan, const InputGrams& grams, std::span<const float> weight,
               const AppliedScale& scale, double damping = roundingDamping);

/// Bytes that rounding a layer's weight takes.
[[nodiscard]] std::uint64_t roundingBytes(const LayerPlan& plan);

}  // namespace calibscope::layers
