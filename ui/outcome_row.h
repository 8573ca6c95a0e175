#pragma once

#include "core/recipes/candidates.h"
#include "core/recipes/outcome.h"

#include <QStringList>

#include <optional>

namespace calibscope {

/// A candidate as it stands: drawn or not, computed or not yet.
struct OutcomeRow
{
    Candidate candidate;
    QStringList recipeTitles;        ///< of the recipes that make this choice
    bool isTicked = false;           ///< drawn in the plots
    bool isChosenRecipes = false;    ///< the chosen recipe makes this choice
    bool isPending = false;          ///< it is being computed
    std::optional<Outcome> outcome;  ///< nothing until it was computed

    [[nodiscard]] bool hasResult() const { return outcome && outcome->problem.empty(); }
};

}  // namespace calibscope
