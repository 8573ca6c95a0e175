// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_pass.h"

#include "core/layers/output_sums.h"
#include "core/layers/products.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

namespace calibscope::layers {

/// Sizes of what is held at once, from the numbers of alternatives that have scales.
struct PassSizes
{
    std::uint64_t inputs = 1;   ///< x and its errors
    std::uint64_t weights = 1;  ///< w and its errors
    std::uint64_t positions = 1;
    std::uint64_t slice = 1;  ///< channels that are multiplied together
};

namespace {

constexpr std::uint64_t blockBytes = std::uint64_t{8} << 20U;
constexpr std::uint64_t mostPackedBytes = std::uint64_t{16} << 20U;
constexpr std::uint64_t mostColumns = 1024;
constexpr std::size_t notScaled = static_cast<std::size_t>(-1);

PassSizes sizesOfPass(const LayerPlan& plan, std::size_t inputScales, std::size_t weightScales)
{
    PassSizes sizes{.inputs = 1 + inputScales, .weights = 1 + weightScales};
    const std::uint64_t bytesOfOne =
        sizeof(double) * (plan.groups * plan.depth() * sizes.inputs + plan.channels());
    sizes.positions = std::clamp<std::uint64_t>(blockBytes / bytesOfOne, 1, mostColumns);
    const std::uint64_t bytesOfChannel =
        sizeof(double) * sizes.weights * std::max(plan.depth(), sizes.inputs * sizes.positions);
    sizes.slice = std::clamp<std::uint64_t>(blockBytes / bytesOfChannel, 1, plan.channelsPerGroup);
    return sizes;
}

std::size_t scaledCount(const std::vector<std::optional<AppliedScale>>& alternatives)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(alternatives, [](const auto& scale) { return scale.has_value(); }));
}

/// For each alternative its place among those with scales.
std::vector<std::size_t> slotsOf(const std::vector<std::optional<AppliedScale>>& alternatives)
{
    std::vector<std::size_t> slots;
    std::size_t next = 0;
    for (const auto& scale : alternatives)
        slots.push_back(scale ? next++ : notScaled);
    return slots;
}

bool isFinite(std::span<const float> values)
{
    // The difference is below 0 for those beyond the largest, in vector instructions.
    constexpr std::int32_t largestFinite = 0x7f7fffff;
    constexpr std::int32_t magnitude = 0x7fffffff;
    std::int32_t signs = 0;
    for (const float value : values)
        signs |= largestFinite - (std::bit_cast<std::int32_t>(value) & magnitude);
    return signs >= 0;
}

std::vector<std::vector<float>>
quantized(std::span<const float> values,
          const std::vector<std::optional<AppliedScale>>& alternatives,
          std::vector<std::vector<float>> results)
{
    results.resize(scaledCount(alternatives));
    std::size_t slot = 0;
    for (const auto& applied : alternatives) {
        if (!applied)
            continue;
        results[slot].resize(values.size());
        fakeQuantize(values, applied->scale, applied->axis, results[slot]);
        ++slot;
    }
    return results;
}

}  // namespace

struct LayerPass::Impl
{
    LayerPlan plan;
    Alternatives alternatives;
    Options options;
    PassSizes sizes;
    std::vector<std::size_t> inputSlots;
    std::vector<std::size_t> weightSlots;

    std::span<const float> weightValues;  ///< of all samples, or of this one
    std::vector<std::vector<float>> quantizedWeights;
    std::vector<std::vector<float>> quantizedInputs;

    std::vector<double> rows;     ///< [group][depth][inputs][positions]
    std::vector<double> outputs;  ///< [channel][positions]
    std::vector<double> results;  ///< [weights][slice][inputs][positions]
    std::vector<double> scratch;  ///< packed matrices that are not kept
    std::vector<std::vector<double>> packed;
    std::vector<std::int64_t> offsets;
    std::vector<std::int64_t> offsetsOfPlace;
    std::size_t used = 0;  ///< positions that wait
    std::uint64_t matrix = 0;

