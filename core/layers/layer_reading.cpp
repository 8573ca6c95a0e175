// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_reading.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/collect/sample_reader.h"
#include "core/layers/find_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace calibscope::layers {

namespace {

[[noreturn]] void refuseLayer(const std::string& why)
{
    throw Error(Fault::Input, why);
}

/// The tensor with its axes as in the file and samples along the first one.
TensorInfo bySample(TensorInfo info)
{
    if (info.batchAxis != 0)
        info.batchSize = 0;
    info.batchAxis = 0;
    return info;
}

std::vector<float> firstSamples(const LayerDump& dump, const TensorInfo& tensor,
                                std::uint64_t samples, const Progress& progress)
{
    TensorInfo info = tensor;
    info.mask.reset();  // an output is computed from all values
    info.batchAxis = 0;
    info.batchSize = 1;
    return readAll(dump.source(info, samples), progress);
}

std::vector<std::uint64_t> sampleShape(const TensorInfo& tensor)
{
    return {tensor.shape.begin() + 1, tensor.shape.end()};
}

std::string mebibytes(std::uint64_t bytes)
{
    return std::to_string((bytes >> 20U) + 1) + " MiB";
}

bool hasFewDigits(const TensorInfo& tensor)
{
    using enum ElementKind;
    constexpr std::array few{Float16,    Bfloat16,       Float8E4m3fn,   Float8E5m2,
                             Float8E4m3, Float8E4m3fnuz, Float8E5m2fnuz, Float8E4m3b11fnuz};
    return tensor.elementType && std::ranges::find(few, *tensor.elementType) != few.end();
}

}  // namespace

LayerReading::LayerReading(const LayerDump& dump, const FoundLayer& layer,
                           const LayerOptions& options, const Progress& progress)
    : m_dump(dump), m_layer(layer), m_options(options), m_progress(progress)
{
    if (!layer.whyNot.empty())
        refuseLayer(layer.whyNot);
    for (const TensorInfo* each : {&input(), &secondOperand()})
        requireReadable(*each);
    m_hasOutput = output().isReadable();
    if (input().shape.empty() || output().shape.empty())
        refuseLayer("its input or its output is a scalar");
    checkSamples();
    if (layer.isWeightPerSample && secondOperand().mask)
        refuseLayer("its second operand " + secondOperand().name +
                    " has a mask, by which its products can't be left out; record the result with "
                    "a mask and the operand without");
    m_shapes = {.op = layer.op,
                .input = input().shape,
                .weight = secondOperand().shape,
                .output = output().shape,
                .isWeightPerSample = layer.isWeightPerSample,
                .isWeightFirst = layer.isWeightFirst};
    if (!layer.isWeightPerSample) {
        const std::uint64_t bytes = secondOperand().valueCount() * sizeof(float);
        if (bytes > options.memoryBytes)
            refuseLayer("its weight takes " + mebibytes(bytes) + ", more than the " +
                        mebibytes(options.memoryBytes) + " that a layer may take");
        if (options.begins)
            options.begins(secondOperand());
        TensorInfo info = secondOperand();
        info.batchAxis.reset();
        info.batchSize = 0;
        m_weight = readAll(dump.source(info), progress);
    }
    setGeometry();
}

const TensorInfo& LayerReading::tensor(std::optional<std::size_t> place) const
{
    return m_dump.tensors().at(place.value());
}

void LayerReading::requireReadable(const TensorInfo& info) const
{
    if (!info.isReadable())
        refuseLayer(info.name + " can't be read: " + info.unreadable.sentence);
    if (info.valueCount() == 0)
        refuseLayer(info.name + " has no values");
}

/// Of each only some samples may have been kept.
void LayerReading::checkSamples() const
{
    const auto require = [&](const TensorInfo& operand) {
        if (operand.shape[0] != output().shape[0])
            refuseLayer(operand.name + " has " + countText(operand.shape[0], "sample", "samples") +
                        ", the output " + std::to_string(output().shape[0]));
        if (operand.samples != output().samples)
            refuseLayer(operand.name + " was kept for other samples than the output");
    };
    require(input());
    if (m_layer.isWeightPerSample && !secondOperand().shape.empty())
        require(secondOperand());
}

void LayerReading::setGeometry()
{
    const OpGeometry& recorded = output().geometry;
    const bool isKnown = recorded.isRecorded() || m_layer.op == "MatMul";
    OpGeometry geometry = recorded;
    if (!isKnown)
        geometry = foundGeometry();
    PlannedLayer planned = planLayer(m_shapes, geometry);
    if (!planned.whyNot.empty())
        refuseLayer(planned.whyNot);
    m_plan = std::move(planned.plan);
    const bool needsNone = m_layer.op == "MatMul";
    geometry.group = static_cast<std::int64_t>(m_plan.groups);
    if (!needsNone)
        m_attributes =
            isKnown ? "recorded" : "found by recomputing: " + geometryText(m_shapes, geometry);
}

