// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/find_geometry.h"

#include "core/base/float32.h"
#include "core/layers/positions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <tuple>
#include <utility>

namespace calibscope::layers {

namespace {

/// What may hold along one spatial axis.
struct AxisGuess
{
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t padBegin = 0;
    std::int64_t padEnd = 0;
    std::int64_t outputPadding = 0;
    double unlikeliness = 0.0;
};

/// Large kernels are not dilated; of small ones DeepLab's has 36.
std::int64_t mostDilationOf(std::int64_t kernel, std::int64_t in)
{
    if (kernel == 1)
        return 1;
    constexpr std::int64_t small = 9;
    constexpr std::int64_t medium = 64;
    const std::int64_t most = kernel <= small ? 36 : kernel <= medium ? 4 : 1;
    const std::int64_t within = (4 * in + 8) / (kernel - 1);
    return std::clamp<std::int64_t>(within, 1, most);
}

/// Pads are of one size, or nearly, or all on one side.
bool isUsual(std::int64_t begin, std::int64_t end)
{
    return std::abs(begin - end) <= 2 || begin == 0 || end == 0;
}

/// The less a guess costs, the likelier it is.
double unlikelinessOf(const AxisGuess& guess, std::int64_t reach, std::int64_t outputs)
{
    constexpr double ofDilation = 3.0;
    constexpr double ofAsymmetry = 2.0;
    constexpr double ofUnusualPads = 0.5;
    const std::int64_t both = guess.padBegin + guess.padEnd;
    double cost = std::log2(static_cast<double>(guess.stride)) / 2.0;
    if (guess.dilation > 1)
        cost += ofDilation + std::log2(static_cast<double>(guess.dilation));
    cost += ofAsymmetry * static_cast<double>(std::abs(guess.padBegin - guess.padEnd));
    if (both != 0 && both != reach - 1)
        cost += ofUnusualPads;
    cost += static_cast<double>(guess.outputPadding) / 2.0;
    return outputs == 1 && guess.stride > 1 ? cost + ofDilation : cost;
}

/// Those along one axis of a Conv.
std::vector<AxisGuess> convGuesses(std::int64_t in, std::int64_t out, std::int64_t kernel)
{
    std::vector<AxisGuess> guesses;
    const std::int64_t dilations = mostDilationOf(kernel, in);
    for (std::int64_t dilation = 1; dilation <= dilations; ++dilation) {
        const std::int64_t reach = dilation * (kernel - 1) + 1;
        const std::int64_t mostPad = std::max<std::int64_t>(reach - 1, 1);
        for (std::int64_t both = 0; both <= 2 * mostPad; ++both) {
            const std::int64_t room = in + both - reach;
            if (room < 0)
                continue;
            // room / stride + 1 == out
            const std::int64_t least = room / out + 1;
            const std::int64_t most = out == 1 ? least : room / (out - 1);
            constexpr std::int64_t mostStrides = 8;
            for (std::int64_t stride = least; stride <= std::min(most, least + mostStrides);
                 ++stride)
                for (std::int64_t begin = std::max<std::int64_t>(both - mostPad, 0);
                     begin <= std::min(both, mostPad); ++begin) {
                    if (!isUsual(begin, both - begin))
                        continue;
                    AxisGuess guess{.stride = out == 1 ? 1 : stride,
                                    .dilation = dilation,
                                    .padBegin = begin,
                                    .padEnd = both - begin};
                    if (out == 1 && room != 0)
                        guess.stride = room + 1;
                    guess.unlikeliness = unlikelinessOf(guess, reach, out);
                    guesses.push_back(guess);
                }
        }
    }
    return guesses;
}

std::vector<AxisGuess> transposedGuesses(std::int64_t in, std::int64_t out, std::int64_t kernel)
{
    std::vector<AxisGuess> guesses;
    const std::int64_t dilations = mostDilationOf(kernel, out);
    const std::int64_t strides = in == 1 ? 1 : out / (in - 1) + kernel;
    constexpr std::int64_t mostStrides = 512;
    for (std::int64_t dilation = 1; dilation <= dilations; ++dilation) {
        const std::int64_t reach = dilation * (kernel - 1) + 1;
        for (std::int64_t stride = 1; stride <= std::min(strides, mostStrides); ++stride)
            for (std::int64_t begin = 0; begin < std::max<std::int64_t>(reach, 2); ++begin) {
                const std::int64_t left = (in - 1) * stride + reach - begin - out;
                AxisGuess guess{.stride = stride,
                                .dilation = dilation,
                                .padBegin = begin,
                                .padEnd = std::max<std::int64_t>(left, 0),
                                .outputPadding = std::max<std::int64_t>(-left, 0)};
                if (guess.padEnd > reach || guess.outputPadding >= std::max(stride, dilation))
                    continue;
                guess.unlikeliness = unlikelinessOf(guess, reach, out);
                guesses.push_back(guess);
            }
    }
    return guesses;
}

/// One guess for each axis.
struct Together
{
    std::vector<std::size_t> guesses;
    double unlikeliness = 0.0;
};

double togetherCost(const AxisGuess& one, const AxisGuess& other)
{
    constexpr double ofOtherStride = 1.0;
    constexpr double ofOtherDilation = 2.0;
    return (one.stride == other.stride ? 0.0 : ofOtherStride) +
           (one.dilation == other.dilation ? 0.0 : ofOtherDilation);
}

OpGeometry geometryOf(const std::vector<std::vector<AxisGuess>>& axes, const Together& together,
                      std::int64_t group)
{
    OpGeometry geometry;
    geometry.group = group;
    std::vector<std::int64_t> ends;
    bool hasOutputPadding = false;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const AxisGuess& guess = axes[axis][together.guesses[axis]];
        geometry.strides.push_back(guess.stride);
        geometry.dilations.push_back(guess.dilation);
        geometry.pads.push_back(guess.padBegin);
        ends.push_back(guess.padEnd);
        geometry.outputPadding.push_back(guess.outputPadding);
        hasOutputPadding = hasOutputPadding || guess.outputPadding != 0;
    }
    geometry.pads.insert(geometry.pads.end(), ends.begin(), ends.end());
    if (!hasOutputPadding)
        geometry.outputPadding.clear();
    return geometry;
}

std::vector<OpGeometry> likelyConvolutions(const LayerShapes& shapes, std::size_t most)
{
    const bool isTransposed = shapes.op == "ConvTranspose";
    const std::size_t rank = shapes.input.size();
    constexpr std::uint64_t longest = std::uint64_t{1} << 20U;
    const auto isLong = [](std::uint64_t length) { return length == 0 || length > longest; };
    if (rank < 3 || shapes.weight.size() != rank || shapes.output.size() != rank ||
        std::ranges::any_of(shapes.input, isLong) || std::ranges::any_of(shapes.weight, isLong) ||
        std::ranges::any_of(shapes.output, isLong))
        return {};
    std::vector<std::vector<AxisGuess>> axes;
    // All together are no more than some thousands.
    constexpr std::array<std::size_t, 4> mostOfAxis{400, 60, 16, 8};
    const std::size_t kept = mostOfAxis[std::min(rank - 3, mostOfAxis.size() - 1)];
    for (std::size_t axis = 2; axis < rank; ++axis) {
        constexpr std::int64_t mostKernel = 1024;
        const auto in = static_cast<std::int64_t>(shapes.input[axis]);
        const auto out = static_cast<std::int64_t>(shapes.output[axis]);
        const auto kernel = static_cast<std::int64_t>(shapes.weight[axis]);
        if (kernel > mostKernel)
            return {};
        std::vector<AxisGuess> guesses =
            isTransposed ? transposedGuesses(in, out, kernel) : convGuesses(in, out, kernel);
        std::ranges::stable_sort(guesses, {}, &AxisGuess::unlikeliness);
        if (guesses.size() > kept)
            guesses.resize(kept);
        if (guesses.empty())
            return {};
        axes.push_back(std::move(guesses));
        if (axes.size() > mostOfAxis.size())
            return {};
    }
    std::vector<Together> all{{}};
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        std::vector<Together> longer;
        for (const Together& before : all)
            for (std::size_t guess = 0; guess < axes[axis].size(); ++guess) {
                Together next = before;
                next.guesses.push_back(guess);
                next.unlikeliness += axes[axis][guess].unlikeliness;
                if (axis > 0)
                    next.unlikeliness +=
                        togetherCost(axes[axis - 1][before.guesses.back()], axes[axis][guess]);
                longer.push_back(std::move(next));
            }
        all = std::move(longer);
    }
    std::ranges::stable_sort(all, {}, &Together::unlikeliness);
    const std::uint64_t part = shapes.weight[1];
    const std::uint64_t group = (isTransposed ? shapes.output[1] : shapes.input[1]) / part;
    std::vector<OpGeometry> geometries;
    for (std::size_t place = 0; place < std::min(all.size(), most); ++place)
        geometries.push_back(geometryOf(axes, all[place], static_cast<std::int64_t>(group)));
    return geometries;
}

