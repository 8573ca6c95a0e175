// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/collect/at_once.h"
#include "core/layers/calibrated_anew.h"
#include "core/layers/found_layers.h"
#include "core/layers/layer_decisions.h"
#include "core/layers/layer_errors.h"
#include "core/layers/layer_reading.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace calibscope::layers {

namespace {

[[noreturn]] void refusePair(const std::string& why)
{
    throw Error(Fault::Input, why);
}

/// f(s x) = s f(x) for s above 0.
bool isHomogeneous(const TensorInfo& made)
{
    return made.op == "Relu" || made.op == "LeakyRelu" || onlyMovesValues(made);
}

struct LayerPair
{
    const FoundLayer* first = nullptr;
    const FoundLayer* second = nullptr;
    std::vector<std::size_t> between;  ///< from the first layer's output to the second's input
};

/// Layers with nothing between them but what equalizing passes through.
class PairSearch
{
public:
    PairSearch(std::span<const TensorInfo> tensors, const std::vector<FoundLayer>& layers)
        : m_tensors(tensors), m_names(tensors), m_layers(layers)
    {
        for (const FoundLayer& layer : layers)
            if (layer.output)
                m_layerAt.emplace(*layer.output, &layer);
        for (const TensorInfo& tensor : tensors)
            for (const std::string& name : tensor.inputs)
                if (const auto input = m_names.activation(name))
                    ++m_uses[*input];
    }

    [[nodiscard]] std::vector<LayerPair> pairs() const
    {
        std::vector<LayerPair> found;
        for (const FoundLayer& layer : m_layers)
            if (layer.whyNot.empty() && !layer.isWeightPerSample)
                if (std::optional<LayerPair> pair = endingAt(layer))
                    found.push_back(*std::move(pair));
        return found;
    }

    /// What else takes one of the tensors between; empty: nothing that was recorded.
    [[nodiscard]] std::string otherUse(const LayerPair& pair) const
    {
        for (const std::size_t tensor : pair.between)
            if (const auto uses = m_uses.find(tensor); uses != m_uses.end() && uses->second > 1)
                return m_tensors[tensor].name + " feeds other ops, too";
        return {};
    }

private:
    [[nodiscard]] std::optional<LayerPair> endingAt(const FoundLayer& second) const
    {
        constexpr std::size_t longest = 16;
        LayerPair pair{.first = nullptr, .second = &second, .between = {*second.input.tensor}};
        while (pair.between.size() <= longest) {
            const TensorInfo& made = m_tensors[pair.between.back()];
            if (const auto layer = m_layerAt.find(pair.between.back()); layer != m_layerAt.end()) {
                pair.first = layer->second;
                std::ranges::reverse(pair.between);
                const bool hasWeight = pair.first->weight.tensor &&
                                       !pair.first->isWeightPerSample && pair.first != &second;
                return hasWeight ? std::optional(pair) : std::nullopt;
            }
            if (!isHomogeneous(made) || made.inputs.empty())
                return std::nullopt;
            const auto before = m_names.activation(made.inputs.front());
            if (!before || std::ranges::count(pair.between, *before) > 0)
                return std::nullopt;
            pair.between.push_back(*before);
        }
        return std::nullopt;
    }

    std::span<const TensorInfo> m_tensors;
    NamedTensors m_names;
    const std::vector<FoundLayer>& m_layers;
    std::map<std::size_t, const FoundLayer*> m_layerAt;  ///< by its output
    std::map<std::size_t, std::size_t> m_uses;           ///< recorded ops that take a tensor
};

double sqnrOf(const LayerReading& reading, const std::optional<TensorQuantization>& input,
              const std::optional<TensorQuantization>& weight, const OperandFactors& factors = {})
{
    const LayerPass pass = reading.passed(
        {.input = {reading.appliedToInput(input)}, .weight = {reading.appliedToWeight(weight)}},
        factors);
    return pass.sqnrDb()[0][0];
}

/// Computes one pair.
class Equalizer
{
public:
    Equalizer(const LayerDump& dump, const LayerPair& pair, const LayerDecisions& decisions,
              const LayerOptions& options, const Progress& progress)
        : m_dump(dump),
          m_pair(pair),
          m_decisions(decisions),
          m_progress(progress),
          m_first(dump, *pair.first, options, progress),
          m_second(dump, *pair.second, options, progress)
    {}

    void compute(Equalization& result)
    {
        setFactors(result);
        setSecond(result);
        setFirst(result);
    }

private:
    void setFactors(Equalization& result)
    {
        const std::vector<double> made = m_first.weightRanges(false);
        const std::vector<double> taken = m_second.weightRanges(true);
        if (m_first.plan().matrices != 1 || m_second.plan().matrices != 1)
            refusePair("a weight is a stack of matrices");
        if (made.size() != taken.size())
            refusePair("the first layer has " + countText(made.size(), "channel", "channels") +
                       ", the second takes " + std::to_string(taken.size()));
        result.leastScale = result.largestScale = 1.0;
        // A dead channel's factor would be that of its rounding noise.
        constexpr double deadShare = 1e-4;
        const double leastMade = deadShare * std::ranges::max(made);
        const double leastTaken = deadShare * std::ranges::max(taken);
        for (std::size_t channel = 0; channel < made.size(); ++channel) {
            const bool isDead = made[channel] <= leastMade || taken[channel] <= leastTaken;
            const auto factor =
                isDead ? 1.0F : static_cast<float>(std::sqrt(made[channel] / taken[channel]));
            const bool isUsable = std::isnormal(factor) && std::isnormal(1.0F / factor);
            m_factors.push_back(isUsable ? factor : 1.0F);
            m_inverse.push_back(1.0F / m_factors.back());
            const auto told = static_cast<double>(m_factors.back());
            result.leastScale = channel == 0 ? told : std::min(result.leastScale, told);
            result.largestScale = channel == 0 ? told : std::max(result.largestScale, told);
        }
    }

