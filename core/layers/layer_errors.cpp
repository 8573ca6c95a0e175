// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_errors.h"

#include "core/base/error.h"
#include "core/layers/found_layers.h"
#include "core/layers/layer_decisions.h"
#include "core/layers/layer_reading.h"
#include "core/layers/wanted_layers.h"
#include "core/recipes/candidates.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace calibscope::layers {

namespace {

/// Runs `compute`, whose Error(Input) is the reason why there are no numbers.
template <class Compute>
void orWhyNot(LayerResult& result, Compute compute)
{
    const std::optional<std::string> problem = inputProblem([&] { compute(); });
    if (problem)
        result.whyNot = *problem;
}

LayerResult computed(const LayerDump& dump, const FoundLayer& layer,
                     const LayerDecisions& decisions, const LayerOptions& options,
                     const Progress& progress)
{
    LayerResult result = decisions.begun(layer);
    orWhyNot(result, [&] {
        if (!layer.whyNot.empty())
            throw Error(Fault::Input, layer.whyNot);
        if (!result.input.isDecided() && !result.weight.isDecided())
            throw Error(Fault::Input, "neither operand has a decision");
        const OperandDecision input = decisions.of(*layer.input.tensor);
        const OperandDecision weight = decisions.of(*layer.weight.tensor);
        const auto inputScale = scaleOf(input);
        const auto weightScale = scaleOf(weight);
        const LayerReading reading(dump, layer, options, progress);
        result.attributes = reading.attributes();
        const LayerPass pass = reading.passed({.input = {reading.appliedToInput(inputScale)},
                                               .weight = {reading.appliedToWeight(weightScale)}});
        pass.report(result, options.withChannels);
        result.notes = notesOf(input);
        std::ranges::copy(notesOf(weight), std::back_inserter(result.notes));
        addReadingNotes(reading, options, result);
    });
    return result;
}

/// The candidates on one operand beside what was decided.
class TriedOperand
{
public:
    TriedOperand(const LayerDump& dump, std::size_t tensor, const OperandDecision& decision,
                 const LayerOperand& operand, const OperandCandidates& candidatesOf)
    {
        m_scales.push_back(scaleOf(decision));
        for (OperandCandidate& candidate : candidatesOf(dump.tensors()[tensor]))
            add(candidate, decision.decided != nullptr && candidate.id == operand.candidate);
        const bool hasDecided =
            std::ranges::any_of(m_effects, [](const auto& effect) { return effect.isDecided; });
        if (operand.isDecided() && !hasDecided) {
            m_effects.insert(
                m_effects.begin(),
                {.candidate = operand.candidate, .label = operand.label, .isDecided = true});
            m_placesOf.insert(m_placesOf.begin(), 0);
        }
    }

    /// What was decided, or nothing for float, then the candidates that can be applied.
    [[nodiscard]] const std::vector<std::optional<TensorQuantization>>& scales() const
    {
        return m_scales;
    }
    [[nodiscard]] std::vector<CandidateEffect>& effects() { return m_effects; }
    /// Of an effect among the scales; nothing: it can't be applied.
    [[nodiscard]] std::optional<std::size_t> placeOf(std::size_t effect) const
    {
        return m_placesOf[effect];
    }

private:
    void add(const OperandCandidate& candidate, bool isDecided)
    {
        CandidateEffect effect{
            .candidate = candidate.id, .label = candidate.label, .isDecided = isDecided};
        std::optional<std::size_t> place;
        const auto problem = inputProblem([&] {
            if (!isDecided)
                m_scales.push_back(operandScale(candidate.tensor));
            place = isDecided ? 0 : m_scales.size() - 1;
        });
        effect.problem = problem.value_or("");
        m_effects.push_back(std::move(effect));
        m_placesOf.push_back(place);
    }

    std::vector<std::optional<TensorQuantization>> m_scales;
    std::vector<CandidateEffect> m_effects;
    std::vector<std::optional<std::size_t>> m_placesOf;  ///< of each effect
};

double differenceDb(double value, double to)
{
    return value == to ? 0.0 : value - to;  // of two infinities, too
}

/// Sets the effects of one operand's candidates, `sqnr` of each scale.
template <class Sqnr>
void setEffects(TriedOperand& tried, double decidedDb, Sqnr sqnr)
{
    for (std::size_t effect = 0; effect < tried.effects().size(); ++effect)
        if (const auto place = tried.placeOf(effect)) {
            const double value = sqnr(*place);
            tried.effects()[effect].outputSqnrDb = value;
            tried.effects()[effect].differenceDb = differenceDb(value, decidedDb);
        }
}

void setBest(TriedOperand& input, TriedOperand& weight,
             const std::vector<std::vector<double>>& sqnr, LayerCandidates& result)
{
    for (std::size_t one = 0; one < input.effects().size(); ++one)
        for (std::size_t other = 0; other < weight.effects().size(); ++other) {
            const auto inputPlace = input.placeOf(one);
            const auto weightPlace = weight.placeOf(other);
            if (!inputPlace || !weightPlace)
                continue;
            const double value = sqnr[*inputPlace][*weightPlace];
            if (result.bestSqnrDb && value <= *result.bestSqnrDb)
                continue;
            result.bestInput = one;
            result.bestWeight = other;
            result.bestSqnrDb = value;
            result.bestDifferenceDb = differenceDb(value, sqnr[0][0]);
        }
}

}  // namespace

