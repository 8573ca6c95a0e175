// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// One rule of a recipe: which tensors, and what for them. Empty conditions match all.
struct RecipeRule
{
    std::optional<Role> role;      ///< an unknown role follows the rules of activations
    std::vector<std::string> ops;  ///< op_type of the tensor, any of these
    std::vector<std::string>
        feeds;         ///< or: the tensor is an input of a recorded op of one of these types
    std::string name;  ///< glob on the name
    Choice choice;
};

/// Which calibrator for which tensor, first rule that matches wins; a tensor that no rule matches
/// is left out.
struct Recipe
{
    std::string id;
    std::string title;
    std::string vendor;
    std::string source;               ///< document and section
    std::vector<std::string> states;  ///< what the source states, restated
    std::vector<std::string> chosen;  ///< what was chosen where it is silent, and why
    bool isVariant = false;           ///< an "-open" form: not among the defaults
    bool isListed = true;             ///< else chosen by its id alone, and no candidate
    bool propagates = false;          ///< ops that keep the range hand it to their inputs
    int order = 0;                    ///< position in lists
    std::vector<RecipeRule> rules;
};

/// The recipes that are embedded (resources/recipes/*.json), in the order of their files' "order".
[[nodiscard]] const std::vector<Recipe>& allRecipes();
/// Those of them that are listed: the submissions'.
[[nodiscard]] const std::vector<Recipe>& recipes();
/// The recipe of that id, listed or not. Throws Error(Usage) that lists the known ones.
[[nodiscard]] const Recipe& recipe(std::string_view id);
/// A recipe from JSON text; `origin` names it in errors. Throws Error(Usage) that says which member
/// is wrong.
[[nodiscard]] Recipe recipeFromJson(std::string_view json, std::string_view origin);

class RangeEnds;

/// For each tensor name, the op types of the recorded ops that read it, and the outputs of those
/// that keep the range (from the op and inputs of all tensors). Copies share what was found.
class Consumers
{
public:
    explicit Consumers(std::span<const TensorInfo> tensors);
    [[nodiscard]] bool feedsAny(std::string_view tensor, std::span<const std::string> ops) const;
    /// The outputs of all range-keeping ops.
    [[nodiscard]] std::span<const TensorInfo> keepers() const { return *m_keepers; }
    /// Of these, the indices of those whose ops hand their range to that tensor.
    [[nodiscard]] std::vector<std::size_t> keptOutputs(std::string_view tensor) const;
    /// Where the chains of range-keeping ops end under that recipe; found with the first call for
    /// it, by one walk over the graph. May be called from several threads.
    [[nodiscard]] std::shared_ptr<const RangeEnds> rangeEnds(const Recipe& recipe) const;

private:
    struct Found;

    std::set<std::pair<std::string, std::string>> m_nameAndOp;
    std::shared_ptr<const std::vector<TensorInfo>> m_keepers;
    std::multimap<std::string, std::size_t> m_keeperOf;  ///< by name of input
    std::shared_ptr<Found> m_found;
};

/// The choice as it can be carried out on that tensor: per channel (or row) becomes per tensor,
/// with a note, where the tensor has no such axis.
[[nodiscard]] Choice fittedTo(Choice choice, const TensorInfo& tensor);

/// The rules' choice for that tensor, fitted to it, with a range of its own.
[[nodiscard]] std::optional<Choice> ownChoice(const Recipe& recipe, const TensorInfo& tensor,
                                              const Consumers& consumers);

/// The recipe's choice for that tensor, fitted to it, with the tensors whose range it takes;
/// nothing if no rule matches, for integers, which no recipe is for: they are indices, counts, or
/// quantized already, and for biases.
[[nodiscard]] std::optional<Choice> choose(const Recipe& recipe, const TensorInfo& tensor,
                                           const Consumers& consumers);

}  // namespace calibscope
