// Candidates that the user changes and adds.
#include "ui/document/session.h"

#include "ui/document/outcome_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace calibscope {

namespace {

/// The id, or the label, numbered if others have the same.
std::string unique(const std::string& text, std::string CandidateName::*part,
                   const std::vector<CandidateName>& others, const char* pattern)
{
    std::string requested = text;
    for (int number = 2; std::ranges::find(others, requested, part) != others.end(); ++number)
        requested = fmt::format(fmt::runtime(pattern), text, number);
    return requested;
}

}  // namespace

void Session::editChoice(const std::string& candidate, const Choice& choice, const QString& gesture)
{
    Choice own = choice;
    own.rangeFrom.clear();  // what it takes from others belongs to one tensor
    change(
        tr("Change %1").arg(labelOf(candidate)),
        [&](Workbench& workbench) { workbench.edits.insert_or_assign(candidate, own); },
        gesture.isEmpty() ? QString()
                          : "edit " + QString::fromStdString(candidate) + " " + gesture);
}

void Session::resetChoice(const std::string& candidate)
{
    change(tr("Reset %1").arg(labelOf(candidate)),
           [&candidate](Workbench& workbench) { workbench.edits.erase(candidate); });
}

std::string Session::addChoice(const Choice& choice)
{
    const std::vector<OutcomeRow> rows = outcomeRows();
    const auto same = std::ranges::find_if(rows, [&choice](const OutcomeRow& row) {
        return row.origin != OutcomeRow::Origin::Manual &&
               row.candidate.choice.isSameComputation(choice);
    });
    if (same != rows.end()) {
        setTicked(same->candidate.id, true);
        return same->candidate.id;
    }
    Choice own = choice;
    own.rangeFrom.clear();
    std::vector<CandidateName> others = {{.id = manualId, .label = manualLabel}};
    for (const OutcomeRow& row : rows)
        others.push_back(row.candidate.name());
    for (const AddedCandidate& added : m_workbench.added)
        others.push_back({.id = added.id, .label = added.label});
    const AddedCandidate added{
        .id = unique(choiceId(own), &CandidateName::id, others, "{}#{}"),
        .label = unique(shortLabel(own), &CandidateName::label, others, "{} ({})"),
        .choice = own};
    change(tr("Add %1").arg(QString::fromStdString(added.label)),
           [&](Workbench& workbench) { workbench.added.push_back(added); });
    return added.id;
}

void Session::removeAdded(const std::string& candidate)
{
    change(tr("Remove %1").arg(labelOf(candidate)), [&candidate](Workbench& workbench) {
        std::erase_if(workbench.added,
                      [&candidate](const AddedCandidate& added) { return added.id == candidate; });
        workbench.edits.erase(candidate);
        workbench.ticks.erase(candidate);
        if (workbench.baseline == candidate)
            workbench.baseline.clear();
    });
}

}  // namespace calibscope
