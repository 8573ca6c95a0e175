// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "core/recipes/recipe.h"
#include "core/tensor/tensor_info.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// How a candidate is known and called, without its choice.
struct CandidateName
{
    std::string id;
    std::string label;

    bool operator==(const CandidateName&) const = default;
};

/// One computation that is worth comparing on a tensor, and who asks for it.
struct Candidate
{
    std::string id;  ///< what it is known by on every tensor, in sessions too; differs from others'
    Choice choice;
    std::string label;                 ///< to be read: short, differs from all others of the tensor
    std::vector<std::string> recipes;  ///< ids of the recipes that make this choice

    [[nodiscard]] CandidateName name() const { return {.id = id, .label = label}; }
};

/// How many candidates lead each list whatever the recipes say: min-max, percentile 99.999, entropy
/// as written, entropy open (without outliers in Q), fixed.
constexpr std::size_t standardCandidates = 5;

/// Candidates for that tensor: the standard calibrators first, always in the same places, then
/// what recipes choose beyond them, in the order of the recipes. Equal computations are merged. A
/// standard place takes the first recipe's choice that differs from it in the scheme alone.
[[nodiscard]] std::vector<Candidate> candidatesFor(const TensorInfo& tensor,
                                                   const Consumers& consumers,
                                                   std::span<const Recipe> recipes);

/// "percentile 99.999", "entropy, first bin discarded", "entropy, no fold-in", "min-max per
/// channel": the calibrator and what differs from its defaults; the scheme is left out.
[[nodiscard]] std::string shortLabel(const Choice& choice);

/// The name with its label numbered where one of these has it under another id ("mse (2)").
[[nodiscard]] CandidateName toldApart(CandidateName name, std::span<const CandidateName> others);

/// The id of what the choice computes: "percentile:" and 16 hexadecimal digits, a digest of
/// settings, scheme and granularity. The same in every run and on every machine; equal computations
/// have one id, whichever recipe or preset made the choice. The standard candidates have short ids
/// of their own ("percentile"), since a recipe may change their scheme.
[[nodiscard]] std::string choiceId(const Choice& choice);

/// The id of a candidate that no recipe changed: a standard one's where it computes the same, else
/// choiceId().
[[nodiscard]] std::string candidateId(const Choice& choice);

}  // namespace calibscope
