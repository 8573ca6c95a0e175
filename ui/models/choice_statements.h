#pragma once

#include "core/recipes/outcome.h"

#include <QString>

#include <span>
#include <string>

namespace calibscope {

/// What stands behind a choice, as Markdown, from the same texts as the page of algorithms.
struct ChoiceStatements
{
    QString states;  ///< what the sources state
    QString chosen;  ///< what was settled where they are silent
};

/// `recipeIds`: of the recipes that make this choice.
[[nodiscard]] ChoiceStatements statementsOf(const Choice& choice,
                                            std::span<const std::string> recipeIds);

}  // namespace calibscope
