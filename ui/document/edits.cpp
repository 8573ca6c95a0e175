// Candidates that the user changes and adds.
#include "ui/document/session.h"

#include "ui/document/outcome_rows.h"

#include <algorithm>

namespace calibscope {

namespace {

/// The label, numbered if others are called the same.
std::string unique(const std::string& label, const std::vector<OutcomeRow>& rows,
                   const Workbench& workbench)
{
    const auto isTaken = [&](const std::string& requested) {
        return requested == manualLabel ||
               std::ranges::any_of(
                   workbench.added,
                   [&](const AddedCandidate& added) { return added.label == requested; }) ||
               std::ranges::any_of(
                   rows, [&](const OutcomeRow& row) { return row.candidate.label == requested; });
    };
    std::string requested = label;
    for (int number = 2; isTaken(requested); ++number)
        requested = label + " (" + std::to_string(number) + ")";
    return requested;
}

}  // namespace

void Session::editChoice(const std::string& label, const Choice& choice, const QString& gesture)
{
    const QString shown = QString::fromStdString(label);
    Choice own = choice;
    own.rangeFrom.clear();  // what it takes from others belongs to one tensor
    change(
        tr("Change %1").arg(shown),
        [&](Workbench& workbench) { workbench.edits.insert_or_assign(label, own); },
        gesture.isEmpty() ? QString() : "edit " + shown + " " + gesture);
}

void Session::resetChoice(const std::string& label)
{
    change(tr("Reset %1").arg(QString::fromStdString(label)),
           [&label](Workbench& workbench) { workbench.edits.erase(label); });
}

std::string Session::addChoice(const Choice& choice)
{
    const std::vector<OutcomeRow> rows = outcomeRows();
    const auto same = std::ranges::find_if(rows, [&choice](const OutcomeRow& row) {
        return row.origin != OutcomeRow::Origin::Manual &&
               row.candidate.choice.isSameComputation(choice);
    });
    if (same != rows.end()) {
        setTicked(same->candidate.label, true);
        return same->candidate.label;
    }
    Choice own = choice;
    own.rangeFrom.clear();
    const std::string label = unique(shortLabel(own), rows, m_workbench);
    change(tr("Add %1").arg(QString::fromStdString(label)), [&](Workbench& workbench) {
        workbench.added.push_back({.label = label, .choice = own});
    });
    return label;
}

void Session::removeAdded(const std::string& label)
{
    change(tr("Remove %1").arg(QString::fromStdString(label)), [&label](Workbench& workbench) {
        std::erase_if(workbench.added,
                      [&label](const AddedCandidate& added) { return added.label == label; });
        workbench.edits.erase(label);
        workbench.ticks.erase(label);
        if (workbench.baseline == label)
            workbench.baseline.clear();
    });
}

}  // namespace calibscope
