#include "core/deploy/operand_scales.h"

#include "core/base/number_text.h"

#include <cmath>
#include <utility>

namespace calibscope::deploy {

namespace {

std::optional<int> scaleAxisOf(const DecidedTensor& decided)
{
    if (!decided.outcome.isPerChannel())
        return std::nullopt;
    const int channelAxis = decided.info.channelAxis.value_or(0);
    if (decided.outcome.choice.granularity == Granularity::Row)  // the other axis of a matrix
        return channelAxis == 0 ? 1 : 0;
    return channelAxis;
}

DecidedScale refused(std::string why)
{
    return {.scale = std::nullopt, .whyNot = std::move(why), .notes = {}};
}

}  // namespace

DecidedScale operandScale(const DecidedTensor& decided)
{
    const Outcome& outcome = decided.outcome;
    const std::string& name = decided.info.name;
    if (!outcome.problem.empty())
        return refused(name + ": " + outcome.problem);
    const Quantizer& whole = outcome.whole.quantizer;
    layers::OperandScale scale{.scales = {},
                               .zeroPoints = {},
                               .axis = scaleAxisOf(decided),
                               .low = whole.lowLevel,
                               .high = whole.highLevel,
                               .hasRealZeroPoint =
                                   outcome.choice.scheme.kind == SchemeKind::AffineReal};
    const auto take = [&scale](const ScaleRow& row) {
        scale.scales.push_back(static_cast<float>(row.quantizer.scale));
        scale.zeroPoints.push_back(row.quantizer.zeroPoint);
    };
    if (outcome.isPerChannel())
        for (const ScaleRow& row : outcome.channels)
            take(row);
    else
        take(outcome.whole);
    for (const float one : scale.scales)
        if (!std::isfinite(one) || one <= 0.0F)
            return refused(name + " has the scale " + numberText(static_cast<double>(one)) +
                           " in float32, which quantizes nothing");
    if (scale.axis) {
        const auto axis = static_cast<std::size_t>(*scale.axis);
        if (axis >= decided.info.shape.size() || decided.info.shape[axis] != scale.scales.size())
            return refused(name + " has " + std::to_string(scale.scales.size()) +
                           " scales, which are not those of its channels");
        if (axis == 0 && decided.info.role != Role::Weight)
            return refused(name + " has a scale for each sample");
    }
    DecidedScale result{.scale = std::move(scale), .whyNot = {}, .notes = {}};
    if (whole.rounding != Rounding::HalfEven)
        result.notes.push_back(name + " is rounded half to even, as QuantizeLinear does");
    if (outcome.choice.scheme.kind == SchemeKind::AffineReal)
        result.notes.push_back(name + " has a zero point that is no integer");
    return result;
}

}  // namespace calibscope::deploy
