// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/calibrated_anew.h"

#include "core/base/error.h"
#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"

#include <algorithm>
#include <span>
#include <utility>

namespace calibscope::layers {

ValueSource times(ValueSource source, std::vector<float> factors, ChannelAxis axis)
{
    const auto visit = source.visit;
    source.visit = [visit, axis, all = std::move(factors)](const BlockVisitor& visitor,
                                                           const Progress& progress) {
        std::vector<float> values;
        visit(
            [&](const Block& block) {
                values.assign(block.values.begin(), block.values.end());
                for (std::size_t i = 0; i < values.size(); ++i)
                    values[i] *= all[(block.firstIndex + i) / axis.run % axis.channels];
                visitor({.values = values, .firstIndex = block.firstIndex, .batch = block.batch});
            },
            progress);
    };
    return source;
}

ValueSource ofSamples(ValueSource source, const std::function<bool(std::uint64_t sample)>& isWanted)
{
    const std::uint64_t samples = source.info.shape.at(0);
    const std::uint64_t ofSample = source.info.valueCount() / samples;
    std::vector<std::uint64_t> indexOf(samples, samples);  // among the wanted ones
    std::uint64_t wanted = 0;
    for (std::uint64_t sample = 0; sample < samples; ++sample)
        if (isWanted(sample))
            indexOf[sample] = wanted++;
    source.info.shape[0] = wanted;
    source.info.batchAxis = 0;
    source.info.batchSize = 1;
    const auto visit = source.visit;
    source.visit = [visit, ofSample, samples, all = std::move(indexOf)](const BlockVisitor& visitor,
                                                                        const Progress& progress) {
        visit(
            [&](const Block& block) {
                for (std::uint64_t at = 0; at < block.values.size();) {
                    const std::uint64_t index = block.firstIndex + at;
                    const std::uint64_t inSample = index % ofSample;
                    const std::uint64_t count =
                        std::min(ofSample - inSample, block.values.size() - at);
                    if (const std::uint64_t to = all[index / ofSample]; to < samples)
                        visitor({.values = block.values.subspan(at, count),
                                 .firstIndex = to * ofSample + inSample,
                                 .batch = to});
                    at += count;
                }
            },
            progress);
    };
    return source;
}

DecidedTensor decidedAnew(const DecidedTensor& decided, const ValueSource& values,
                          const Progress& progress)
{
    Choice choice = decided.outcome.choice;
    choice.rangeFrom.clear();
    TensorProfile profile = collectProfile(values, progress);
    DecidedTensor anew = decided;
    anew.info.shape = values.info.shape;
    anew.outcome =
        analyse(values, profile, std::span(&choice, 1), {.effort = MetricEffort::None}, progress)
            .front();
    if (!anew.outcome.problem.empty())
        throw Error(Fault::Input, anew.outcome.problem);
    return anew;
}

std::optional<TensorQuantization>
calibratedAnew(const OperandDecision& decision, const ValueSource& values, const Progress& progress)
{
    if (decision.decided == nullptr)
        return std::nullopt;
    return operandScale(decidedAnew(*decision.decided, values, progress));
}

std::optional<TensorQuantization> weightAnew(const LayerReading& reading,
                                             const OperandDecision& decision,
                                             const OperandFactors& factors,
                                             const Progress& progress)
{
    if (decision.decided == nullptr)
        return std::nullopt;
    TensorInfo info = decision.decided->info;
    info.batchAxis.reset();
    info.batchSize = 0;
    const std::vector<float> values = reading.weightTimes(factors);
    return calibratedAnew(decision, sourceOf(std::move(info), values), progress);
}

}  // namespace calibscope::layers
