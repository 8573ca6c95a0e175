// What Comparison asks of a pair, and which one is looked at.
#include "ui/document/comparison.h"

#include "core/recipes/recipe.h"
#include "ui/document/rows.h"
#include "ui/queries/dump_requests.h"

#include <utility>

namespace calibscope {

namespace {

protocol::RecordedTensor recordedAt(const TensorAddress& address)
{
    return {.path = address.path,
            .allowExternal = address.allowExternal,
            .tensor = static_cast<std::uint64_t>(address.tensor),
            .layoutOverride = address.layoutOverride};
}

}  // namespace

protocol::RecordedTensor Comparison::recorded(int tensorOfB) const
{
    return {.path = m_with.path,
            .allowExternal = false,
            .tensor = static_cast<std::uint64_t>(tensorOfB),
            .layoutOverride = m_tensors.layoutOverride(tensorOfB)};
}

/// What is ticked, and the chosen recipe's.
DriftReader::Question Comparison::question(int pair)
{
    const TensorPair& places = m_matches.pairs.at(static_cast<std::size_t>(pair));
    const int a = static_cast<int>(places.a);
    DriftReader::Question question;
    question.request = {.a = recordedAt(m_session.addressOf(a)),
                        .b = recorded(static_cast<int>(places.b)),
                        .choices = {},
                        .exactMetrics = false};
    if (!m_consumers)
        m_consumers.emplace(m_session.tensors());
    const TensorInfo& tensor = m_session.tensors().at(places.a);
    for (OutcomeRow& row : rowsOf(tensor, candidatesFor(tensor, *m_consumers, recipes()),
                                  m_session.chosenRecipe(), m_session.workbench())) {
        if (!row.isTicked && !row.isChosenRecipes)
            continue;
        if (row.isChosenRecipes && question.recipeLabel.empty())
            question.recipeLabel = row.candidate.label;
        question.labels.push_back(std::move(row.candidate.label));
        question.request.choices.push_back(std::move(row.candidate.choice));
    }
    return question;
}

void Comparison::lookAtB(int tensor)
{
    if (tensor == std::exchange(m_onlyB, tensor))
        return;
    look();
    Q_EMIT lookedAtChanged();
}

int Comparison::lookedAtA() const
{
    return m_onlyB >= 0 ? -1 : m_session.selected();
}

int Comparison::lookedAtB() const
{
    if (m_onlyB >= 0)
        return m_onlyB;
    const int pair = pairOfA(m_session.selected());
    return pair < 0 ? -1 : static_cast<int>(m_matches.pairs[static_cast<std::size_t>(pair)].b);
}

void Comparison::setLooking(bool isLooking)
{
    if (isLooking != std::exchange(m_isLooking, isLooking))
        look();
}

void Comparison::look()
{
    const int a = lookedAtA();
    const int b = lookedAtB();
    if (!m_isLooking || m_state == State::None || m_pairOfB.empty() || (a < 0 && b < 0))
        return m_looked.clear();
    PairReader::Request request;
    if (a >= 0)
        request.a = viewRequest(m_session.addressOf(a), {});
    if (b >= 0) {
        const protocol::RecordedTensor tensor = recorded(b);
        request.b = viewRequest({.path = tensor.path,
                                 .allowExternal = false,
                                 .tensor = b,
                                 .layoutOverride = tensor.layoutOverride},
                                {});
    }
    if (a >= 0 && b >= 0) {
        DriftReader::Question asked = question(pairOfA(a));
        asked.request.exactMetrics = true;
        request.both = std::move(asked.request);
        request.labels = std::move(asked.labels);
    }
    m_looked.show(std::move(request));
}

}  // namespace calibscope
