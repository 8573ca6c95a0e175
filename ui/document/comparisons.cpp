// Candidates on all tensors, and one candidate turned into another.
#include "ui/document/session.h"

#include "ui/document/outcome_rows.h"

#include <algorithm>

namespace calibscope {

namespace {

/// Labels of which something else is computed than before.
std::set<std::string> changedLabels(const Workbench& before, const Workbench& now)
{
    std::set<std::string> labels;
    const auto compare = [&labels](const auto& one, const auto& other) {
        for (const auto& [label, choice] : one)
            if (const auto found = other.find(label);
                found == other.end() || !(found->second == choice))
                labels.insert(label);
    };
    compare(before.edits, now.edits);
    compare(now.edits, before.edits);
    if (before.manualRange != now.manualRange || before.manualScheme != now.manualScheme ||
        before.recipe != now.recipe)
        labels.insert(manualLabel);
    for (const AddedCandidate& added : before.added)
        if (std::ranges::find(now.added, added) == now.added.end())
            labels.insert(added.label);
    return labels;
}

}  // namespace

void Session::startMatrix(bool tickedOnly)
{
    m_isMatrixTickedOnly = tickedOnly;
    std::vector<int> readable;
    for (int place = 0; place < std::ssize(tensors()); ++place)
        if (tensor(place).isReadable() && !isExcluded(place))
            readable.push_back(place);
    m_matrix.start(readable);
}

MatrixReader::Question Session::matrixQuestion(int tensor) const
{
    MatrixReader::Question question{.request = viewRequest(addressOf(tensor), {}), .labels = {}};
    question.request.histograms.clear();
    question.request.curves = false;
    for (OutcomeRow& row :
         rowsOf(this->tensor(tensor), candidatesOf(tensor), *m_recipe, m_workbench)) {
        if (m_isMatrixTickedOnly && !row.isTicked)
            continue;
        question.labels.push_back(std::move(row.candidate.label));
        question.request.choices.push_back(std::move(row.candidate.choice));
    }
    return question;
}

void Session::dropFromMatrix(const Workbench& before)
{
    const std::set<std::string> labels = changedLabels(before, m_workbench);
    if (!labels.empty())
        m_matrix.dropColumns(labels);
    for (const AddedCandidate& added : before.added)
        if (std::ranges::find(m_workbench.added, added.label, &AddedCandidate::label) ==
            m_workbench.added.end())
            m_matrix.removeColumn(added.label);
}

void Session::explain(const std::string& from, const std::string& to)
{
    const std::vector<OutcomeRow> rows = outcomeRows();
    const auto find = [&rows](const std::string& label) {
        return std::ranges::find_if(
            rows, [&label](const OutcomeRow& row) { return row.candidate.label == label; });
    };
    const auto first = find(from);
    const auto last = find(to);
    if (first == rows.end() || last == rows.end() || !selectedTensor()->isReadable())
        return;
    TensorRef address = addressOf(m_selected);
    address.part = m_part;
    m_explanation.explain(viewRequest(address, {}), first->candidate.choice,
                          last->candidate.choice);
}

}  // namespace calibscope
