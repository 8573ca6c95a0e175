// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/improvements.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/layers/found_layers.h"
#include "core/layers/layer_decisions.h"
#include "core/layers/layer_reading.h"
#include "core/layers/wanted_layers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace calibscope::layers {

namespace {

std::uint64_t outputChannelsOf(const FoundLayer& layer, const TensorInfo& output)
{
    const std::size_t rank = output.shape.size();
    if (rank < 2)
        return 0;
    if (layer.op == "Conv" || layer.op == "ConvTranspose")
        return output.shape[1];
    return layer.isWeightFirst ? output.shape[rank - 2] : output.shape.back();
}

/// Outputs of one channel of a sample: 0 where that is not known.
std::uint64_t positionsOfSample(const FoundLayer& layer, std::span<const TensorInfo> tensors)
{
    if (!layer.output)
        return 0;
    const TensorInfo& output = tensors[*layer.output];
    const std::uint64_t channels = outputChannelsOf(layer, output);
    return channels == 0 || output.shape[0] == 0 ? 0
                                                 : output.valueCount() / output.shape[0] / channels;
}

std::uint64_t calibratingPositions(const FoundLayer& layer, std::span<const TensorInfo> tensors,
                                   SplitRule heldOut)
{
    if (!layer.output || tensors[*layer.output].shape.empty())
        return 0;
    const SampleSplit split{.heldOut = heldOut, .samples = tensors[*layer.output].shape[0]};
    return split.calibrating() * positionsOfSample(layer, tensors);
}

/// Which layers have few positions, and their share of all multiplications.
struct FewPositions
{
    bool isSmallShare = false;
    double share = 0.0;
};

FewPositions fewPositionsIn(std::span<const TensorInfo> tensors, SplitRule heldOut)
{
    std::uint64_t all = 0;
    std::uint64_t few = 0;
    for (const FoundLayer& layer : foundLayers(tensors)) {
        const std::uint64_t cost = multiplicationsOf(layer, tensors);
        all += cost;
        if (calibratingPositions(layer, tensors, heldOut) < fewPositions)
            few += cost;
    }
    constexpr double smallShare = 0.01;
    const double share = all == 0 ? 1.0 : static_cast<double>(few) / static_cast<double>(all);
    return {.isSmallShare = share < smallShare, .share = share};
}

/// The distance of neighbouring sums of an output channel in integers; nothing where an operand has
/// no scale or the input several.
std::optional<double> stepOf(std::size_t channel, const std::optional<TensorQuantization>& input,
                             const std::optional<TensorQuantization>& weight)
{
    if (!input || !weight || input->axis)
        return std::nullopt;
    return static_cast<double>(input->scales.front()) *
           static_cast<double>(weight->scales[channel % weight->scales.size()]);
}

/// One layer on its way through its remedies.
class LayerRemedies
{
public:
    LayerRemedies(const LayerReading& reading, std::optional<TensorQuantization> input,
                  std::optional<TensorQuantization> weight, const ImproveOptions& options,
                  LayerImprovement& result)
        : m_reading(reading),
          m_input(std::move(input)),
          m_weight(std::move(weight)),
          m_options(options),
          m_result(result),
          m_split{.heldOut = options.heldOut, .samples = reading.plan().samples}
    {}

    void compute(const FewPositions& few)
    {
        const LayerPass pass =
            m_reading.passed({.input = {m_reading.appliedToInput(m_input)},
                              .weight = {m_reading.appliedToWeight(m_weight)}},
                             {}, unitsPerSample(m_split.samples, m_reading.positions().perSample));
        pass.report(m_result.decided, false);
        addReadingNotes(m_reading, m_options.layers, m_result.decided);
        m_units = &pass.units();
        m_start = m_noise = m_units->noiseWith();
        m_result.rows.push_back(row("decided", "", m_noise));
        if (asks(Remedy::Precision))
            keepFloat(few);
        if (asks(Remedy::Bias) && !m_result.isFloat)
            moveBias();
        addAll();
    }

private:
    [[nodiscard]] bool asks(Remedy remedy) const { return m_options.remedies.contains(remedy); }

    [[nodiscard]] RemedyResult row(std::string remedy, std::string setting,
                                   const UnitNoise& errors) const
    {
        return {.remedy = std::move(remedy),
                .setting = std::move(setting),
                .calibrationDb = m_units->sqnrDb(errors, m_split, true),
                .heldOutDb = m_units->sqnrDb(errors, m_split, false)};
    }