/// A place of one of the first samples.
struct TriedPlace
{
    std::uint64_t sample = 0;
    std::uint64_t place = 0;
};

/// Recomputes some outputs of some channels.
class Trials
{
public:
    Trials(const LayerShapes& shapes, const FirstSamples& values, double limit)
        : m_shapes(shapes), m_values(values), m_limit(limit)
    {
        m_shapes.input[0] = m_shapes.output[0] = values.samples;
    }

    /// The alpha that gives the recorded outputs best, by least squares without the channels'
    /// means, where beta and the bias are; as float32, as ONNX stores it. Nothing where outputs of
    /// alpha 1 are constant, or the shapes don't fit.
    [[nodiscard]] std::optional<double> fittedAlpha(const OpGeometry& geometry)
    {
        const PlannedLayer planned = planLayer(m_shapes, geometry);
        if (!planned.whyNot.empty())
            return std::nullopt;
        const LayerPlan& plan = planned.plan;
        if (m_places.empty())
            choose(plan);
        std::vector<std::int64_t> offsets(plan.inners);
        const auto count = static_cast<double>(m_places.size());
        double products = 0.0;
        double squares = 0.0;
        for (const std::uint64_t channel : m_channels) {
            std::vector<std::pair<double, double>> pairs;  // computed and recorded
            double computedSum = 0.0;
            double recordedSum = 0.0;
            for (const TriedPlace& at : m_places) {
                plan.offsetsAt(at.place, offsets);
                pairs.emplace_back(computed(plan, at, channel, offsets),
                                   outputAt(plan, at, channel));
                computedSum += pairs.back().first;
                recordedSum += pairs.back().second;
            }
            for (const auto& [own, recorded] : pairs) {
                const double off = own - computedSum / count;
                products += off * (recorded - recordedSum / count);
                squares += off * off;
            }
        }
        const double alpha = squares > 0.0 ? products / squares : 0.0;
        return std::isfinite(alpha) && alpha != 0.0 ? std::optional(toFloat32(alpha))
                                                    : std::nullopt;
    }