    std::uint64_t sample = 0;
    OutputSums sums;
    UnitErrors units;
    std::vector<std::uint64_t> unitOf;  ///< of the positions that wait
    InputGrams grams;
    std::vector<bool> areInGrams;            ///< the positions that wait
    std::vector<std::vector<double>> noise;  ///< [input][weight], where there are several
    InputMagnitudes magnitudes;
    SampleCounts counts;                       ///< of the sample
    std::vector<std::uint64_t> countedInputs;  ///< by channel, where some do not count; else empty
    std::vector<std::uint64_t> counted;  ///< indices among the sample's places of those that count
    std::optional<std::uint64_t> countedPlaces;  ///< of all samples, where some do not count
    std::string notFinite;
    std::vector<double> error;

    Impl(LayerPlan layer, Alternatives tried, const Options& chosen)
        : plan(std::move(layer)),
          alternatives(std::move(tried)),
          options(chosen),
          sizes(
              sizesOfPass(plan, scaledCount(alternatives.input), scaledCount(alternatives.weight))),
          inputSlots(slotsOf(alternatives.input)),
          weightSlots(slotsOf(alternatives.weight)),
          sums(plan.channels())
    {
        sizes.positions = std::min(sizes.positions, options.positions.positions());
        rows.resize(plan.groups * plan.depth() * stride());
        outputs.resize(plan.channels() * sizes.positions);
        results.resize(sizes.weights * sizes.slice * stride());
        error.resize(sizes.positions);
        magnitudes.largest.assign(plan.inputChannels(), 0.0);
        noise.assign(alternatives.input.size(),
                     std::vector<double>(alternatives.weight.size(), 0.0));
        offsetsOfPlace.resize(plan.inners);
        if (options.unitsPerSample > 0) {
            units = UnitErrors(plan.samples, options.unitsPerSample, plan.channels());
            unitOf.resize(sizes.positions);
        }
        if (options.gramsOf) {
            magnitudes.mean.assign(plan.inputChannels(), 0.0);
            grams.depth = plan.depth();
            grams.sums.resize(plan.groups * grams.depth * grams.depth);
            areInGrams.resize(sizes.positions);
        }
        if (!plan.isWeightPerSample && packedBytes() <= mostPackedBytes)
            packed.resize(plan.matrices * plan.groups * slices());
    }

    [[nodiscard]] std::size_t stride() const { return sizes.inputs * sizes.positions; }
    [[nodiscard]] bool hasSeveral() const { return inputSlots.size() * weightSlots.size() > 1; }
    [[nodiscard]] std::uint64_t slices() const
    {
        return (plan.channelsPerGroup + sizes.slice - 1) / sizes.slice;
    }
    [[nodiscard]] std::uint64_t packedBytes() const
    {
        return sizeof(double) * plan.matrices * plan.groups * plan.depth() * plan.channelsPerGroup *
               sizes.weights;
    }

    void takeWeight(std::span<const float> values, std::span<const float> rounded = {})
    {
        weightValues = values;
        if (!isFinite(values)) {
            notFinite = "weight";
            return;
        }
        quantizedWeights = quantized(values, alternatives.weight, std::move(quantizedWeights));
        if (!rounded.empty() && weightSlots.front() != notScaled)
            quantizedWeights[weightSlots.front()].assign(rounded.begin(), rounded.end());
    }

    void trackMagnitudes(std::span<const float> input)
    {
        const ChannelAxis axis = plan.inputChannelAxis();
        std::vector<double>& largest = magnitudes.largest;
        for (std::size_t done = 0, channel = 0; done < input.size();
             done += axis.run, channel = channel + 1 < largest.size() ? channel + 1 : 0) {
            float most = 0.0F;
            for (std::size_t i = 0; i < axis.run; ++i)
                most = std::max(most, std::abs(input[done + i]));
            largest[channel] = std::max(largest[channel], static_cast<double>(most));
            for (std::size_t i = 0; !magnitudes.mean.empty() && i < axis.run; ++i)
                magnitudes.mean[channel] += static_cast<double>(std::abs(input[done + i]));
            if (counts.input.empty())
                continue;
            countedInputs.resize(largest.size());
            const auto flags = counts.input.subspan(done, axis.run);
            countedInputs[channel] += static_cast<std::uint64_t>(std::ranges::count(flags, 1));
        }
    }

