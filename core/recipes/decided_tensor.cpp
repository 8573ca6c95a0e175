// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/decided_tensor.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

std::optional<int> scaleAxisOf(const DecidedTensor& decided)
{
    if (!decided.outcome.isPerChannel())
        return std::nullopt;
    const int channelAxis = decided.info.channelAxis.value_or(0);
    if (const Granularity& granularity = decided.outcome.choice.granularity; granularity.isGroup())
        return groupAxis(decided.info, granularity.columns);
    if (decided.outcome.choice.granularity == Granularity::Row)  // the other axis of a matrix
        return channelAxis == 0 ? 1 : 0;
    return channelAxis;
}

TensorQuantization quantizationAs(const DecidedTensor& decided, bool isSigned)
{
    const Outcome& outcome = decided.outcome;
    const Scheme& scheme = outcome.choice.scheme;
    const auto shiftOf = [&](const Quantizer& quantizer) {
        return isSigned && quantizer.lowLevel >= 0 ? 1 << (scheme.bits - 1) : 0;
    };
    const Quantizer& whole = outcome.whole.quantizer;
    TensorQuantization result{
        .axis = scaleAxisOf(decided),
        .group = outcome.choice.granularity.isGroup() ? outcome.choice.granularity.columns : 1,
        .format = NumberFormat::integers(whole.lowLevel - shiftOf(whole),
                                         whole.highLevel - shiftOf(whole)),
        .roundsWithZeroPoint = scheme.kind == SchemeKind::AffineReal};
    const auto take = [&](const ScaleRow& row) {
        const double zero = row.quantizer.zeroPoint;
        result.scales.push_back(static_cast<float>(row.quantizer.scale));
        result.zeroPoints.push_back(isSigned ? std::nearbyint(zero) - shiftOf(row.quantizer)
                                             : zero);
    };
    if (outcome.isPerChannel())
        std::ranges::for_each(outcome.channels, take);
    else
        take(outcome.whole);
    return result;
}

}  // namespace

TensorQuantization quantizationOf(const DecidedTensor& decided)
{
    return quantizationAs(decided, false);
}

TensorQuantization signedQuantizationOf(const DecidedTensor& decided)
{
    return quantizationAs(decided, true);
}

}  // namespace calibscope