OpGeometry LayerReading::foundGeometry() const
{
    if (!m_hasOutput)
        refuseLayer("its attributes were not recorded, and without a readable output they can't be "
                    "found");
    // Of outputs of one place a few samples more.
    constexpr std::uint64_t enoughPlaces = 16;
    const std::uint64_t perSample =
        std::max<std::uint64_t>(output().valueCount() / output().shape[0] /
                                    std::max<std::uint64_t>(output().channelCount(), 1),
                                1);
    const std::uint64_t samples = std::min<std::uint64_t>(
        std::max<std::uint64_t>(enoughPlaces / perSample, 2), output().shape[0]);
    const std::uint64_t bytes =
        sizeof(float) * samples *
        (input().valueCount() / input().shape[0] + output().valueCount() / output().shape[0]);
    if (bytes > m_options.memoryBytes)
        refuseLayer("two samples take " + mebibytes(bytes) + ", more than the " +
                    mebibytes(m_options.memoryBytes) + " that a layer may take");
    const std::vector<float> inputs = firstSamples(m_dump, input(), samples, m_progress);
    const std::vector<float> outputs = firstSamples(m_dump, output(), samples, m_progress);
    const std::optional<OpGeometry> found = findGeometry(
        m_shapes, {.samples = samples, .input = inputs, .weight = m_weight, .output = outputs},
        residualLimit());
    if (!found) {
        const PlannedLayer planned = planLayer(m_shapes, {});
        refuseLayer("its attributes were not recorded, and none that fit " +
                    shapeText(m_shapes.input) + ", " + shapeText(m_shapes.weight) + " and " +
                    shapeText(m_shapes.output) +
                    " give the recorded output: other samples, or an op in between" +
                    (planned.whyNot.empty() ? "" : " (by defaults: " + planned.whyNot + ")"));
    }
    return *found;
}

bool LayerReading::hasRoughInput() const
{
    return hasFewDigits(input());
}

std::vector<std::string> LayerReading::maskNotes() const
{
    std::vector<std::string> notes;
    for (const TensorInfo* operand : {&input(), &output()})
        if (operand->mask)
            notes.push_back(operand->name + ": " + maskText(*operand));
    return notes;
}

double LayerReading::residualLimit() const
{
    constexpr double ofFloat32 = 1e-3;
    constexpr double ofFewDigits = 1e-2;
    const bool isRough =
        hasFewDigits(input()) || hasFewDigits(secondOperand()) || hasFewDigits(output());
    return isRough ? ofFewDigits : ofFloat32;
}

void LayerReading::requireRoom(std::size_t inputs, std::size_t weights,
                               std::uint64_t unitsPerSample) const
{
    std::uint64_t bytes =
        passBytes(m_plan, inputs, weights) + SampleReader::bytesFor(m_plan.inputValues);
    if (m_hasOutput)
        bytes += SampleReader::bytesFor(m_plan.outputValues);
    if (m_plan.isWeightPerSample)
        bytes += SampleReader::bytesFor(m_plan.weightValues);
    bytes += UnitErrors::bytesFor(m_plan.samples * unitsPerSample, m_plan.channels());
    if (bytes > m_options.memoryBytes)
        refuseLayer("one sample with the weight takes " + mebibytes(bytes) + ", more than the " +
                    mebibytes(m_options.memoryBytes) + " that a layer may take");
}

std::optional<AppliedScale>
LayerReading::appliedToInput(const std::optional<TensorQuantization>& scale) const
{
    if (!scale)
        return std::nullopt;
    AppliedScale applied{.scale = *scale};
    if (scale->axis)
        applied.axis = axisWithin(sampleShape(input()), *scale->axis - 1);
    return applied;
}

std::optional<AppliedScale>
LayerReading::appliedToWeight(const std::optional<TensorQuantization>& scale) const
{
    if (!scale)
        return std::nullopt;
    AppliedScale applied{.scale = *scale};
    if (scale->axis)
        applied.axis = m_plan.isWeightPerSample
                           ? axisWithin(sampleShape(secondOperand()), *scale->axis - 1)
                           : scale->axisIn(secondOperand().shape);
    return applied;
}

