// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/candidates.h"
#include "core/recipes/recipe.h"
#include "core/tensor/tensor_info.h"
#include "ui/document/workbench.h"
#include "ui/queries/live_outcomes.h"

#include <QStringList>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

class Document;

/// Id and label of the manual range.
constexpr const char* manualId = "manual";
constexpr const char* manualLabel = "manual range";

/// A candidate as it stands: drawn or not, computed or not yet.
struct OutcomeRow
{
    /// Who brought it into the list.
    enum class Origin { Listed, Added, Imported, Manual };

    Candidate candidate;  ///< with the choice as the user changed it
    Origin origin = Origin::Listed;
    bool isEdited = false;         ///< its choice is another than the list's
    QStringList recipeTitles;      ///< of the recipes that make this choice
    bool isTicked = false;         ///< drawn in the plots
    bool isChosenRecipes = false;  ///< the chosen recipe makes this choice
    bool isOpen = false;           ///< its card is open
    bool isProposed = false;       ///< stands out in list and plots: what accepting takes
    bool isBaseline = false;       ///< others are compared with it
    bool isAccepted = false;       ///< the user accepted this for the tensor
    bool isPending = false;        ///< it is being computed, or a better outcome is
    bool isOfOneValue = false;     ///< its SQNR is one value's alone: isSignalOfOneValue()
    bool isEstimate = false;       ///< the outcome is the sketch's, the engine's is to come
    /// Nothing until it was computed; while it is pending perhaps the one of a
    /// former choice.
    SharedOutcome outcome;

    [[nodiscard]] bool hasResult() const { return outcome && outcome->problem.empty(); }
};

/// Rows to be compared on a tensor, without outcomes: the listed candidates
/// as the user changed them, those that he added, what was imported for it,
/// and last his manual range, if there is one.
[[nodiscard]] std::vector<OutcomeRow> rowsOf(const TensorInfo& tensor,
                                             const std::vector<Candidate>& listed,
                                             const Recipe& chosen, const Workbench& workbench);

/// Marks the row of the open card (empty: none is open) and the proposed one: the open card's, else
/// what was accepted, else the chosen recipe's choice, else the first.
void markProposed(std::vector<OutcomeRow>& rows, const std::string& openCard);
/// nullptr without rows, or before markProposed().
[[nodiscard]] const OutcomeRow* proposedRow(std::span<const OutcomeRow> rows);
/// The row that stands for the tensor whatever card is open: what was accepted, else the chosen
/// recipe's choice; nullptr: neither is among them.
[[nodiscard]] const OutcomeRow* standingRow(std::span<const OutcomeRow> rows);
/// SQNR of a row less that of another one, in dB; nothing while one of them is not known.
[[nodiscard]] std::optional<double> dbAgainst(const OutcomeRow& other, const OutcomeRow& row);

/// The candidates of a tensor of an open dump, as they are listed; and with what the user made of
/// them, without outcomes.
[[nodiscard]] std::vector<Candidate> candidatesOf(const Document& document, int tensor);
[[nodiscard]] std::vector<OutcomeRow> rowsOf(const Document& document, int tensor);
/// The chosen recipe's choice for that tensor, whatever was changed; nothing: it leaves it out.
[[nodiscard]] std::optional<Choice> recipesChoice(const Document& document, int tensor);

/// The row whose scheme the manual range takes: the one the user named, else
/// the chosen recipe's, else the first. Requires a row that is not manual.
[[nodiscard]] const OutcomeRow& manualSchemeRow(const std::vector<OutcomeRow>& rows,
                                                const Workbench& workbench);

}  // namespace calibscope