    /// Positions of the sample from `first` on.
    void gather(std::span<const float> input, std::span<const float> output,
                std::span<const std::uint64_t> places, std::size_t first)
    {
        const std::size_t count = places.size();
        for (std::size_t i = 0; !unitOf.empty() && i < count; ++i)
            unitOf[used + i] =
                units.unitOf(sample, counts.isEmpty() ? first + i : counted[first + i]);
        const bool isInGrams = options.gramsOf && options.gramsOf(sample);
        for (std::size_t i = 0; !areInGrams.empty() && i < count; ++i)
            areInGrams[used + i] = isInGrams;
        offsets.resize(plan.inners * count);
        for (std::size_t place = 0; place < count; ++place) {
            plan.offsetsAt(places[place], offsetsOfPlace);
            for (std::size_t inner = 0; inner < plan.inners; ++inner)
                offsets[inner * count + place] = offsetsOfPlace[inner];
        }
        for (std::size_t outer = 0; outer < plan.groups * plan.outers; ++outer)
            for (std::size_t inner = 0; inner < plan.inners; ++inner)
                gatherRow(input.data() + outer * plan.inputOuter, outer * plan.inputOuter,
                          std::span(offsets).subspan(inner * count, count),
                          rows.data() + (outer * plan.inners + inner) * stride() + used);
        if (options.hasOutput)
            for (std::size_t place = 0; place < count; ++place) {
                const float* const values = output.data() + plan.outputBase(places[place]);
                for (std::size_t channel = 0; channel < plan.channels(); ++channel)
                    outputs[channel * sizes.positions + used + place] =
                        static_cast<double>(values[channel * plan.outputChannel]);
            }
        used += count;
    }

    void gatherRow(const float* values, std::size_t first, std::span<const std::int64_t> places,
                   double* row) const
    {
        for (std::size_t i = 0; i < places.size(); ++i)
            row[i] = places[i] < 0 ? 0.0 : static_cast<double>(values[places[i]]);
        for (const std::vector<float>& rounded : quantizedInputs) {
            const float* const others = rounded.data() + first;
            row += sizes.positions;
            for (std::size_t i = 0; i < places.size(); ++i)
                row[i] = places[i] < 0 ? 0.0
                                       : static_cast<double>(others[places[i]]) -
                                             static_cast<double>(values[places[i]]);
        }
    }

    [[nodiscard]] bool isCounted(std::uint64_t at)
    {
        plan.offsetsAt(at, offsetsOfPlace);
        for (std::size_t outer = 0; !counts.input.empty() && outer < plan.groups * plan.outers;
             ++outer)
            for (const std::int64_t offset : offsetsOfPlace)
                if (offset >= 0 &&
                    counts.input[outer * plan.inputOuter + static_cast<std::uint64_t>(offset)] == 0)
                    return false;
        const std::uint64_t base = plan.outputBase(at);
        for (std::size_t channel = 0; !counts.output.empty() && channel < plan.channels();
             ++channel)
            if (counts.output[base + channel * plan.outputChannel] == 0)
                return false;
        return true;
    }

    /// Those that count of the places that are to be computed.
    void leaveOutPlaces(std::vector<std::uint64_t>& places)
    {
        counted.clear();
        for (std::size_t index = 0; index < places.size(); ++index)
            if (isCounted(places[index])) {
                places[counted.size()] = places[index];
                counted.push_back(index);
            }
        places.resize(counted.size());
        countedPlaces = countedPlaces.value_or(0) + counted.size();
        for (std::uint64_t at = 0; !options.positions.isExact() && at < plan.places; ++at)
            if (!std::ranges::binary_search(places, at) && isCounted(at))
                ++*countedPlaces;
    }

    void gatherPlaces(std::span<const float> input, std::span<const float> output)
    {
        std::vector<std::uint64_t> places = placesOf(options.positions, sample);
        if (!counts.isEmpty())
            leaveOutPlaces(places);
        for (std::size_t done = 0; done < places.size();) {
            const std::uint64_t next = plan.matrixOf(places[done]);
            if (used == sizes.positions || (used > 0 && next != matrix))
                flush();
            matrix = next;
            std::size_t end = done;
            while (end < places.size() && end - done < sizes.positions - used &&
                   plan.matrixOf(places[end]) == matrix)
                ++end;
            gather(input, output, std::span(places).subspan(done, end - done), done);
            done = end;
        }
    }

