// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/model_scales.h"

namespace calibscope::deploy {

model::TensorScales modelScales(const DecidedTensor& decided, const model::GraphTensor& found)
{
    const Outcome& outcome = decided.outcome;
    const bool isWeight = decided.info.role == Role::Weight;
    model::TensorScales scales{
        .tensor = found.name,
        .scope = found.scope,
        .dumpName = decided.info.name,
        .isWeight = isWeight,
        .quantization = signedQuantizationOf(decided),
        .roundsHalfEven = outcome.whole.quantizer.rounding == Rounding::HalfEven,
        .scheme = std::string(schemeText(outcome.choice.scheme.kind)),
        .clippedShare = outcome.whole.metric("clipped_share").value_or(0.0),
        .samples = isWeight || !decided.info.batchAxis ? 0 : decided.info.sampleCount()};
    for (const ScaleRow& channel : outcome.channels)
        scales.unrounded.push_back(channel.quantizer.scale);
    if (!outcome.isPerChannel())
        scales.unrounded = {outcome.whole.quantizer.scale};
    return scales;
}

}  // namespace calibscope::deploy
