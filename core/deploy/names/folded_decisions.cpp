// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/folded_decisions.h"

#include "core/base/error.h"
#include "core/base/json_object.h"
#include "core/layers/calibrated_anew.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

namespace calibscope::deploy {

namespace {

using nlohmann::json;

/// Values of an activation as the model has them, of the samples that calibrate.
ValueSource dividedValues(const DumpFile& dump, const TensorInfo& tensor,
                          const model::FactoredTensor& factored, layers::SplitRule heldOut)
{
    const std::size_t rank = tensor.shape.size();
    const std::size_t axis = factored.areLast ? rank - 1 : 1;
    if (rank < 2 || tensor.shape[axis] != factored.times.size())
        throw Error(Fault::Input, "it has not {} channels", factored.times.size());
    ValueSource source = dump.source(tensor);
    if (tensor.batchAxis.value_or(0) == 0) {
        const layers::SampleSplit split{.heldOut = heldOut, .samples = tensor.shape[0]};
        source = layers::ofSamples(
            std::move(source), [split](std::uint64_t sample) { return split.calibrates(sample); });
    }
    return layers::times(std::move(source), factored.times,
                         axisWithin(tensor.shape, static_cast<int>(axis)));
}

}  // namespace

std::vector<DecidedTensor>
foldedDecisions(const DumpFile& dump, std::span<const DecidedTensor> decided,
                std::span<const GraphName> names, std::span<const model::GraphTensor> graph,
                const model::FoldedModel& folded, layers::SplitRule heldOut, Findings& lints,
                const Progress& progress)
{
    std::map<std::string_view, std::size_t> indexOf;
    for (std::size_t index = 0; index < dump.tensors().size(); ++index)
        indexOf.emplace(dump.tensors()[index].path, index);
    std::vector<DecidedTensor> result;
    for (const DecidedTensor& one : decided) {
        const auto index = indexOf.find(one.info.path);
        if (index == indexOf.end() || !names[index->second].tensor) {
            result.push_back(one);
            continue;
        }
        const model::GraphTensor& found = graph[*names[index->second].tensor];
        const auto weight = folded.weights.find({found.scope, found.name});
        const auto activation =
            std::ranges::find_if(folded.activations, [&](const model::FactoredTensor& tensor) {
                return tensor.name == found.name && tensor.scope == found.scope;
            });
        try {
            if (weight != folded.weights.end()) {
                TensorInfo info = one.info;
                info.batchAxis.reset();
                info.batchSize = 0;
                result.push_back(
                    layers::decidedAnew(one, sourceOf(std::move(info), weight->second), progress));
            } else if (activation != folded.activations.end()) {
                result.push_back(layers::decidedAnew(
                    one, dividedValues(dump, one.info, *activation, heldOut), progress));
                lints.push_back(findingOn(found.name, FindingLevel::Note, "divided-channels",
                                          "its range is computed anew from divided channels"));
            } else
                result.push_back(one);
        } catch (const Error& error) {
            lints.push_back(findingOn(found.name, FindingLevel::Error, "divided-channels",
                                      std::string("its scale is left out, as its channels are "
                                                  "divided: ") +
                                          error.what()));
        }
    }
    return result;
}

std::string factorsText(std::span<const model::LayerChange> changes)
{
    json layers = json::array();
    for (const model::LayerChange& change : changes)
        if (!change.inputFactors.empty())
            layers.push_back({{"layer", change.output},
                              {"scope", change.scope},
                              {"factors", change.inputFactors},
                              {"takes_mul", change.takesMul}});
    return json{{"layers", layers}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<model::LayerChange> factorsIn(const std::string& text, const std::string& origin)
{
    std::vector<model::LayerChange> changes;
    const json value = parseJson(text, origin);
    const JsonObject object(value, origin);
    object.list("layers", [&](const JsonObject& layer) {
        model::LayerChange change{.output = layer.requiredText("layer"),
                                  .scope = layer.text("scope")};
        for (const double factor : layer.numbers("factors"))
            change.inputFactors.push_back(static_cast<float>(factor));
        change.takesMul = layer.flag("takes_mul");
        changes.push_back(std::move(change));
    });
    return changes;
}

}  // namespace calibscope::deploy