    /// [depth][weights][channels of the slice], errors behind the weight.
    void pack(std::uint64_t group, std::uint64_t first, std::uint64_t count,
              std::vector<double>& matrixValues) const
    {
        matrixValues.resize(plan.depth() * sizes.weights * count);
        const std::uint64_t base =
            matrix * plan.weightMatrix + group * plan.weightGroup + first * plan.weightChannel;
        std::vector<double> factors(count, plan.factor);
        for (std::uint64_t channel = 0; !options.channelFactors.empty() && channel < count;
             ++channel)
            factors[channel] *=
                options.channelFactors[group * plan.channelsPerGroup + first + channel];
        double* to = matrixValues.data();
        for (std::uint64_t outer = 0; outer < plan.outers; ++outer)
            for (std::uint64_t inner = 0; inner < plan.inners; ++inner) {
                const std::uint64_t from =
                    base + outer * plan.weightOuter + inner * plan.weightInner;
                for (std::uint64_t channel = 0; channel < count; ++channel)
                    *to++ = factors[channel] *
                            static_cast<double>(weightValues[from + channel * plan.weightChannel]);
                for (const std::vector<float>& rounded : quantizedWeights)
                    for (std::uint64_t channel = 0; channel < count; ++channel) {
                        const std::uint64_t at = from + channel * plan.weightChannel;
                        *to++ = factors[channel] * (static_cast<double>(rounded[at]) -
                                                    static_cast<double>(weightValues[at]));
                    }
            }
    }

    [[nodiscard]] const std::vector<double>& packedFor(std::uint64_t group, std::uint64_t slice,
                                                       std::uint64_t count)
    {
        if (packed.empty()) {
            pack(group, slice * sizes.slice, count, scratch);
            return scratch;
        }
        std::vector<double>& kept = packed[(matrix * plan.groups + group) * slices() + slice];
        if (kept.empty())
            pack(group, slice * sizes.slice, count, kept);
        return kept;
    }

    void flush()
    {
        if (used == 0)
            return;
        if (options.gramsOf)
            addGrams();
        sums.begin(used);
        for (std::uint64_t group = 0; group < plan.groups; ++group)
            for (std::uint64_t slice = 0; slice < slices(); ++slice) {
                const std::uint64_t first = slice * sizes.slice;
                const std::uint64_t count = std::min(sizes.slice, plan.channelsPerGroup - first);
                multiplySlice(group, packedFor(group, slice, count), count);
                for (std::uint64_t channel = 0; channel < count; ++channel)
                    addChannel(group * plan.channelsPerGroup + first + channel, channel, count);
            }
        sums.end();
        used = 0;
    }

    void multiplySlice(std::uint64_t group, const std::vector<double>& right, std::uint64_t count)
    {
        ProductShape shape{.rows = stride(),
                           .columns = sizes.weights * count,
                           .depth = plan.depth(),
                           .leftStride = stride(),
                           .resultStride = stride()};
        const double* const left = rows.data() + group * plan.depth() * stride();
        if (used == sizes.positions) {
            multiply(left, right.data(), shape, results.data());
            return;
        }
        shape.rows = used;
        for (std::size_t input = 0; input < sizes.inputs; ++input)
            multiply(left + input * sizes.positions, right.data(), shape,
                     results.data() + input * sizes.positions);
    }

    /// Products of an operand or its error (slot + 1) with the other; empty for one without scale.
    /// Of the positions that wait, with the decided errors of the input.
    void addGrams()
    {
        std::vector<std::size_t> positions;
        for (std::size_t i = 0; i < used; ++i)
            if (areInGrams[i])
                positions.push_back(i);
        if (positions.empty())
            return;
        grams.rows += positions.size();
        const std::size_t errorsAt =
            inputSlots.front() == notScaled ? 0 : (1 + inputSlots.front()) * sizes.positions;
        std::vector<double> values(grams.depth * positions.size());
        for (std::uint64_t group = 0; group < plan.groups; ++group) {
            double* to = values.data();
            for (std::uint64_t k = 0; k < grams.depth; ++k) {
                const double* const row = rows.data() + (group * grams.depth + k) * stride();
                for (const std::size_t position : positions)
                    *to++ = row[position] + (errorsAt == 0 ? 0.0 : row[errorsAt + position]);
            }
            addGram(values.data(), grams.depth, positions.size(), positions.size(),
                    grams.sums.data() + group * grams.depth * grams.depth);
        }
    }

