#pragma once

#include "core/recipes/outcome.h"
#include "core/recipes/recipe.h"
#include "core/tensor/tensor_info.h"

#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// One computation that is worth comparing on a tensor, and who asks for it.
struct Candidate
{
    Choice choice;
    std::string label;                 ///< short, differs from all others of the tensor
    std::vector<std::string> recipes;  ///< ids of the recipes that make this choice
};

/// How many candidates lead each list whatever the recipes say: min-max, percentile 99.999, entropy
/// as written, entropy open (without outliers in Q), fixed.
constexpr std::size_t standardCandidates = 5;

/// What to compare on that tensor: the standard calibrators first, always in the same places, then
/// what recipes choose beyond them, in the order of the recipes. Equal computations are merged. A
/// standard place takes the first recipe's choice that differs from it in the scheme alone.
[[nodiscard]] std::vector<Candidate> candidatesFor(const TensorInfo& tensor,
                                                   const Consumers& consumers,
                                                   std::span<const Recipe> recipes);

/// "percentile 99.999", "entropy, first bin discarded", "entropy, open", "min-max per channel": the
/// calibrator and what differs from its defaults; the scheme is left out.
[[nodiscard]] std::string shortLabel(const Choice& choice);

}  // namespace calibscope