std::vector<double> LayerReading::weightRanges(bool ofInputs) const
{
    const LayerPlan& plan = m_plan;
    std::vector<double> ranges(ofInputs ? plan.inputChannels() : plan.channels(), 0.0);
    for (std::uint64_t group = 0; group < plan.groups; ++group)
        for (std::uint64_t outer = 0; outer < plan.outers; ++outer)
            for (std::uint64_t inner = 0; inner < plan.inners; ++inner)
                for (std::uint64_t channel = 0; channel < plan.channelsPerGroup; ++channel) {
                    const float value =
                        m_weight[group * plan.weightGroup + outer * plan.weightOuter +
                                 inner * plan.weightInner + channel * plan.weightChannel];
                    double& range = ranges[ofInputs ? group * plan.outers + outer
                                                    : group * plan.channelsPerGroup + channel];
                    range = std::max(range, static_cast<double>(std::abs(value)));
                }
    return ranges;
}

std::vector<float> LayerReading::weightTimes(const OperandFactors& factors) const
{
    std::vector<float> weight = m_weight;
    const LayerPlan& plan = m_plan;
    for (std::uint64_t group = 0; group < plan.groups; ++group)
        for (std::uint64_t outer = 0; outer < plan.outers; ++outer)
            for (std::uint64_t inner = 0; inner < plan.inners; ++inner)
                for (std::uint64_t channel = 0; channel < plan.channelsPerGroup; ++channel) {
                    float& value = weight[group * plan.weightGroup + outer * plan.weightOuter +
                                          inner * plan.weightInner + channel * plan.weightChannel];
                    if (!factors.weightInput.empty())
                        value *= factors.weightInput[group * plan.outers + outer];
                    if (!factors.weightOutput.empty())
                        value *= factors.weightOutput[group * plan.channelsPerGroup + channel];
                }
    return weight;
}

PositionPlan LayerReading::positions() const
{
    return planPositions(m_plan.samples, m_plan.places, m_options.positions, m_options.seed);
}

LayerPass LayerReading::passed(Alternatives alternatives, const OperandFactors& factors,
                               const PassExtras& extras) const
{
    requireRoom(alternatives.input.size(), alternatives.weight.size(), extras.unitsPerSample);
    LayerPass pass(m_plan, std::move(alternatives),
                   {.positions = positions(),
                    .hasOutput = m_hasOutput,
                    .channelFactors = factors.output,
                    .unitsPerSample = extras.unitsPerSample,
                    .gramsOf = extras.gramsOf});
    std::vector<float> weight;
    const bool isScaled = !factors.weightInput.empty() || !factors.weightOutput.empty();
    if (isScaled)
        weight = weightTimes(factors);
    if (!m_plan.isWeightPerSample)
        pass.setWeight(isScaled ? weight : m_weight, extras.rounded);
    const auto readerOf = [&](const TensorInfo& info) {
        if (m_options.begins)
            m_options.begins(info);
        return std::make_unique<SampleReader>(m_dump.source(bySample(info)), m_progress);
    };
    const auto inputs = readerOf(input());
    const auto outputs = m_hasOutput ? readerOf(output()) : nullptr;
    const auto weights = m_plan.isWeightPerSample ? readerOf(secondOperand()) : nullptr;
    std::vector<float> scaled;
    const ChannelAxis axis = m_plan.inputChannelAxis();
    for (std::uint64_t sample = 0; sample < m_plan.samples; ++sample) {
        std::span<const float> values = inputs->next();
        if (!factors.input.empty()) {
            scaled.assign(values.begin(), values.end());
            for (std::size_t i = 0; i < scaled.size(); ++i)
                scaled[i] *= factors.input[i / axis.run % axis.channels];
            values = scaled;
        }
        const std::span<const float> weightValues =
            weights ? weights->next() : std::span<const float>();
        const std::span<const float> outputValues =
            outputs ? outputs->next() : std::span<const float>();
        pass.add(values, weightValues, outputValues,
                 {.input = inputs->counts(),
                  .output = outputs ? outputs->counts() : std::span<const std::uint8_t>()});
        m_progress.step(sample + 1, m_plan.samples, "samples");
    }
    pass.finish();
    check(pass);
    return pass;
}

void LayerReading::check(const LayerPass& pass) const
{
    if (!pass.notFinite().empty()) {
        const TensorInfo& bad = pass.notFinite() == "input"    ? input()
                                : pass.notFinite() == "weight" ? secondOperand()
                                                               : output();
        refuseLayer(bad.name + " holds NaN or infinite values");
    }
    if (pass.positions() == 0)
        refuseLayer("of its positions that are computed none counts; raise their number");
    const std::optional<double> residual = pass.residual();
    if (residual && !(*residual <= residualLimit()))
        refuseLayer(
            "these operands do not give the recorded output: other samples, other attributes, "
            "or an op in between (residual " +
            fmt::format("{:.3g}", *residual) + ")");
}

}  // namespace calibscope::layers
