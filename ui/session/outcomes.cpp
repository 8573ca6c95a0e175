// The candidates of a tensor and their outcomes, as Session shows them.
#include "ui/session.h"

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

/// Drawn unless the user decided otherwise: min-max, percentile, both readings of entropy.
constexpr std::size_t firstTicks = 4;

}  // namespace

std::vector<Candidate> Session::candidatesOf(int tensor) const
{
    return candidatesFor(this->tensor(tensor), *m_consumers, recipes());
}

bool Session::isTicked(const Candidate& candidate, std::size_t place) const
{
    const auto decided = m_workbench.ticks.find(candidate.label);
    return decided != m_workbench.ticks.end() ? decided->second
                                              : place < firstTicks || isChosenRecipes(candidate);
}

bool Session::isChosenRecipes(const Candidate& candidate) const
{
    return std::ranges::find(candidate.recipes, m_recipe->id) != candidate.recipes.end();
}

std::vector<OutcomeRow> Session::outcomeRows() const
{
    const serve::TensorView* view = m_reader.view();
    std::vector<OutcomeRow> rows;
    for (std::size_t place = 0; place < m_candidates.size(); ++place) {
        const Candidate& candidate = m_candidates[place];
        OutcomeRow row{.candidate = candidate,
                       .recipeTitles = {},
                       .isTicked = isTicked(candidate, place),
                       .isChosenRecipes = isChosenRecipes(candidate),
                       .isPending = m_reader.state() == ViewReader::State::Reading,
                       .outcome = {}};
        for (const std::string& id : candidate.recipes)
            row.recipeTitles += QString::fromStdString(recipe(id).title);
        if (view && place < view->outcomes.size())
            row.outcome = view->outcomes[place];
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace calibscope
