// Candidates on all tensors, and one candidate turned into another.
#include "ui/document/session.h"

#include "ui/document/outcome_rows.h"

#include <algorithm>

namespace calibscope {

namespace {

/// Ids of the candidates of which something else is computed than before.
std::set<std::string> changedCandidates(const Workbench& before, const Workbench& now)
{
    std::set<std::string> ids;
    const auto compare = [&ids](const auto& one, const auto& other) {
        for (const auto& [id, choice] : one)
            if (const auto found = other.find(id);
                found == other.end() || !(found->second == choice))
                ids.insert(id);
    };
    compare(before.edits, now.edits);
    compare(now.edits, before.edits);
    if (before.manualRange != now.manualRange || before.manualScheme != now.manualScheme ||
        before.recipe != now.recipe)
        ids.insert(manualId);
    for (const AddedCandidate& added : before.added)
        if (std::ranges::find(now.added, added) == now.added.end())
            ids.insert(added.id);
    return ids;
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
    MatrixReader::Question question{.request = viewRequest(addressOf(tensor), {}),
                                    .candidates = {}};
    question.request.histograms.clear();
    question.request.curves = false;
    for (OutcomeRow& row :
         rowsOf(this->tensor(tensor), candidatesOf(tensor), *m_recipe, m_workbench)) {
        if (m_isMatrixTickedOnly && !row.isTicked)
            continue;
        question.candidates.push_back(row.candidate.name());
        question.request.choices.push_back(std::move(row.candidate.choice));
    }
    return question;
}

void Session::dropFromMatrix(const Workbench& before)
{
    const std::set<std::string> ids = changedCandidates(before, m_workbench);
    if (!ids.empty())
        m_matrix.dropColumns(ids);
    for (const AddedCandidate& added : before.added)
        if (std::ranges::find(m_workbench.added, added.id, &AddedCandidate::id) ==
            m_workbench.added.end())
            m_matrix.removeColumn(added.id);
}

void Session::explain(const std::string& from, const std::string& to)
{
    const std::vector<OutcomeRow> rows = outcomeRows();
    const auto find = [&rows](const std::string& id) {
        return std::ranges::find_if(
            rows, [&id](const OutcomeRow& row) { return row.candidate.id == id; });
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