    [[nodiscard]] OperandDecision decisionOf(const FoundOperand& operand) const
    {
        return m_decisions.of(*operand.tensor);
    }
    [[nodiscard]] std::optional<TensorQuantization> scaleOf(const FoundOperand& operand) const
    {
        return layers::scaleOf(decisionOf(operand));
    }

    [[nodiscard]] std::optional<TensorQuantization> inputAnew() const
    {
        const OperandDecision decision = decisionOf(m_pair.second->input);
        TensorInfo info = m_dump.tensors()[*m_pair.second->input.tensor];
        if (info.batchAxis.value_or(0) != 0)
            refusePair("the samples of " + info.name + " do not lie along its first axis");
        return calibratedAnew(
            decision, times(m_dump.source(info), m_inverse, m_second.plan().inputChannelAxis()),
            m_progress);
    }

    void setSecond(Equalization& result) const
    {
        const auto input = scaleOf(m_pair.second->input);
        const auto weight = scaleOf(m_pair.second->weight);
        const LayerPass before = m_second.passed({.input = {m_second.appliedToInput(input)},
                                                  .weight = {m_second.appliedToWeight(weight)}});
        LayerResult recorded;
        before.report(recorded, false);
        result.secondBeforeDb = recorded.outputSqnrDb;
        result.dominant = recorded.dominant;
        const OperandFactors factors{
            .input = m_inverse, .weightInput = m_factors, .weightOutput = {}, .output = {}};
        result.secondAfterDb = sqnrOf(
            m_second, inputAnew(),
            weightAnew(m_second, decisionOf(m_pair.second->weight), factors, m_progress), factors);
    }

    void setFirst(Equalization& result) const
    {
        const auto input = scaleOf(m_pair.first->input);
        const auto weight = scaleOf(m_pair.first->weight);
        if (!input && !weight)
            return;
        result.firstBeforeDb = sqnrOf(m_first, input, weight);
        const OperandFactors factors{.input = {},
                                     .weightInput = {},
                                     .weightOutput = m_inverse,
                                     .output = {m_factors.begin(), m_factors.end()}};
        result.firstAfterDb = sqnrOf(
            m_first, input,
            weightAnew(m_first, decisionOf(m_pair.first->weight), factors, m_progress), factors);
    }

    const LayerDump& m_dump;
    const LayerPair& m_pair;
    const LayerDecisions& m_decisions;
    Progress m_progress;
    LayerReading m_first;
    LayerReading m_second;
    std::vector<float> m_factors;  ///< s of each channel between both layers
    std::vector<float> m_inverse;
};

Equalization equalized(const LayerDump& dump, const LayerPair& pair, const std::string& otherUse,
                       const LayerDecisions& decisions, const LayerOptions& options,
                       const Progress& progress)
{
    Equalization result{.first = pair.first->name,
                        .second = pair.second->name,
                        .activation = pair.second->input.name,
                        .through = {}};
    for (std::size_t place = 1; place + 1 < pair.between.size(); ++place)
        result.through.push_back(dump.tensors()[pair.between[place]].name);
    const std::optional<std::string> problem = inputProblem([&] {
        if (!otherUse.empty())
            refusePair(otherUse);
        if (!pair.first->whyNot.empty())
            refusePair(pair.first->name + ": " + pair.first->whyNot);
        Equalizer(dump, pair, decisions, options, progress).compute(result);
    });
    if (problem) {
        result.whyNot = *problem;
        result.secondAfterDb.reset();
    }
    return result;
}

}  // namespace

std::vector<Equalization> equalizations(const LayerDump& dump,
                                        std::span<const DecidedTensor> decided,
                                        const LayerOptions& options, const Progress& progress)
{
    const std::vector<FoundLayer> layers = foundLayers(dump.tensors());
    const PairSearch search(dump.tensors(), layers);
    const LayerDecisions decisions(dump, decided);
    std::vector<LayerPair> pairs = search.pairs();
    std::erase_if(pairs, [&](const LayerPair& pair) {
        return !options.layers.empty() && !options.layers.contains(pair.first->name) &&
               !options.layers.contains(pair.second->name);
    });
    LayerOptions ofOne = options;
    ofOne.memoryBytes /= 2;  // two layers are held
    std::vector<Equalization> results;
    const Progress steps({}, [&](std::uint64_t, std::uint64_t, std::string_view) {
        progress.step(results.size(), pairs.size(), "pairs of layers");
    });
    for (const LayerPair& pair : pairs) {
        results.push_back(equalized(dump, pair, search.otherUse(pair), decisions, ofOne, steps));
        progress.step(results.size(), pairs.size(), "pairs of layers");
    }
    return results;
}

}  // namespace calibscope::layers
