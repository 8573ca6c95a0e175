#include "ui/document/settle.h"

#include "ui/theme/translate.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace calibscope {

namespace {

const TensorInfo& tensorAt(const Session& session, int tensor)
{
    return session.tensors().at(static_cast<std::size_t>(tensor));
}

/// Recipes are for no integers: they are indices, counts, or quantized already.
bool isSettleable(const TensorInfo& tensor)
{
    return tensor.isReadable() && !tensor.holdsIntegers();
}

using DecisionFor = std::function<std::optional<Decision>(int tensor)>;

Settled settleEach(Session& session, const QString& text, const std::vector<int>& tensors,
                   const std::string& remark, const DecisionFor& decisionFor)
{
    Settled count;
    session.change(text, [&](Workbench& workbench) {
        for (const int tensor : tensors) {
            std::optional<Decision> decision =
                isSettleable(tensorAt(session, tensor)) ? decisionFor(tensor) : std::nullopt;
            if (!decision) {
                ++count.passedBy;
                continue;
            }
            const std::string& path = tensorAt(session, tensor).path;
            decision->remark = remark.empty() ? workbench.decisions.value(path).remark : remark;
            workbench.decisions.insert(path, *std::move(decision));
            ++count.settled;
        }
    });
    return count;
}

}  // namespace

Settled settle(Session& session, const std::vector<int>& tensors, const std::string& candidate,
               const std::string& remark)
{
    return settleEach(session, tr("Accept %1").arg(session.labelOf(candidate)), tensors, remark,
                      [&](int tensor) -> std::optional<Decision> {
                          for (const OutcomeRow& row : session.rowsOfTensor(tensor))
                              if (row.candidate.id == candidate)
                                  return Decision{.id = candidate,
                                                  .label = row.candidate.label,
                                                  .choice = row.candidate.choice,
                                                  .remark = {}};
                          return std::nullopt;
                      });
}

Settled settleByRecipe(Session& session, const std::vector<int>& tensors, const std::string& remark)
{
    const Recipe& recipe = session.chosenRecipe();
    return settleEach(
        session, tr("Accept as %1 chooses").arg(QString::fromStdString(recipe.title)), tensors,
        remark, [&](int tensor) -> std::optional<Decision> {
            std::optional<Choice> choice = session.recipesChoice(tensor);
            if (!choice)
                return std::nullopt;
            const std::vector<OutcomeRow> rows = session.rowsOfTensor(tensor);
            const auto row = std::ranges::find(rows, true, &OutcomeRow::isChosenRecipes);
            const CandidateName name =
                row == rows.end()
                    ? CandidateName{.id = choiceId(*choice), .label = shortLabel(*choice)}
                    : row->candidate.name();
            return Decision{
                .id = name.id, .label = name.label, .choice = *std::move(choice), .remark = {}};
        });
}

void unsettle(Session& session, const std::vector<int>& tensors)
{
    session.change(tr("Clear decision"), [&](Workbench& workbench) {
        for (const int tensor : tensors)
            workbench.decisions.remove(tensorAt(session, tensor).path);
    });
}

void setRemark(Session& session, int tensor, const std::string& remark)
{
    const std::string& path = tensorAt(session, tensor).path;
    session.change(
        tr("Remark"),
        [&](Workbench& workbench) {
            if (const auto found = workbench.decisions.find(path);
                found != workbench.decisions.end())
                found->remark = remark;
        },
        "remark " + QString::fromStdString(path));
}

const Decision* decisionOf(const Session& session, int tensor)
{
    const QMap<std::string, Decision>& decisions = session.workbench().decisions;
    const auto found = decisions.find(tensorAt(session, tensor).path);
    return found == decisions.end() ? nullptr : &*found;
}

std::size_t settledCount(const Session& session)
{
    return static_cast<std::size_t>(session.workbench().decisions.size());
}

std::size_t settleableCount(const Session& session)
{
    return static_cast<std::size_t>(std::ranges::count_if(session.tensors(), isSettleable));
}

std::vector<int> unsettledTensors(const Session& session)
{
    std::vector<int> open;
    for (int tensor = 0; tensor < std::ssize(session.tensors()); ++tensor)
        if (isSettleable(tensorAt(session, tensor)) && !decisionOf(session, tensor))
            open.push_back(tensor);
    return open;
}

}  // namespace calibscope
