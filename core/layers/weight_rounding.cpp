// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/weight_rounding.h"

#include "core/base/error.h"
#include "core/layers/products.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>

namespace calibscope::layers {

namespace {

constexpr int stepsOfClip = 40;
constexpr int leastOfClip = 16;

/// The levels of each value of a weight.
std::vector<std::size_t> scaleIndices(const AppliedScale& scale, std::size_t values)
{
    std::vector<std::size_t> indices(values);
    forEachRun(scale.scale.scales.size() == 1 ? ChannelAxis{} : scale.axis, 0, values,
               [&](std::size_t index, std::uint64_t first, std::uint64_t count) {
                   std::fill_n(indices.begin() + static_cast<std::ptrdiff_t>(first), count, index);
               });
    return indices;
}

double rounded(double value, const IntegerScale& levels)
{
    const double number = std::nearbyint(value / static_cast<double>(levels.scale));
    return std::clamp(number + levels.zeroPoint, static_cast<double>(levels.low),
                      static_cast<double>(levels.high));
}

/// The inverse factor of a group's damped gram, columns in that order.
std::vector<double> inverseFactor(std::span<const double> gram, double rows, double damping,
                                  std::span<const std::size_t> order)
{
    const std::size_t depth = order.size();
    double mean = 0.0;
    for (std::size_t k = 0; k < depth; ++k)
        mean += gram[k * depth + k] / rows / static_cast<double>(depth);
    constexpr double least = 1e-30;
    std::vector<double> factor(depth * depth);
    for (std::size_t row = 0; row < depth; ++row)
        for (std::size_t column = 0; column <= row; ++column)
            factor[row * depth + column] = gram[order[row] * depth + order[column]] / rows;
    for (std::size_t k = 0; k < depth; ++k)
        factor[k * depth + k] += std::max(damping * mean, least);
    if (!invertFactor(factor.data(), depth))
        throw Error(Fault::Input, "its inputs' gram is not positive definite in double");
    return factor;
}

/// Columns from the one that is rounded last to the first: by rising squares, of equals the later
/// ones first.
std::vector<std::size_t> risingColumns(std::span<const double> gram, std::size_t depth)
{
    std::vector<std::size_t> order(depth);
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return gram[k * depth + k]; });
    return order;
}

/// d H d^T of each of a group's channels under scales times a fraction.
std::vector<double> outputErrors(std::span<const double> gram, std::size_t depth,
                                 std::span<const std::size_t> at, std::span<const float> weight,
                                 std::span<const IntegerScale> levels)
{
    const std::size_t channels = levels.size();
    std::vector<double> errors(depth * channels);
    for (std::size_t channel = 0; channel < channels; ++channel)
        for (std::size_t k = 0; k < depth; ++k) {
            const float value = weight[at[channel * depth + k]];
            errors[k * channels + channel] =
                static_cast<double>(
                    fromInteger(integerOf(value, levels[channel]), levels[channel])) -
                static_cast<double>(value);
        }
    return quadraticForms(gram, depth, errors);
}

}  // namespace

std::vector<float> clippedScales(const LayerPlan& plan, const InputGrams& grams,
                                 std::span<const float> weight, const AppliedScale& scale)
{
    const TensorQuantization& given = scale.scale;
    const std::vector<std::size_t> indices = scaleIndices(scale, weight.size());
    std::vector<double> least(given.scales.size(), std::numeric_limits<double>::infinity());
    std::vector<float> best = given.scales;
    for (int step = stepsOfClip; step >= leastOfClip; --step) {
        TensorQuantization tried = given;
        for (float& one : tried.scales)
            one = static_cast<float>(static_cast<double>(one) * step / stepsOfClip);
        std::vector<double> errors(given.scales.size(), 0.0);
        for (std::uint64_t group = 0; group < plan.groups; ++group) {
            const std::vector<std::size_t> at = plan.weightIndices(group);
            std::vector<IntegerScale> levels;
            for (std::uint64_t channel = 0; channel < plan.channelsPerGroup; ++channel) {
                const auto first = static_cast<std::ptrdiff_t>(channel * grams.depth);
                const std::span row(at.begin() + first, grams.depth);
                const std::size_t index = indices[row.front()];
                if (std::ranges::any_of(row,
                                        [&](std::size_t one) { return indices[one] != index; }))
                    return given.scales;  // of groups, or of inputs
                levels.push_back(tried.integerScale(index));
            }
            const std::vector<double> ofChannels =
                outputErrors(grams.of(group), grams.depth, at, weight, levels);
            for (std::size_t channel = 0; channel < ofChannels.size(); ++channel)
                errors[indices[at[channel * grams.depth]]] += ofChannels[channel];
        }
        for (std::size_t index = 0; index < errors.size(); ++index)
            if (errors[index] < least[index] && isUsableScale(tried.scales[index])) {
                least[index] = errors[index];
                best[index] = tried.scales[index];
            }
    }
    return best;
}

std::vector<std::int16_t> roundedByGrams(const LayerPlan& plan, const InputGrams& grams,
                                         std::span<const float> weight, const AppliedScale& scale,
                                         double damping)
{
    const std::size_t depth = grams.depth;
    const std::vector<std::size_t> indices = scaleIndices(scale, weight.size());
    std::vector<std::int16_t> integers(weight.size());
    std::vector<double> values(depth);
    for (std::uint64_t group = 0; group < plan.groups; ++group) {
        const std::span<const double> gram = grams.of(group);
        const std::vector<std::size_t> order = risingColumns(gram, depth);
        const std::vector<double> factor =
            inverseFactor(gram, static_cast<double>(grams.rows), damping, order);
        const std::vector<std::size_t> at = plan.weightIndices(group);
        for (std::uint64_t channel = 0; channel < plan.channelsPerGroup; ++channel) {
            const std::span row(at.begin() + static_cast<std::ptrdiff_t>(channel * depth), depth);
            for (std::size_t k = 0; k < depth; ++k)
                values[k] = static_cast<double>(weight[row[order[k]]]);
            for (std::size_t k = depth; k-- > 0;) {
                const std::size_t index = row[order[k]];
                const IntegerScale levels = scale.scale.integerScale(indices[index]);
                const double number = rounded(values[k], levels);
                integers[index] = static_cast<std::int16_t>(number);
                const double error =
                    values[k] - static_cast<double>(levels.scale) * (number - levels.zeroPoint);
                const double* const spread = factor.data() + k * depth;
                const double share = error / spread[k];
                for (std::size_t i = 0; i < k; ++i)
                    values[i] -= share * spread[i];
            }
        }
    }
    return integers;
}

std::uint64_t roundingBytes(const LayerPlan& plan)
{
    const std::uint64_t square = plan.depth() * plan.depth();
    return sizeof(double) * square * (plan.groups + 2) +
           (sizeof(std::size_t) + sizeof(std::int16_t)) * plan.weightValues;
}

}  // namespace calibscope::layers