std::set<std::string> operandPaths(std::span<const TensorInfo> tensors)
{
    const NamedTensors names(tensors);
    std::set<std::string> paths;
    for (const FoundLayer& layer : foundLayers(tensors)) {
        if (!layer.whyNot.empty())
            continue;
        for (const std::size_t operand : {*layer.input.tensor, *layer.weight.tensor}) {
            paths.insert(tensors[operand].path);
            for (const std::size_t before : movedFrom(names, operand))
                paths.insert(tensors[before].path);
        }
    }
    return paths;
}

std::vector<std::string> layerNames(std::span<const TensorInfo> tensors,
                                    const LayerOptions& options)
{
    std::vector<std::string> names;
    for (const FoundLayer& layer : wantedLayers(tensors, options))
        names.push_back(layer.name);
    return names;
}

std::vector<std::string> missingLayers(std::span<const TensorInfo> tensors,
                                       const LayerOptions& options)
{
    std::set<std::string> missing = options.layers;
    for (const FoundLayer& layer : foundLayers(tensors)) {
        missing.erase(layer.name);
        if (layer.output)
            missing.erase(tensors[*layer.output].path);
    }
    return {missing.begin(), missing.end()};
}

std::string whyNoLayers(std::span<const TensorInfo> tensors)
{
    if (!foundLayers(tensors).empty())
        return {};
    if (tensors.empty())
        return "no layers: it holds no tensor";
    std::set<std::string> ops;
    for (const TensorInfo& tensor : tensors)
        ops.insert(tensor.op);
    ops.erase(std::string());
    if (ops.empty())
        return "no layers: the operators that made its tensors were not recorded (attributes "
               "op_type and inputs)";
    return fmt::format("no layers: the recorded operators are {}, and layers are Conv, "
                       "ConvTranspose, Gemm and MatMul",
                       fmt::join(ops, ", "));
}

LayerReport layerReport(const LayerDump& dump, std::span<const DecidedTensor> decided,
                        const LayerOptions& options, const Progress& progress)
{
    LayerReport report{.dump = dump.path(), .seed = options.seed, .layers = {}};
    const std::vector<FoundLayer> found = wantedLayers(dump.tensors(), options);
    const LayerDecisions decisions(dump, decided);
    std::vector<LayerResult> results(found.size());
    eachLayer(
        found, dump.tensors(), options, progress,
        [&](std::size_t index, const Progress& steps) {
            results[index] = computed(dump, found[index], decisions, options, steps);
        },
        [&](std::size_t index) { report.layers.push_back(std::move(results[index])); });
    return report;
}

LayerCandidates layerCandidates(const LayerDump& dump, const std::string& layer,
                                std::span<const DecidedTensor> decided,
                                const OperandCandidates& candidatesOf, const LayerOptions& options,
                                const Progress& progress)
{
    LayerOptions one = options;
    one.layers = {layer};
    const std::vector<FoundLayer> found = wantedLayers(dump.tensors(), one);
    if (found.empty())
        throw Error(Fault::Input, "{}: there is no layer {}", dump.path(), layer);
    const LayerDecisions decisions(dump, decided);
    LayerCandidates result{.decided = decisions.begun(found.front()), .input = {}, .weight = {}};
    orWhyNot(result.decided, [&] {
        const LayerReading reading(dump, found.front(), options, progress);
        result.decided.attributes = reading.attributes();
        const std::size_t inputTensor = *found.front().input.tensor;
        const std::size_t weightTensor = *found.front().weight.tensor;
        TriedOperand input(dump, inputTensor, decisions.of(inputTensor), result.decided.input,
                           candidatesOf);
        TriedOperand weight(dump, weightTensor, decisions.of(weightTensor), result.decided.weight,
                            candidatesOf);
        Alternatives alternatives;
        for (const auto& scale : input.scales())
            alternatives.input.push_back(reading.appliedToInput(scale));
        for (const auto& scale : weight.scales())
            alternatives.weight.push_back(reading.appliedToWeight(scale));
        const LayerPass pass = reading.passed(std::move(alternatives));
        pass.report(result.decided, options.withChannels);
        addReadingNotes(reading, options, result.decided);
        const std::vector<std::vector<double>> sqnr = pass.sqnrDb();
        setEffects(input, sqnr[0][0], [&](std::size_t place) { return sqnr[place][0]; });
        setEffects(weight, sqnr[0][0], [&](std::size_t place) { return sqnr[0][place]; });
        setBest(input, weight, sqnr, result);
        result.input = std::move(input.effects());
        result.weight = std::move(weight.effects());
    });
    return result;
}

}  // namespace calibscope::layers