    /// A row with its gains over other errors.
    [[nodiscard]] RemedyResult gainedRow(std::string remedy, std::string setting,
                                         const UnitNoise& errors, const UnitNoise& before) const
    {
        RemedyResult result = row(std::move(remedy), std::move(setting), errors);
        const RemedyResult from = row("", "", before);
        if (!result.heldOutDb)
            return result;
        const auto difference = [](double to, double value) {
            return to == value ? 0.0 : to - value;
        };
        result.gainDb = difference(*result.heldOutDb, *from.heldOutDb);
        result.intervalDb = m_units->gainInterval(before, errors, m_split);
        result.overfitDb =
            difference(difference(*result.calibrationDb, *from.calibrationDb), *result.gainDb);
        return result;
    }

    void keepFloat(const FewPositions& few)
    {
        if (m_result.positions >= fewPositions)
            return;
        RemedyResult result{.remedy = "precision", .setting = few.isSmallShare ? "float" : "int8"};
        result.notes.push_back(countText(m_result.positions, "position", "positions") +
                               " in calibration, fewer than " + std::to_string(fewPositions));
        if (few.isSmallShare) {
            result.isChosen = true;
            result.changes = "`" + m_result.decided.layer + "` stays float";
            m_result.isFloat = true;
        } else {
            result.notes.push_back("stays int8: layers with few positions have " +
                                   numberText(std::round(few.share * 1000.0) / 10.0) +
                                   " % of the multiplications, and up to 1 % would stay float");
        }
        m_result.rows.push_back(std::move(result));
    }

    void moveBias()
    {
        if (m_reading.plan().isWeightPerSample)
            return addReason("bias", "its second operand is an activation");
        if (m_result.positions < leastBiasPositions)
            return addReason("bias", countText(m_result.positions, "position", "positions") +
                                         " in calibration, fewer than " +
                                         std::to_string(leastBiasPositions));
        const std::vector<double> shift = surelyMoved(m_units->meanShift(m_split));
        const UnitNoise after = m_units->noiseWith(shift);
        RemedyResult result = gainedRow("bias", "local", after, m_noise);
        const auto moved = std::ranges::count_if(shift, [](double by) { return by != 0.0; });
        if (moved > 0)
            result.changes = biasText(shift, static_cast<std::uint64_t>(moved));
        else
            result.notes.emplace_back("no channel's mean error is twice its standard error");
        result.isChosen = moved > 0 && isSureGain(result);
        if (result.isChosen) {
            m_result.biasShift = shift;
            m_noise = after;
        }
        if (m_reading.hasRoughInput())
            result.notes.emplace_back("recorded in 16 bits");
        m_result.rows.push_back(std::move(result));
    }

    /// More held out than half its interval.
    [[nodiscard]] static bool isSureGain(const RemedyResult& result)
    {
        return result.gainDb && *result.gainDb > result.intervalDb.value_or(0.0);
    }

    void addReason(const char* remedy, std::string why)
    {
        RemedyResult& result = m_result.rows.emplace_back();
        result.remedy = remedy;
        result.notes.push_back(std::move(why));
    }

    [[nodiscard]] std::string biasText(std::span<const double> shift, std::uint64_t moved) const
    {
        double most = 0.0;
        bool hasSteps = true;
        for (std::size_t channel = 0; channel < shift.size(); ++channel) {
            const auto step = stepOf(channel, m_input, m_weight);
            hasSteps = hasSteps && step;
            most = std::max(most, std::abs(shift[channel]) / step.value_or(1.0));
        }
        return "bias of `" + m_result.decided.layer +
               "`: " + countText(moved, "channel", "channels") + " moved by at most " +
               (hasSteps ? countText(static_cast<std::uint64_t>(std::ceil(most)), "step", "steps")
                         : numberText(most));
    }

    void addAll()
    {
        if (m_result.isFloat) {
            m_result.rows.push_back(
                {.remedy = "all", .setting = "float", .isChosen = m_result.isImproved()});
            return;
        }
        RemedyResult result = gainedRow("all", "", m_noise, m_start);
        result.isChosen = m_result.isImproved();
        m_result.rows.push_back(std::move(result));
    }

