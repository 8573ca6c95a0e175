// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/keras_axes.h"
#include "core/dump/layouts/path_words.h"

#include <algorithm>
#include <utility>

namespace calibscope::layouts {

namespace {

constexpr std::string_view idOfKeras3 = "keras-3";

/// A path `.../LAYER/vars/N`, cut at its slashes; empty if it is none.
std::vector<std::string> variablePath(const std::string& path)
{
    std::vector<std::string> segments;
    for (std::size_t first = 1; first <= path.size();) {
        const std::size_t end = std::min(path.find('/', first), path.size());
        segments.push_back(path.substr(first, end - first));
        first = end + 1;
    }
    const bool isVariable = segments.size() >= 2 && segments[segments.size() - 2] == "vars" &&
                            !segments.back().empty() && segments.back().size() < 9 &&
                            segments.back().find_first_not_of("0123456789") == std::string::npos;
    return isVariable ? segments : std::vector<std::string>{};
}

bool isContainer(const std::string& segment)
{
    return segment == "layers" || segment == "_layer_checkpoint_dependencies" || segment == "vars";
}

/// The name that a layer's group, or the group of its variables, bears as an attribute.
std::string recordedName(const FileFacts& file, const std::string& group)
{
    for (const std::string& path : {group, group + "/vars"})
        if (const auto found = file.groups.find(path); found != file.groups.end())
            if (const auto name = found->second.find("name"); name != found->second.end())
                if (const auto* text = std::get_if<std::string>(&name->second))
                    return *text;
    return {};
}

/// "block/conv1/0" for /layers/functional/layers/conv2d/vars/0, where these bear names.
std::string nameOf(const FileFacts& file, const std::vector<std::string>& segments)
{
    std::string group;
    std::string name;
    for (const std::string& segment : segments) {
        group += "/" + segment;
        if (isContainer(segment))
            continue;
        const std::string recorded = recordedName(file, group);
        name += (name.empty() ? "" : "/") + (recorded.empty() ? segment : recorded);
    }
    return name;
}

/// What is stored beside the model's weights; empty for a weight.
std::string trainingState(const std::vector<std::string>& segments)
{
    if (segments.front() == "optimizer")
        return "the optimizer's state";
    if (segments.front().find("metric") != std::string::npos ||
        segments.front().find("loss_tracker") != std::string::npos)
        return "a metric's state";
    const auto isSeed = [](const std::string& segment) {
        return segment.find("seed_generator") != std::string::npos;
    };
    return std::ranges::any_of(segments, isSeed) ? "a random generator's state" : "";
}

/// The two innermost groups that name layers: "bidirectional/forward_layer".
std::string layerOf(const std::vector<std::string>& segments)
{
    std::string layer;
    int count = 0;
    for (auto segment = segments.rbegin() + 2; segment != segments.rend() && count < 2; ++segment) {
        if (isContainer(*segment))
            continue;
        layer = *segment + (layer.empty() ? "" : "/" + layer);
        ++count;
    }
    return layer;
}

std::optional<Understood> understandKeras3(const FileFacts& file, const TensorDatasets& datasets)
{
    const std::vector<std::string> segments = variablePath(datasets.facts.path);
    if (segments.empty() || datasets.isMerged())
        return std::nullopt;
    Draft draft = draftOf(datasets, idOfKeras3);
    draft.info().name = nameOf(file, segments);
    if (const std::string state = trainingState(segments); !state.empty()) {
        setApart(draft, state, idOfKeras3);
        return std::move(draft.understood);
    }
    const std::string layer = layerOf(segments);
    const int number = std::stoi(segments.back());
    draft.because("a weight: variable " + std::to_string(number) + " of " +
                      (layer.empty() ? "the model" : "the layer " + layer),
                  idOfKeras3);
    takeKerasAxes(draft, {.layer = layer, .name = {}, .number = number}, idOfKeras3);
    return std::move(draft.understood);
}

LayoutRule::Reader readerForKeras3(const FileFacts& file)
{
    return [&file](const TensorDatasets& datasets) { return understandKeras3(file, datasets); };
}

}  // namespace

LayoutRule keras3()
{
    return {.order = 40,
            .id = idOfKeras3,
            .title = "Keras 3 weights",
            .looksFor = "paths `layers/LAYER/vars/0`, also nested, and in the older spelling "
                        "`_layer_checkpoint_dependencies`",
            .makes = "weights, named by the layers (their attribute `name`, if they have it) and "
                     "the variable's number; axes as in `keras-2`, by the layers' classes; "
                     "`optimizer/vars`, metrics and seed generators are set apart",
            .guesses = "",
            .readerFor = readerForKeras3};
}

}  // namespace calibscope::layouts
