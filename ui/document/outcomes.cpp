// The candidates of a tensor and their outcomes, as Session shows them.
#include "ui/document/session.h"

#include "ui/document/manual_range.h"
#include "ui/document/outcome_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

std::vector<Candidate> Session::candidatesOf(int tensor) const
{
    return candidatesFor(this->tensor(tensor), *m_consumers, recipes());
}

std::vector<OutcomeRow> Session::rowsOfTensor(int tensor) const
{
    return rowsOf(this->tensor(tensor), candidatesOf(tensor), *m_recipe, m_workbench);
}

std::optional<Choice> Session::recipesChoice(int tensor) const
{
    return choose(*m_recipe, this->tensor(tensor), *m_consumers);
}

/// What is asked of the engine for that tensor.
std::vector<Candidate> Session::requestesOf(int tensor) const
{
    std::vector<Candidate> requestes;
    const std::vector<Candidate>& listed =
        tensor == m_selected ? m_candidates : candidatesOf(tensor);
    for (OutcomeRow& row : rowsOf(this->tensor(tensor), listed, *m_recipe, m_workbench))
        requestes.push_back(std::move(row.candidate));
    return requestes;
}

std::vector<OutcomeRow> Session::outcomeRows() const
{
    const TensorInfo* tensor = selectedTensor();
    if (!tensor)
        return {};
    std::vector<OutcomeRow> rows = rowsOf(*tensor, m_candidates, *m_recipe, m_workbench);
    for (OutcomeRow& row : rows) {
        const LiveOutcomes::Found found = m_live.find(row.candidate.choice);
        row.isPending = found.isPending || m_reader.state() == ViewReader::State::Reading;
        row.isEstimate = found.isEstimate;
        if (found.outcome)
            row.outcome = found.outcome;
        else if (const auto last = m_lastOutcomes.find(row.candidate.id);
                 found.isPending && last != m_lastOutcomes.end())
            row.outcome = last->second;
    }
    return rows;
}

/// What a row shows until there is something of its changed choice.
void Session::rememberOutcomes()
{
    const TensorInfo* tensor = selectedTensor();
    if (!tensor)
        return;
    for (const OutcomeRow& row : rowsOf(*tensor, m_candidates, *m_recipe, m_workbench)) {
        if (!row.isEdited && row.origin == OutcomeRow::Origin::Listed)
            continue;
        if (SharedOutcome known = m_live.find(row.candidate.choice).outcome)
            m_lastOutcomes[row.candidate.id] = std::move(known);
    }
}

void Session::wantOutcomes()
{
    if (m_selected < 0)
        return;
    std::vector<Choice> choices;
    for (Candidate& candidate : requestesOf(m_selected))
        choices.push_back(std::move(candidate.choice));
    m_live.want(choices);
}

void Session::setManualRange(const Range& range, bool isFinal)
{
    const TensorInfo* tensor = selectedTensor();
    if (!tensor || m_candidates.empty())
        return;
    Range hand = handRange(range);
    const std::vector<OutcomeRow> rows = rowsOf(*tensor, m_candidates, *m_recipe, m_workbench);
    if (!handSchemeRow(rows, m_workbench).candidate.choice.scheme.isAffine()) {
        const double threshold = std::max(-hand.low, hand.high);
        hand = {.low = -threshold, .high = threshold};
    }
    change(
        tr("Set manual range"),
        [&](Workbench& workbench) { workbench.manualRange[tensor->path] = hand; },
        "by hand " + QString::fromStdString(tensor->path));
    if (isFinal)
        endMerge();
}

void Session::setManualRange(double threshold, bool isFinal)
{
    setManualRange(Range{-std::abs(threshold), std::abs(threshold)}, isFinal);
}

void Session::clearManualRange()
{
    if (const TensorInfo* tensor = selectedTensor())
        change(tr("Clear manual range"),
               [tensor](Workbench& workbench) { workbench.manualRange.erase(tensor->path); });
}

std::optional<Range> Session::manualRange() const
{
    const TensorInfo* tensor = selectedTensor();
    if (!tensor)
        return std::nullopt;
    const auto found = m_workbench.manualRange.find(tensor->path);
    return found == m_workbench.manualRange.end() ? std::nullopt : std::optional{found->second};
}

void Session::setManualScheme(const std::string& candidate)
{
    change(tr("Scheme of the manual range"),
           [&candidate](Workbench& workbench) { workbench.manualScheme = candidate; });
}

std::string Session::manualScheme() const
{
    const TensorInfo* tensor = selectedTensor();
    if (!tensor || m_candidates.empty())
        return {};
    const std::vector<OutcomeRow> rows = rowsOf(*tensor, m_candidates, *m_recipe, m_workbench);
    return handSchemeRow(rows, m_workbench).candidate.id;
}

}  // namespace calibscope