    const LayerReading& m_reading;
    std::optional<TensorQuantization> m_input;
    std::optional<TensorQuantization> m_weight;
    const ImproveOptions& m_options;
    LayerImprovement& m_result;
    SampleSplit m_split;
    const UnitErrors* m_units = nullptr;
    UnitNoise m_start;  ///< as decided
    UnitNoise m_noise;  ///< under what was chosen so far
};

LayerImprovement improved(const LayerDump& dump, const FoundLayer& layer,
                          const LayerDecisions& decisions, const FewPositions& few,
                          const ImproveOptions& options, const Progress& progress)
{
    LayerImprovement result{.decided = decisions.begun(layer)};
    result.positions = calibratingPositions(layer, dump.tensors(), options.heldOut);
    result.multiplications = multiplicationsOf(layer, dump.tensors());
    const std::optional<std::string> problem = inputProblem([&] {
        if (!layer.whyNot.empty())
            throw Error(Fault::Input, layer.whyNot);
        if (!result.decided.input.isDecided() && !result.decided.weight.isDecided())
            throw Error(Fault::Input, "neither operand has a decision");
        const OperandDecision input = decisions.of(*layer.input.tensor);
        const OperandDecision weight = decisions.of(*layer.weight.tensor);
        const LayerReading reading(dump, layer, options.layers, progress);
        result.columns = reading.plan().depth();
        LayerRemedies(reading, scaleOf(input), scaleOf(weight), options, result).compute(few);
        std::ranges::copy(notesOf(input), std::back_inserter(result.decided.notes));
        std::ranges::copy(notesOf(weight), std::back_inserter(result.decided.notes));
    });
    if (problem) {
        result.decided.whyNot = *problem;
        result.rows = {{.remedy = "decided", .setting = {}}};
        result.isFloat = false;
        result.biasShift.clear();
    }
    return result;
}

}  // namespace

const std::vector<std::string_view>& remedyWords()
{
    static const std::vector<std::string_view> words{"precision", "channels", "bias"};
    return words;
}

std::uint64_t multiplicationsOf(const FoundLayer& layer, std::span<const TensorInfo> tensors)
{
    if (!layer.output || !layer.weight.tensor || layer.isWeightPerSample)
        return 0;
    const TensorInfo& output = tensors[*layer.output];
    const TensorInfo& weight = tensors[*layer.weight.tensor];
    const std::uint64_t channels = outputChannelsOf(layer, output);
    const std::size_t rank = weight.shape.size();
    if (channels == 0 || rank < 2 || output.shape[0] == 0)
        return 0;
    if (layer.op == "ConvTranspose") {
        if (!layer.input.tensor || weight.shape[0] == 0)
            return 0;
        // Each value of the input meets all weights of its channel.
        const TensorInfo& input = tensors[*layer.input.tensor];
        return input.valueCount() / output.shape[0] * (weight.valueCount() / weight.shape[0]);
    }
    std::uint64_t depth = weight.valueCount() / channels;
    if (layer.op == "MatMul")
        depth = layer.isWeightFirst ? weight.shape.back() : weight.shape[rank - 2];
    return output.valueCount() / output.shape[0] * depth;
}

std::vector<double> surelyMoved(const ChannelShift& shift)
{
    std::vector<double> sure = shift.shift;
    for (std::size_t channel = 0; channel < sure.size(); ++channel)
        if (!(std::abs(sure[channel]) >= 2.0 * shift.standardError[channel]))
            sure[channel] = 0.0;
    return sure;
}

ImprovementReport improvements(const LayerDump& dump, std::span<const DecidedTensor> decided,
                               const ImproveOptions& options, const Progress& progress)
{
    ImprovementReport report{.dump = dump.path(), .layers = {}};
    const std::vector<FoundLayer> found = wantedLayers(dump.tensors(), options.layers);
    const LayerDecisions decisions(dump, decided);
    const FewPositions few = fewPositionsIn(dump.tensors(), options.heldOut);
    std::vector<LayerImprovement> results(found.size());
    eachLayer(
        found, dump.tensors(), options.layers, progress,
        [&](std::size_t index, const Progress& steps) {
            results[index] = improved(dump, found[index], decisions, few, options, steps);
        },
        [&](std::size_t index) { report.layers.push_back(std::move(results[index])); });
    return report;
}

}  // namespace calibscope::layers
