// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/keras_axes.h"
#include "core/dump/layouts/path_words.h"

#include <array>
#include <unordered_map>
#include <utility>

namespace calibscope::layouts {

namespace {

constexpr std::string_view idOfKeras2 = "keras-2";

struct ListedWeight
{
    std::string layer;
    std::string name;
    std::int64_t order = 0;
};
using ListedWeights = std::unordered_map<std::string, ListedWeight>;  // by path

/// Appends a text or a list of texts; whether there was one.
bool appendTexts(std::vector<std::string>& texts, const Attributes& attributes,
                 const std::string& name)
{
    const auto found = attributes.find(name);
    if (found == attributes.end())
        return false;
    if (const auto* text = std::get_if<std::string>(&found->second))
        texts.push_back(*text);
    else if (const auto* list = std::get_if<std::vector<std::string>>(&found->second))
        texts.insert(texts.end(), list->begin(), list->end());
    return true;
}

/// A list that may be cut into NAME0, NAME1, ... where it would exceed an attribute's 64 KiB.
std::vector<std::string> listOf(const Attributes& attributes, const std::string& name)
{
    std::vector<std::string> texts;
    if (!appendTexts(texts, attributes, name))
        for (int piece = 0; appendTexts(texts, attributes, name + std::to_string(piece)); ++piece) {
        }
    return texts;
}

/// A layer's weight names may begin with the layer's name, as "conv1/kernel:0" in "conv1".
std::string joined(const std::string& layer, const std::string& weight)
{
    return weight.starts_with(layer + "/") ? weight : layer + "/" + weight;
}

void addLayers(ListedWeights& weights, const FileFacts& file, const std::string& base,
               const Attributes& attributes)
{
    for (const std::string& layer : listOf(attributes, "layer_names")) {
        const std::string path = base + "/" + layer;
        const auto group = file.groups.find(path);
        if (group == file.groups.end())
            continue;
        for (const std::string& weight : listOf(group->second, "weight_names"))
            weights.try_emplace(path + "/" + weight, ListedWeight{.layer = layer,
                                                                  .name = joined(layer, weight),
                                                                  .order = std::ssize(weights)});
    }
}

ListedWeights listedWeights(const FileFacts& file)
{
    ListedWeights weights;
    addLayers(weights, file, "", file.attributes);
    for (const auto& [path, attributes] : file.groups)
        addLayers(weights, file, path, attributes);
    return weights;
}

Understood understandKeras2(const TensorDatasets& datasets, const ListedWeight& weight)
{
    Draft draft = draftOf(datasets, idOfKeras2);
    draft.info().name = weight.name;
    draft.understood.order = weight.order;
    draft.because("a weight: weight_names of the layer " + weight.layer + " lists it", idOfKeras2);
    const std::string layer = weight.name.substr(0, weight.name.rfind('/'));
    takeKerasAxes(draft, {.layer = layer, .name = std::string(leafWord(weight.name))}, idOfKeras2);
    return std::move(draft.understood);
}

LayoutRule::Reader readerForKeras2(const FileFacts& file)
{
    return [weights =
                listedWeights(file)](const TensorDatasets& datasets) -> std::optional<Understood> {
        const auto weight = weights.find(datasets.facts.path);
        if (weight != weights.end())
            return understandKeras2(datasets, weight->second);
        if (weights.empty() || !datasets.facts.path.starts_with("/optimizer_weights/"))
            return std::nullopt;
        Draft draft = draftOf(datasets, idOfKeras2);
        setApart(draft, "the optimizer's state", idOfKeras2);
        return std::move(draft.understood);
    };
}

}  // namespace

LayoutRule keras2()
{
    return {.order = 30,
            .id = idOfKeras2,
            .title = "Keras 2 weights",
            .looksFor = "the attributes `layer_names` on the root or on `/model_weights`, and "
                        "`weight_names` on the layers' groups",
            .makes = "weights in that order, named `layer/weight` without the repeated part; the "
                     "output channels are the last axis, the last but one of a `depthwise_kernel` "
                     "and of a layer named `transpose`, axis 0 of an embedding; vectors have one "
                     "scale; `/optimizer_weights` is set apart",
            .guesses = "",
            .readerFor = readerForKeras2};
}

}  // namespace calibscope::layouts
