// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/outcome_rows.h"

#include "ui/document/document.h"
#include "ui/document/manual_range.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

/// Drawn unless the user decided otherwise: min-max, percentile, both readings
/// of entropy.
constexpr std::size_t firstTicks = 4;

bool isTicked(const Workbench& workbench, const std::string& id, bool otherwise)
{
    const auto decided = workbench.ticks.find(id);
    return decided != workbench.ticks.end() ? decided->second : otherwise;
}

OutcomeRow listedRow(const Candidate& candidate, std::size_t place, const TensorInfo& tensor,
                     const Recipe& chosen, const Workbench& workbench)
{
    OutcomeRow row{.candidate = candidate};
    for (const std::string& id : candidate.recipes)
        row.recipeTitles += QString::fromStdString(recipe(id).title);
    row.isChosenRecipes =
        std::ranges::find(candidate.recipes, chosen.id) != candidate.recipes.end();
    row.isTicked = isTicked(workbench, candidate.id, place < firstTicks || row.isChosenRecipes);
    if (const auto edit = workbench.edits.find(candidate.id); edit != workbench.edits.end()) {
        row.candidate.choice = fittedTo(edit->second, tensor);
        row.isEdited = !row.candidate.choice.isSameComputation(candidate.choice);
    }
    return row;
}

OutcomeRow addedRow(const AddedCandidate& added, const TensorInfo& tensor,
                    const Workbench& workbench)
{
    const auto edit = workbench.edits.find(added.id);
    const bool isEdited = edit != workbench.edits.end();
    return {.candidate = {.id = added.id,
                          .choice = fittedTo(isEdited ? edit->second : added.choice, tensor),
                          .label = added.label,
                          .recipes = {}},
            .origin = OutcomeRow::Origin::Added,
            .isEdited = isEdited,
            .isTicked = isTicked(workbench, added.id, true)};
}

OutcomeRow importedRow(const ImportedRange& imported, const Workbench& workbench)
{
    return {.candidate = {.id = importedId,
                          .choice = importedChoice(imported),
                          .label = importedLabel,
                          .recipes = {}},
            .origin = OutcomeRow::Origin::Imported,
            .isTicked = isTicked(workbench, importedId, true)};
}

OutcomeRow manualRow(const Range& range, const OutcomeRow& schemeOf, const Workbench& workbench)
{
    OutcomeRow row{.candidate = {.id = manualId,
                                 .choice = manualChoice(range, schemeOf.candidate.choice),
                                 .label = manualLabel,
                                 .recipes = {}},
                   .origin = OutcomeRow::Origin::Manual,
                   .isTicked = isTicked(workbench, manualId, true)};
    row.candidate.choice.note = QCoreApplication::translate("OutcomeRow", "uses the scheme of %1")
                                    .arg(QString::fromStdString(schemeOf.candidate.label))
                                    .toStdString();
    return row;
}

}  // namespace

std::vector<OutcomeRow> rowsOf(const TensorInfo& tensor, const std::vector<Candidate>& listed,
                               const Recipe& chosen, const Workbench& workbench)
{
    std::vector<OutcomeRow> rows;
    for (std::size_t place = 0; place < listed.size(); ++place)
        rows.push_back(listedRow(listed[place], place, tensor, chosen, workbench));
    for (const AddedCandidate& added : workbench.added)
        rows.push_back(addedRow(added, tensor, workbench));
    if (const auto imported = workbench.imported.find(tensor.path);
        imported != workbench.imported.end())
        rows.push_back(importedRow(*imported, workbench));
    if (const auto hand = workbench.manualRange.find(tensor.path);
        hand != workbench.manualRange.end() && !rows.empty())
        rows.push_back(manualRow(hand->second, manualSchemeRow(rows, workbench), workbench));
    if (const auto decided = workbench.decisions.find(tensor.path);
        decided != workbench.decisions.end())
        for (OutcomeRow& row : rows)
            row.isAccepted = row.candidate.id == decided->id &&
                             row.candidate.choice.isSameComputation(decided->choice);
    for (OutcomeRow& row : rows)
        row.isBaseline = !workbench.baseline.empty() && row.candidate.id == workbench.baseline;
    return rows;
}

void markProposed(std::vector<OutcomeRow>& rows, const std::string& openCard)
{
    for (OutcomeRow& row : rows)
        row.isOpen = !openCard.empty() && row.candidate.id == openCard;
    auto proposed = rows.begin();
    for (bool OutcomeRow::*mark :
         {&OutcomeRow::isOpen, &OutcomeRow::isAccepted, &OutcomeRow::isChosenRecipes})
        if (const auto found = std::ranges::find(rows, true, mark); found != rows.end()) {
            proposed = found;
            break;
        }
    for (auto row = rows.begin(); row != rows.end(); ++row)
        row->isProposed = row == proposed;
}

const OutcomeRow* proposedRow(std::span<const OutcomeRow> rows)
{
    const auto found = std::ranges::find(rows, true, &OutcomeRow::isProposed);
    return found == rows.end() ? nullptr : &*found;
}

const OutcomeRow* standingRow(std::span<const OutcomeRow> rows)
{
    for (bool OutcomeRow::*mark : {&OutcomeRow::isAccepted, &OutcomeRow::isChosenRecipes})
        if (const auto found = std::ranges::find(rows, true, mark); found != rows.end())
            return &*found;
    return nullptr;
}

std::optional<double> dbAgainst(const OutcomeRow& other, const OutcomeRow& row)
{
    const auto db = [](const OutcomeRow& of) {
        return of.hasResult() ? of.outcome->whole.metric("sqnr_db") : std::nullopt;
    };
    if (!db(row) || !db(other))
        return std::nullopt;
    return *db(row) - *db(other);
}

std::vector<Candidate> candidatesOf(const Document& document, int tensor)
{
    return candidatesFor(document.understood().at(tensor), document.consumers(), recipes());
}

std::vector<OutcomeRow> rowsOf(const Document& document, int tensor)
{
    return rowsOf(document.understood().at(tensor), candidatesOf(document, tensor),
                  document.chosenRecipe(), document.workbench());
}

std::optional<Choice> recipesChoice(const Document& document, int tensor)
{
    return choose(document.chosenRecipe(), document.understood().at(tensor), document.consumers());
}

const OutcomeRow& manualSchemeRow(const std::vector<OutcomeRow>& rows, const Workbench& workbench)
{
    const auto named = std::ranges::find_if(
        rows, [&](const OutcomeRow& row) { return row.candidate.id == workbench.manualScheme; });
    if (named != rows.end())
        return *named;
    const auto chosen = std::ranges::find(rows, true, &OutcomeRow::isChosenRecipes);
    return chosen != rows.end() ? *chosen : rows.front();
}

}  // namespace calibscope
