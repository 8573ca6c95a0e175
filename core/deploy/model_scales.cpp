#include "core/deploy/model_scales.h"

#include <cmath>

namespace calibscope::deploy {

namespace {

/// What levels of that quantizer are less within int8.
int shiftOf(const Quantizer& quantizer, int bits)
{
    return quantizer.lowLevel >= 0 ? 1 << (bits - 1) : 0;
}

void addScale(const ScaleRow& row, int bits, model::TensorScales& scales)
{
    const int shift = shiftOf(row.quantizer, bits);
    scales.scales.push_back(static_cast<float>(row.quantizer.scale));
    scales.unrounded.push_back(row.quantizer.scale);
    scales.zeroPoints.push_back(
        static_cast<int>(std::lround(std::nearbyint(row.quantizer.zeroPoint))) - shift);
}

std::optional<int> axisOf(const DecidedTensor& decided)
{
    if (!decided.outcome.isPerChannel())
        return std::nullopt;
    const int channelAxis = decided.info.channelAxis.value_or(0);
    if (decided.outcome.choice.granularity == Granularity::Row)  // the other axis of a matrix
        return channelAxis == 0 ? 1 : 0;
    return channelAxis;
}

}  // namespace

model::TensorScales modelScales(const DecidedTensor& decided, const model::GraphTensor& found)
{
    const Outcome& outcome = decided.outcome;
    const Scheme& scheme = outcome.choice.scheme;
    const Quantizer& quantizer = outcome.whole.quantizer;
    model::TensorScales scales;
    scales.tensor = found.name;
    scales.scope = found.scope;
    scales.dumpName = decided.info.name;
    scales.isWeight = decided.info.role == Role::Weight;
    scales.axis = axisOf(decided);
    scales.bits = scheme.bits;
    scales.scheme = schemeText(scheme.kind);
    scales.low = quantizer.lowLevel - shiftOf(quantizer, scheme.bits);
    scales.high = quantizer.highLevel - shiftOf(quantizer, scheme.bits);
    scales.roundsHalfEven = quantizer.rounding == Rounding::HalfEven;
    scales.hasRealZeroPoint = scheme.kind == SchemeKind::AffineReal;
    if (outcome.isPerChannel())
        for (const ScaleRow& channel : outcome.channels)
            addScale(channel, scheme.bits, scales);
    else
        addScale(outcome.whole, scheme.bits, scales);
    scales.clippedShare = outcome.whole.metric("clipped_share").value_or(0.0);
    scales.samples = scales.isWeight || !decided.info.batchAxis ? 0 : decided.info.sampleCount();
    return scales;
}

}  // namespace calibscope::deploy
