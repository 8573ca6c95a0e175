// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/deploy_results.h"

#include <algorithm>
#include <utility>

namespace calibscope {

bool DeployResults::isEmpty() const
{
    return !plan && !isWritten && !report && !improvements && rungs.empty() && endShares.empty() &&
           endBest.empty() && budget.empty();
}

void DeployResults::forgetEnd()
{
    endShares.clear();
    endBest.clear();
    budget.clear();
}

void DeployResults::forgetLadder()
{
    rungs.clear();
    ladderText.clear();
    writtenImproved.clear();
}

void DeployResults::forgetWritten()
{
    report.reset();
    isWritten = false;
}

StoredResults::State& StoredResults::of(const Decisions& decisions,
                                        const std::set<std::string>& leftOut)
{
    constexpr std::size_t most = 8;
    std::erase_if(m_states, [&](const State& state) {
        return state.decisions == decisions && state.leftOut != leftOut;
    });
    const auto known = std::ranges::find(m_states, decisions, &State::decisions);
    if (known != m_states.end())
        return *known;
    if (m_states.size() == most)
        m_states.erase(m_states.begin());
    return m_states.emplace_back(State{.decisions = decisions, .leftOut = leftOut});
}

std::optional<StoredResults::State> StoredResults::take(const Decisions& decisions)
{
    const auto known = std::ranges::find(m_states, decisions, &State::decisions);
    if (known == m_states.end())
        return std::nullopt;
    State state = std::move(*known);
    m_states.erase(known);
    return state;
}

void StoredResults::forgetEnd()
{
    for (State& state : m_states)
        state.results.forgetEnd();
}

void StoredResults::forgetWritten()
{
    for (State& state : m_states)
        state.results.forgetWritten();
}

}  // namespace calibscope