    /// The lower halves, too.
    void finishGrams()
    {
        for (std::uint64_t group = 0; group < plan.groups && options.gramsOf; ++group) {
            double* const sum = grams.sums.data() + group * grams.depth * grams.depth;
            for (std::uint64_t row = 1; row < grams.depth; ++row)
                for (std::uint64_t column = 0; column < row; ++column)
                    sum[row * grams.depth + column] = sum[column * grams.depth + row];
        }
    }

    [[nodiscard]] std::span<const double> product(std::size_t input, std::size_t weightPart,
                                                  std::uint64_t channel, std::uint64_t count) const
    {
        return std::span(results).subspan(
            (weightPart * count + channel) * stride() + input * sizes.positions, used);
    }

    void addChannel(std::size_t channel, std::uint64_t inSlice, std::uint64_t count)
    {
        const std::span<const double> computed = product(0, 0, inSlice, count);
        const std::span<double> errors(error.data(), used);
        ChannelErrors all{.output = options.hasOutput ? std::span<const double>(outputs).subspan(
                                                            channel * sizes.positions, used)
                                                      : computed,
                          .computed = computed,
                          .error = errors,
                          .byInput = {},
                          .byWeight = {}};
        for (std::size_t input = 0; hasSeveral() && input < inputSlots.size(); ++input)
            for (std::size_t of = 0; of < weightSlots.size(); ++of) {
                setErrors(input, of, inSlice, count);
                for (const double one : errors)
                    noise[input][of] += one * one;
            }
        setErrors(0, 0, inSlice, count);
        if (inputSlots.front() != notScaled)
            all.byInput = product(1 + inputSlots.front(), 0, inSlice, count);
        if (weightSlots.front() != notScaled)
            all.byWeight = product(0, 1 + weightSlots.front(), inSlice, count);
        sums.add(channel, all);
        if (!unitOf.empty())
            units.add(channel, std::span(unitOf).first(used), all);
    }

    void setErrors(std::size_t input, std::size_t of, std::uint64_t channel, std::uint64_t count)
    {
        const bool hasInput = inputSlots[input] != notScaled;
        const bool hasWeight = weightSlots[of] != notScaled;
        const std::size_t inputPart = hasInput ? 1 + inputSlots[input] : 0;
        const std::size_t weightPart = hasWeight ? 1 + weightSlots[of] : 0;
        const std::span<const double> byInput = product(inputPart, 0, channel, count);
        const std::span<const double> byWeight = product(0, weightPart, channel, count);
        const std::span<const double> byBoth = product(inputPart, weightPart, channel, count);
        for (std::size_t i = 0; i < used; ++i)
            error[i] = hasInput && hasWeight ? byInput[i] + byWeight[i] + byBoth[i]
                       : hasInput            ? byInput[i]
                       : hasWeight           ? byWeight[i]
                                             : 0.0;
    }
};

LayerPass::LayerPass(LayerPlan plan, Alternatives alternatives, const Options& options)
    : m_impl(std::make_unique<Impl>(std::move(plan), std::move(alternatives), options))
{}
LayerPass::~LayerPass() = default;
LayerPass::LayerPass(LayerPass&&) noexcept = default;

void LayerPass::setWeight(std::span<const float> values, std::span<const float> rounded)
{
    m_impl->takeWeight(values, rounded);
}

void LayerPass::add(std::span<const float> input, std::span<const float> weight,
                    std::span<const float> output, const SampleCounts& counts)
{
    Impl& impl = *m_impl;
    impl.counts = counts;
    if (!impl.notFinite.empty())
        return;
    if (impl.plan.isWeightPerSample) {
        impl.flush();
        impl.takeWeight(weight);
    }
    if (!isFinite(input))
        impl.notFinite = "input";
    else if (impl.options.hasOutput && !isFinite(output))
        impl.notFinite = "output";
    if (!impl.notFinite.empty())
        return;
    impl.trackMagnitudes(input);
    impl.quantizedInputs =
        quantized(input, impl.alternatives.input, std::move(impl.quantizedInputs));
    impl.gatherPlaces(input, output);
    // Its values are gone with the next one.
    if (impl.plan.isWeightPerSample)
        impl.flush();
    ++impl.sample;
}