    bool accepts(const OpGeometry& geometry)
    {
        const PlannedLayer planned = planLayer(m_shapes, geometry);
        if (!planned.whyNot.empty())
            return false;
        const LayerPlan& plan = planned.plan;
        if (m_places.empty())
            choose(plan);
        constexpr std::size_t few = 32;  // what is wrong shows in these
        return (m_places.size() <= few || residualOf(plan, few) <= m_allowed) &&
               residualOf(plan, m_places.size()) <= m_allowed;
    }

private:
    [[nodiscard]] double outputAt(const LayerPlan& plan, const TriedPlace& at,
                                  std::uint64_t channel) const
    {
        return static_cast<double>(
            m_values.output[at.sample * plan.outputValues + plan.outputBase(at.place) +
                            channel * plan.outputChannel]);
    }

    /// The channels that vary most, so that none is dead, and places of both samples.
    void choose(const LayerPlan& plan)
    {
        constexpr std::uint64_t mostPlaces = 512;
        constexpr std::size_t mostChannels = 4;
        const PositionPlan positions = planPositions(m_values.samples, plan.places, mostPlaces, 1);
        std::vector<std::vector<std::uint64_t>> ofSamples;
        for (std::uint64_t sample = 0; sample < m_values.samples; ++sample)
            ofSamples.push_back(layers::placesOf(positions, sample));
        // By turns, and spread over the sample, so that the first few are of all of it.
        constexpr std::uint64_t stride = 61;
        for (std::uint64_t start = 0; start < std::min(stride, positions.perSample); ++start)
            for (std::uint64_t place = start; place < positions.perSample; place += stride)
                for (std::uint64_t sample = 0; sample < m_values.samples; ++sample)
                    m_places.push_back({sample, ofSamples[sample][place]});
        std::vector<std::tuple<double, double, std::uint64_t>> channels;
        for (std::uint64_t channel = 0; channel < plan.channels(); ++channel) {
            double sum = 0.0;
            double squares = 0.0;
            for (const TriedPlace& at : m_places) {
                const double value = outputAt(plan, at, channel);
                sum += value;
                squares += value * value;
            }
            const double mean = sum / static_cast<double>(m_places.size());
            const double meanSquare = squares / static_cast<double>(m_places.size());
            channels.emplace_back(meanSquare - mean * mean, meanSquare, channel);
        }
        std::ranges::stable_sort(channels, [](const auto& one, const auto& other) {
            return std::get<0>(one) > std::get<0>(other);
        });
        if (channels.size() > mostChannels)
            channels.resize(mostChannels);
        double variance = 0.0;
        double meanSquare = 0.0;
        for (const auto& [ofChannel, square, channel] : channels) {
            variance += ofChannel;
            meanSquare += square;
            m_channels.push_back(channel);
        }
        const auto count = static_cast<double>(channels.size());
        m_allowed = m_limit * std::sqrt(meanSquare / count);
        constexpr double ofVariation = 0.1;
        constexpr double ofRounding = 1e-10;  // float32 outputs that are constant but for that
        if (variance > ofRounding * meanSquare)
            m_allowed = std::min(m_allowed, ofVariation * std::sqrt(variance / count));
    }

