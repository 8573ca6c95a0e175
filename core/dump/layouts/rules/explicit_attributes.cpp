// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/path_words.h"
#include "core/dump/layouts/recorded_axes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace calibscope::layouts {

namespace {

constexpr std::string_view idOfExplicitAttributes = "explicit-attributes";

constexpr std::array<std::string_view, 8> activationWords{
    "activation", "activations", "act", "output", "outputs", "feature", "features", "input"};
constexpr std::array<std::string_view, 7> weightWords{"weight",    "weights",    "param", "params",
                                                      "parameter", "parameters", "kernel"};

std::optional<Role> roleOf(const std::string& text)
{
    const std::string word = lowerCase(text);
    if (std::ranges::find(activationWords, word) != activationWords.end())
        return Role::Activation;
    if (std::ranges::find(weightWords, word) != weightWords.end())
        return Role::Weight;
    if (word == roleText(Role::Bias))
        return Role::Bias;
    return std::nullopt;
}

std::string_view nounFor(Role role)
{
    return role == Role::Bias ? "a bias" : role == Role::Weight ? "a weight" : "an activation";
}

void readRole(AttributeReader& attributes, Draft& draft, const std::string& name)
{
    const std::optional<std::string> text = draft.hasRole ? std::nullopt : attributes.text(name);
    if (!text)
        return;
    if (const std::optional<Role> role = roleOf(*text)) {
        draft.info().role = *role;
        draft.hasRole = true;
        draft.because(std::string(nounFor(*role)) + ": attribute " + name + " = " + *text,
                      idOfExplicitAttributes);
    } else {
        attributes.passOver(name, *text + " is not activation, weight or bias");
    }
}

/// What the letters of a layout tell beside the channel: N the samples, O and I a weight.
void readLetters(Draft& draft)
{
    TensorInfo& info = draft.info();
    const std::size_t samples = info.layout.find_first_of("NB");
    const bool isWeight = info.layout.find('O') != std::string::npos;
    if (!draft.hasRole && (isWeight || samples != std::string::npos)) {
        info.role = isWeight ? Role::Weight : Role::Activation;
        draft.hasRole = true;
        draft.because(std::string(isWeight ? "a weight" : "an activation") +
                          ": attribute layout = " + info.layout,
                      idOfExplicitAttributes);
    }
    if (info.role != Role::Activation || samples == std::string::npos)
        return;
    draft.hasBatches = true;
    if (info.channelAxis == static_cast<int>(samples)) {
        draft.because("no batch axis: axis " + std::to_string(samples) + " is the channel",
                      idOfExplicitAttributes);
        return;
    }
    info.batchAxis = static_cast<int>(samples);
    draft.because("axis " + std::to_string(samples) +
                      " is the sample: attribute layout = " + info.layout,
                  idOfExplicitAttributes);
}

/// Without any word on the role a tensor of samples is an activation.
void supposeRole(Draft& draft)
{
    if (draft.hasRole || draft.info().shape.size() < 2 || draft.info().channelAxis == 0)
        return;
    draft.info().role = Role::Activation;
    draft.info().isGuess = true;
    draft.because("taken for an activation: nothing says weight", idOfExplicitAttributes);
}

LayoutRule::Reader readerForExplicitAttributes(const FileFacts& file)
{
    return [survey = surveyOf(file)](const TensorDatasets& datasets) -> std::optional<Understood> {
        if (datasets.facts.attributes.empty())
            return std::nullopt;
        AttributeReader attributes(datasets.facts.attributes);
        Draft draft = draftOf(datasets, idOfExplicitAttributes);
        readRole(attributes, draft, "role");
        readRole(attributes, draft, "kind");
        readLayout(attributes, draft.info());
        readChannels(attributes, draft, idOfExplicitAttributes, true);
        draft.understood.warnings = attributes.warnings();
        if (!draft.hasRole && !draft.hasChannels)
            return std::nullopt;
        readGraph(attributes, draft);
        readLetters(draft);
        takeRoleFromWords(draft);
        supposeRole(draft);
        takeAxesFromShape(draft, survey);
        readBatchSize(attributes, draft.info());
        draft.understood.warnings = attributes.warnings();
        return std::move(draft.understood);
    };
}

}  // namespace

LayoutRule explicitAttributes()
{
    return {.order = 20,
            .id = idOfExplicitAttributes,
            .title = "Attributes of the dataset",
            .looksFor = "any of the attributes `channel_axis`, `axis`, `layout`, `role`, `kind` on "
                        "a dataset",
            .makes = "what they say; `N` in a layout is the sample, `C` the channel, `O` a "
                     "weight's output channel; the rest from the path and the shape",
            .guesses = "what they leave open",
            .readerFor = readerForExplicitAttributes};
}

}  // namespace calibscope::layouts
