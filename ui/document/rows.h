#pragma once

#include "core/recipes/candidates.h"
#include "core/recipes/recipe.h"
#include "core/tensor/tensor_info.h"
#include "ui/document/outcome_row.h"
#include "ui/document/workbench.h"

#include <string>
#include <vector>

namespace calibscope {

/// What is to be compared on a tensor, without outcomes: the listed candidates
/// as the user changed them, those that he added, and last his range by hand,
/// if there is one.
[[nodiscard]] std::vector<OutcomeRow> rowsOf(const TensorInfo& tensor,
                                             const std::vector<Candidate>& listed,
                                             const Recipe& chosen, const Workbench& workbench);

/// The row whose scheme the range by hand takes: the one the user named, else
/// the chosen recipe's, else the first. Requires a row that is not by hand.
[[nodiscard]] const OutcomeRow& handSchemeRow(const std::vector<OutcomeRow>& rows,
                                              const Workbench& workbench);

}  // namespace calibscope