    /// The rms of what is left of recorded outputs, without each channel's mean.
    [[nodiscard]] double residualOf(const LayerPlan& plan, std::size_t places) const
    {
        double left = 0.0;
        std::vector<std::int64_t> offsets(plan.inners);
        std::vector<std::vector<double>> differences(m_channels.size());
        for (std::size_t tried = 0; tried < places; ++tried) {
            const TriedPlace& at = m_places[tried];
            plan.offsetsAt(at.place, offsets);
            for (std::size_t index = 0; index < m_channels.size(); ++index)
                differences[index].push_back(outputAt(plan, at, m_channels[index]) -
                                             computed(plan, at, m_channels[index], offsets));
        }
        for (const std::vector<double>& ofChannel : differences) {
            const double mean = std::accumulate(ofChannel.begin(), ofChannel.end(), 0.0) /
                                static_cast<double>(places);
            for (const double difference : ofChannel)
                left += (difference - mean) * (difference - mean);
        }
        return std::sqrt(left / static_cast<double>(places * m_channels.size()));
    }

    [[nodiscard]] double computed(const LayerPlan& plan, const TriedPlace& at,
                                  std::uint64_t channel,
                                  std::span<const std::int64_t> offsets) const
    {
        const std::uint64_t group = channel / plan.channelsPerGroup;
        const float* const input = m_values.input.data() + at.sample * plan.inputValues +
                                   group * plan.outers * plan.inputOuter;
        const float* const weight =
            m_values.weight.data() + plan.matrixOf(at.place) * plan.weightMatrix +
            group * plan.weightGroup + channel % plan.channelsPerGroup * plan.weightChannel;
        double sum = 0.0;
        for (std::uint64_t outer = 0; outer < plan.outers; ++outer)
            for (std::uint64_t inner = 0; inner < plan.inners; ++inner)
                if (offsets[inner] >= 0)
                    sum += static_cast<double>(input[outer * plan.inputOuter +
                                                     static_cast<std::uint64_t>(offsets[inner])]) *
                           static_cast<double>(
                               weight[outer * plan.weightOuter + inner * plan.weightInner]);
        return plan.factor * sum;
    }

    LayerShapes m_shapes;
    const FirstSamples& m_values;
    double m_limit;
    double m_allowed = 0.0;
    std::vector<TriedPlace> m_places;
    std::vector<std::uint64_t> m_channels;
};

}  // namespace

std::vector<OpGeometry> likelyGeometries(const LayerShapes& shapes, std::size_t most)
{
    if (shapes.op == "Conv" || shapes.op == "ConvTranspose")
        return likelyConvolutions(shapes, most);
    if (shapes.op != "Gemm")
        return {OpGeometry{}};
    OpGeometry transposed;
    transposed.transB = 1;  // a Linear of PyTorch
    OpGeometry straight;
    straight.transB = 0;
    return {transposed, straight};
}

std::optional<OpGeometry> findGeometry(const LayerShapes& shapes, const FirstSamples& values,
                                       double limit)
{
    Trials trials(shapes, values, limit);
    for (const OpGeometry& geometry : likelyGeometries(shapes))
        if (trials.accepts(geometry))
            return geometry;
    if (shapes.op != "Gemm")
        return std::nullopt;
    for (OpGeometry geometry : likelyGeometries(shapes)) {
        geometry.alpha = trials.fittedAlpha(geometry);
        if (geometry.alpha && trials.accepts(geometry))
            return geometry;
    }
    return std::nullopt;
}

}  // namespace calibscope::layers
