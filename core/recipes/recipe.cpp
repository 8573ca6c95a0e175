// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/recipe.h"

#include "core/base/glob.h"
#include "core/recipes/propagation.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

namespace calibscope {

namespace {

bool matchesRole(const RecipeRule& rule, Role role)
{
    return !rule.role || *rule.role == role ||
           (role == Role::Unknown && *rule.role == Role::Activation);
}

bool matches(const RecipeRule& rule, const TensorInfo& tensor, const Consumers& consumers)
{
    if (!matchesRole(rule, tensor.role) ||
        (!rule.name.empty() && !matchesGlob(tensor.name, rule.name)))
        return false;
    if (rule.ops.empty() && rule.feeds.empty())
        return true;
    return std::ranges::find(rule.ops, tensor.op) != rule.ops.end() ||
           consumers.feedsAny(tensor.name, rule.feeds);
}

/// A name with "/" written as ".": inputs are recorded so, names of nested groups are not.
std::string dotted(std::string_view name)
{
    std::string text(name);
    std::ranges::replace(text, '/', '.');
    return text;
}

/// A user's recipe may be edited under its id.
bool hasSameRules(const Recipe& one, const Recipe& other)
{
    const auto isSame = [](const RecipeRule& a, const RecipeRule& b) {
        return a.role == b.role && a.ops == b.ops && a.feeds == b.feeds && a.name == b.name &&
               a.choice.isSameComputation(b.choice);
    };
    return one.id == other.id && std::ranges::equal(one.rules, other.rules, isSame);
}

void addNote(std::string& notes, const std::string& note)
{
    notes += (notes.empty() ? "" : "; ") + note;
}

}  // namespace

/// What was found for each recipe, the latest last.
struct Consumers::Found
{
    std::mutex mutex;
    std::deque<std::pair<Recipe, std::shared_ptr<const RangeEnds>>> ends;
};

Consumers::Consumers(std::span<const TensorInfo> tensors) : m_found(std::make_shared<Found>())
{
    std::vector<TensorInfo> keepers;
    for (const TensorInfo& tensor : tensors) {
        if (tensor.role == Role::Weight || tensor.role == Role::Bias)
            continue;
        for (const std::string& input : tensor.inputs)
            m_nameAndOp.emplace(dotted(input), tensor.op);
        for (const std::string& input : keptInputs(tensor))
            m_keeperOf.emplace(dotted(input), keepers.size());
        if (keepsRange(tensor.op))
            keepers.push_back(tensor);
    }
    m_keepers = std::make_shared<const std::vector<TensorInfo>>(std::move(keepers));
}

std::vector<std::size_t> Consumers::keptOutputs(std::string_view tensor) const
{
    std::vector<std::size_t> outputs;
    const auto [first, last] = m_keeperOf.equal_range(dotted(tensor));
    for (auto keeper = first; keeper != last; ++keeper)
        outputs.push_back(keeper->second);
    return outputs;
}

std::shared_ptr<const RangeEnds> Consumers::rangeEnds(const Recipe& recipe) const
{
    constexpr std::size_t mostRecipes = 32;
    const std::scoped_lock lock(m_found->mutex);
    auto& ends = m_found->ends;
    const auto known = std::ranges::find_if(
        ends, [&](const auto& found) { return hasSameRules(found.first, recipe); });
    if (known != ends.end())
        return known->second;
    if (ends.size() == mostRecipes)
        ends.pop_front();
    return ends.emplace_back(recipe, std::make_shared<const RangeEnds>(recipe, *this)).second;
}

bool Consumers::feedsAny(std::string_view tensor, std::span<const std::string> ops) const
{
    return std::ranges::any_of(ops, [&](const std::string& op) {
        return m_nameAndOp.contains({dotted(tensor), op});
    });
}

Choice fittedTo(Choice choice, const TensorInfo& tensor)
{
    if (choice.granularity == Granularity::Tensor)
        return choice;
    if (choice.granularity.isGroup()) {
        if (groupAxis(tensor, choice.granularity.columns))
            return choice;
        addNote(choice.note, "no whole groups of " + std::to_string(choice.granularity.columns) +
                                 " along one axis: " +
                                 (tensor.role == Role::Weight ? "one scale per channel"
                                                              : "groups are of weights"));
        choice.granularity = defaultGranularity(tensor.role);
        return fittedTo(std::move(choice), tensor);
    }
    const bool isMatrix = tensor.shape.size() == 2;
    if (tensor.channelCount() > 0 && (choice.granularity == Granularity::Channel || isMatrix))
        return choice;
    addNote(choice.note, choice.granularity == Granularity::Channel
                             ? "no channel axis: one scale for the tensor"
                             : "no matrix with a channel axis: one scale for the tensor");
    choice.granularity = Granularity::Tensor;
    return choice;
}

std::optional<Choice> ownChoice(const Recipe& recipe, const TensorInfo& tensor,
                                const Consumers& consumers)
{
    if (tensor.holdsIntegers() || tensor.role == Role::Bias)
        return std::nullopt;
    const auto rule = std::ranges::find_if(
        recipe.rules, [&](const RecipeRule& r) { return matches(r, tensor, consumers); });
    if (rule == recipe.rules.end())
        return std::nullopt;
    Choice choice = fittedTo(rule->choice, tensor);
    choice.recipe = recipe.id;
    if (tensor.role == Role::Unknown)
        addNote(choice.note, "unknown role: treated as an activation");
    return choice;
}

std::optional<Choice> choose(const Recipe& recipe, const TensorInfo& tensor,
                             const Consumers& consumers)
{
    std::optional<Choice> choice = ownChoice(recipe, tensor, consumers);
    if (choice && recipe.propagates && tensor.role != Role::Weight &&
        choice->granularity == Granularity::Tensor) {
        if (std::optional<std::vector<RangeSource>> sources =
                rangeSources(recipe, tensor, consumers))
            choice->rangeFrom = *std::move(sources);
        else
            addNote(choice->note, "more than " + std::to_string(mostRangeSources) +
                                      " tensors whose range it could take: its own is kept");
    }
    return choice;
}

}  // namespace calibscope
