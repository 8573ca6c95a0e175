#pragma once

#include "core/recipes/candidates.h"

#include <string>
#include <vector>

namespace calibscope {

// Release 0.1.0 (sessions of version 1 and 2) spread a level of the entropy search over its bins
// that are not empty wherever nothing else was said; now it is spread over all of them.

/// That choice with the defaults of 0.1.0: an entropy choice spreads over the bins that are not
/// empty, any other is left as it is.
[[nodiscard]] Choice formerly(const Choice& choice);

/// A choice by the ids of its calibrator and parameters, as sessions of version 1 and 2 name it:
/// "mse, bins 512, growth redistribute" of what shortLabel() calls "MSE 512 bins".
[[nodiscard]] std::string plainLabel(const Choice& choice);

/// What 0.1.0 called such a choice.
[[nodiscard]] std::string formerLabel(const Choice& choice);

/// A candidate of 0.1.0 whose id now stands for another computation, or for none.
struct FormerCandidate
{
    CandidateName name;
    Choice choice;
    bool isStandard = false;  ///< its id still leads the list of every tensor
};
[[nodiscard]] const std::vector<FormerCandidate>& formerCandidates();

}  // namespace calibscope
