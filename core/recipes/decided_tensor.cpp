// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/decided_tensor.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

std::optional<int> scaleAxis(const TensorInfo& tensor, const Granularity& granularity)
{
    if (granularity == Granularity::Tensor)
        return std::nullopt;
    if (granularity.isGroup())
        return groupAxis(tensor, granularity.columns);
    const int channelAxis = tensor.channelAxis.value_or(0);
    if (granularity == Granularity::Row)  // the other axis of a matrix
        return channelAxis == 0 ? 1 : 0;
    return channelAxis;
}

namespace {

TensorQuantization quantizationAs(const DecidedTensor& decided, bool isSigned)
{
    const Outcome& outcome = decided.outcome;
    const Scheme& scheme = outcome.choice.scheme;
    const auto shiftOf = [&](const Quantizer& quantizer) {
        return isSigned && quantizer.lowLevel >= 0 ? 1 << (scheme.bits - 1) : 0;
    };
    const Quantizer& whole = outcome.whole.quantizer;
    TensorQuantization result{
        .axis = outcome.isPerChannel() ? scaleAxis(decided.info, outcome.choice.granularity)
                                       : std::nullopt,
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
