// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/draft.h"

#include "core/dump/layouts/path_words.h"

#include <algorithm>
#include <optional>

namespace calibscope::layouts {

namespace {

constexpr std::string_view byWords = "path-words";
constexpr std::string_view byShape = "shapes";
constexpr std::uint64_t widestKernel = 11;

bool isKernel(std::uint64_t height, std::uint64_t width)
{
    return height == width && height <= widestKernel;
}

/// Where the output channels of a weight lie, and why.
struct WeightAxis
{
    std::optional<int> axis;
    std::string reason;
    bool isGuess = true;
};

/// Kernels that Keras and its relatives name: the output channels come last.
WeightAxis axisOfNamedKernel(const std::string& leaf, std::size_t rank)
{
    if (leaf == "depthwise_kernel" && rank == 4)
        return {.axis = 2,
                .reason = "height x width x channels x multiplier, as Keras writes a " + leaf,
                .isGuess = false};
    return {.axis = static_cast<int>(rank) - 1,
            .reason = "a " + leaf + " has its outputs last, unless it is a transposed convolution",
            .isGuess = rank > 2};
}

WeightAxis axisOfConvolution(const std::vector<std::uint64_t>& shape)
{
    if (shape.size() == 4 && isKernel(shape[0], shape[1]) && !isKernel(shape[2], shape[3]))
        return {.axis = 3, .reason = "height x width x inputs x outputs by its lengths"};
    return {.axis = 0,
            .reason = "outputs x inputs x kernel, unless it is a transposed convolution, which "
                      "looks the same and has them along axis 1"};
}

WeightAxis weightAxis(const TensorInfo& info)
{
    const std::string leaf = lowerCase(leafWord(info.path));
    const std::size_t rank = info.shape.size();
    if (leaf == "kernel" || leaf.ends_with("_kernel"))
        return axisOfNamedKernel(leaf, rank);
    if (rank > 2 && rank < 6)
        return axisOfConvolution(info.shape);
    if (rank > 5)
        return {.axis = std::nullopt,
                .reason = "rank " + std::to_string(rank) + " is not a kernel's"};
    const std::string path = lowerCase(info.path);
    if (leaf == "embeddings" || path.find("embed") != std::string::npos)
        return {.axis = 0, .reason = "a row for each entry of an embedding", .isGuess = false};
    if (leaf == "weight" || leaf.ends_with("_weight"))
        return {.axis = 0,
                .reason = "outputs x inputs, as PyTorch names and writes it",
                .isGuess = false};
    return {.axis = 0, .reason = "outputs x inputs, unless it is written the other way round"};
}

void takeWeightAxis(Draft& draft)
{
    TensorInfo& info = draft.info();
    const WeightAxis found = weightAxis(info);
    info.channelAxis = found.axis;
    info.isGuess = info.isGuess || found.isGuess;
    draft.because((found.axis ? "axis " + std::to_string(*found.axis) + " is the channel: "
                              : std::string("no channel: ")) +
                      found.reason,
                  byShape);
}

WeightAxis imageAxis(const TensorInfo& info, const ShapeSurvey& survey)
{
    const int last = static_cast<int>(info.shape.size()) - 1;
    const int standsOut = axisThatStandsOut(info.shape);
    if (standsOut == last)
        return {.axis = last,
                .reason = "axes 1 to " + std::to_string(last - 1) +
                          " are equal spatial axes, the last one is not"};
    if (standsOut == 1)
        return {.axis = 1, .reason = "followed by equal spatial axes"};
    if (info.shape.size() == 4 && survey.hasChannelsLast())
        return {.axis = last, .reason = "most tensors of this file have it last by their lengths"};
    return {.axis = 1, .reason = "rank " + std::to_string(last + 1) + ", no layout recorded"};
}

WeightAxis activationAxis(const TensorInfo& info, const ShapeSurvey& survey)
{
    switch (info.shape.size()) {
    case 2: return {.axis = 1, .reason = "rank 2, samples x features"};
    case 3:
        return {.axis = 2,
                .reason = "rank 3, taken for samples x tokens x features; a 1-D convolution has "
                          "them along axis 1"};
    case 4:
    case 5: return imageAxis(info, survey);
    default:
        return {.axis = std::nullopt,
                .reason = "rank " + std::to_string(info.shape.size()) + ", no layout recorded"};
    }
}

void takeBatches(Draft& draft)
{
    TensorInfo& info = draft.info();
    if (info.channelAxis == 0) {
        draft.because("no batch axis: axis 0 is the channel", byShape);
        return;
    }
    info.batchAxis = 0;
    draft.because("axis 0 is the sample", byShape);
}

void takeActivationAxis(Draft& draft, const ShapeSurvey& survey)
{
    TensorInfo& info = draft.info();
    WeightAxis found = activationAxis(info, survey);
    if (found.axis && found.axis == info.batchAxis)
        found = {.axis = std::nullopt, .reason = "where it would lie is the batch axis"};
    info.channelAxis = found.axis;
    info.isGuess = info.isGuess || found.axis.has_value();
    draft.because((found.axis ? "axis " + std::to_string(*found.axis) + " is the channel: "
                              : std::string("no channel: ")) +
                      found.reason,
                  byShape);
}

}  // namespace

void Draft::because(const std::string& sentence, std::string_view rule)
{
    info().evidence.push_back(sentence + " (" + std::string(rule) + ")");
}

Draft draftOf(const TensorDatasets& datasets, std::string_view rule)
{
    return {.understood = {.info = plainInfo(datasets.facts, nameOf(datasets.facts.path), rule)}};
}

bool isBias(const TensorInfo& tensor, std::string_view word)
{
    const std::string lower = lowerCase(word);
    return tensor.shape.size() < 2 &&
           (lower == "bias" || lower == "biases" || lower.ends_with("_bias"));
}

void takeRoleFromWords(Draft& draft)
{
    if (draft.hasRole)
        return;
    const auto found = roleByWords(draft.info().path);
    if (!found)
        return;
    const bool isOfBias = found->role == Role::Weight && isBias(draft.info(), found->word);
    draft.info().role = isOfBias ? Role::Bias : found->role;
    draft.hasRole = true;
    draft.because(std::string(isOfBias                      ? "a bias"
                              : found->role == Role::Weight ? "a weight"
                                                            : "an activation") +
                      ": its path says " + std::string(found->word),
                  byWords);
}

void takeAxesFromShape(Draft& draft, const ShapeSurvey& survey)
{
    const TensorInfo& info = draft.info();
    const bool isVector = info.shape.size() < 2;
    if (info.role == Role::Activation && !draft.hasBatches && !info.shape.empty())
        takeBatches(draft);
    if (draft.hasChannels || info.role == Role::Bias)
        return;
    if (isVector && info.role == Role::Weight)
        draft.because("a vector has one scale as a whole, none per channel", byShape);
    else if (!isVector && info.role == Role::Weight)
        takeWeightAxis(draft);
    else if (!isVector)
        takeActivationAxis(draft, survey);
}

ShapeSurvey surveyOf(const FileFacts& file)
{
    return ShapeSurvey(file.datasets);
}

}  // namespace calibscope::layouts
