// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/path_words.h"

#include "core/dump/layouts/operator_names.h"

#include <algorithm>
#include <array>
#include <span>

namespace calibscope::layouts {

namespace {

using Word = std::string_view;

constexpr std::array<Word, 3> activationGroups{"activations", "activation", "acts"};
constexpr std::array<Word, 10> activationWords{"activations", "activation",   "acts",     "act",
                                               "outputs",     "output",       "features", "feature",
                                               "hidden",      "hidden_states"};
constexpr std::array<Word, 10> weightWords{"weights",      "weight",     "params",  "param",
                                           "parameters",   "state_dict", "kernels", "model_weights",
                                           "initializers", "variables"};
constexpr std::array<Word, 19> weightLeaves{"weight",
                                            "bias",
                                            "kernel",
                                            "gamma",
                                            "beta",
                                            "running_mean",
                                            "running_var",
                                            "moving_mean",
                                            "moving_variance",
                                            "depthwise_kernel",
                                            "pointwise_kernel",
                                            "recurrent_kernel",
                                            "embeddings",
                                            "weight_g",
                                            "weight_v",
                                            "num_batches_tracked",
                                            "weights",
                                            "biases",
                                            "scale_factor"};
constexpr std::array<Word, 3> weightEndings{"_weight", "_bias", "_kernel"};

bool holds(std::span<const Word> words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
}

/// The first group of a path; empty for a dataset of the root.
std::string_view outermostGroup(std::string_view path)
{
    if (path.starts_with('/'))
        path.remove_prefix(1);
    const std::size_t slash = path.find('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool isWeightLeaf(std::string_view leaf)
{
    return holds(weightLeaves, leaf) ||
           std::ranges::any_of(weightEndings,
                               [leaf](std::string_view ending) { return leaf.ends_with(ending); });
}

}  // namespace

std::vector<std::string_view> pathSegments(std::string_view path)
{
    std::vector<std::string_view> segments;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find_first_of("/."), path.size());
        if (end > 0)
            segments.push_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return segments;
}

std::string_view leafWord(std::string_view path)
{
    std::string_view leaf = path.substr(path.find_last_of("/.") + 1);
    const std::size_t colon = leaf.rfind(':');
    if (colon != std::string_view::npos &&
        leaf.find_first_not_of("0123456789", colon + 1) == std::string_view::npos)
        leaf = leaf.substr(0, colon);
    return leaf;
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    for (char& character : lower)
        if (character >= 'A' && character <= 'Z')
            character = static_cast<char>(character - 'A' + 'a');
    return lower;
}

std::optional<RoleWord> roleByWords(std::string_view path)
{
    const std::string_view group = outermostGroup(path);
    if (holds(activationGroups, lowerCase(group)))
        return RoleWord{.role = Role::Activation, .word = group};
    const std::string_view leaf = leafWord(path);
    if (isWeightLeaf(lowerCase(leaf)))
        return RoleWord{.role = Role::Weight, .word = leaf};
    for (const std::string_view segment : pathSegments(path)) {
        const std::string word = lowerCase(segment);
        if (holds(activationWords, word))
            return RoleWord{.role = Role::Activation, .word = segment};
        if (holds(weightWords, word))
            return RoleWord{.role = Role::Weight, .word = segment};
    }
    return std::nullopt;
}

std::string_view roleWordMeant(std::string_view word)
{
    constexpr std::size_t leastLetters = 6;
    constexpr std::size_t longLetters = 9;  // "heights" is a word beside "weights"
    if (word.size() < leastLetters)
        return {};
    const std::array<std::span<const Word>, 3> lists{activationWords, weightWords, weightLeaves};
    const std::string lower = lowerCase(word);
    if (std::ranges::any_of(lists, [&](std::span<const Word> list) { return holds(list, lower); }))
        return {};
    for (const std::span<const Word> list : lists)
        for (const Word known : list)
            if ((known.size() >= longLetters ||
                 (known.front() == lower.front() && known.back() == lower.back())) &&
                isOneLetterOff(known, lower))
                return known;
    return {};
}

std::string nameOf(std::string_view path)
{
    const std::string_view group = outermostGroup(path);
    if (path.starts_with('/'))
        path.remove_prefix(1);
    const std::string word = lowerCase(group);
    if (holds(activationWords, word) || holds(weightWords, word))
        path.remove_prefix(group.size() + 1);
    return path.empty() ? "root" : std::string(path);
}

}  // namespace calibscope::layouts