void LayerPass::finish()
{
    if (!m_impl->notFinite.empty())
        return;
    m_impl->flush();
    m_impl->finishGrams();
    const LayerPlan& plan = m_impl->plan;
    const std::uint64_t ofChannel = plan.samples * (plan.inputValues / plan.inputChannels());
    std::vector<double>& means = m_impl->magnitudes.mean;
    for (std::size_t channel = 0; channel < means.size(); ++channel)
        means[channel] /=
            static_cast<double>(m_impl->countedInputs.empty()
                                    ? ofChannel
                                    : std::max<std::uint64_t>(m_impl->countedInputs[channel], 1));
}

const std::string& LayerPass::notFinite() const
{
    return m_impl->notFinite;
}

void LayerPass::report(LayerResult& result, bool withChannels) const
{
    result.of = m_impl->countedPlaces.value_or(m_impl->plan.positions());
    m_impl->sums.report(result, withChannels);
    result.residual = residual();
    result.dominant = dominantChannels(m_impl->magnitudes.largest);
}

std::vector<std::vector<double>> LayerPass::sqnrDb() const
{
    const double signal = m_impl->sums.signal();
    if (!m_impl->hasSeveral())
        return {{decibels(signal, m_impl->sums.noise())}};
    std::vector<std::vector<double>> all = m_impl->noise;
    for (std::vector<double>& row : all)
        for (double& value : row)
            value = decibels(signal, value);
    return all;
}

const UnitErrors& LayerPass::units() const
{
    return m_impl->units;
}

const InputGrams& LayerPass::grams() const
{
    return m_impl->grams;
}

const InputMagnitudes& LayerPass::magnitudes() const
{
    return m_impl->magnitudes;
}

std::uint64_t LayerPass::positions() const
{
    return m_impl->sums.positions();
}

double LayerPass::signal() const
{
    return m_impl->sums.signal();
}

std::optional<double> LayerPass::residual() const
{
    return m_impl->options.hasOutput ? std::optional(m_impl->sums.residual()) : std::nullopt;
}

std::uint64_t passBytes(const LayerPlan& plan, std::size_t inputAlternatives,
                        std::size_t weightAlternatives)
{
    const PassSizes sizes = sizesOfPass(plan, inputAlternatives, weightAlternatives);
    const std::uint64_t rows =
        sizes.positions * (plan.groups * plan.depth() * sizes.inputs + plan.channels());
    const std::uint64_t results = sizes.weights * sizes.slice * sizes.inputs * sizes.positions;
    const std::uint64_t matrices =
        std::max(mostPackedBytes / sizeof(double), plan.depth() * sizes.weights * sizes.slice);
    return sizeof(float) *
               (plan.weightValues * sizes.weights + plan.inputValues * inputAlternatives) +
           sizeof(double) * (rows + results + matrices);
}

std::vector<DominantChannel> dominantChannels(std::span<const double> largest)
{
    std::vector<double> living;
    for (const double one : largest)
        if (one > 0.0)
            living.push_back(one);
    // As the diagnosis of a tensor has it (core/recipes/diagnosis.h).
    constexpr std::size_t leastChannels = 8;
    if (living.empty() || largest.size() < leastChannels)
        return {};
    const auto middle = living.begin() + static_cast<std::ptrdiff_t>((living.size() - 1) / 2);
    std::ranges::nth_element(living, middle);
    constexpr double dominates = 8.0;
    constexpr std::size_t mostTold = 16;
    std::vector<DominantChannel> channels;
    for (std::size_t channel = 0; channel < largest.size(); ++channel)
        if (largest[channel] >= dominates * *middle)
            channels.push_back({.channel = channel,
                                .absMax = largest[channel],
                                .ratio = largest[channel] / *middle});
    std::ranges::stable_sort(
        channels, [](const auto& one, const auto& other) { return one.absMax > other.absMax; });
    if (channels.size() > mostTold)
        channels.resize(mostTold);
    return channels;
}

}  // namespace calibscope::layers
