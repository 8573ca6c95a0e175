// What Session keeps of what was found at a glance.
#include "ui/document/session.h"

#include <algorithm>

namespace calibscope {

const serve::Glance* Session::glance(int tensor) const
{
    const auto found = m_glances.find(tensor);
    return found == m_glances.end() ? nullptr : &found->second;
}

void Session::startGlances()
{
    std::vector<int> readable;
    for (int place = 0; place < std::ssize(tensors()); ++place)
        if (tensor(place).isReadable())
            readable.push_back(place);
    m_background.setGlances(readable);
}

void Session::takeGlance(int tensor, serve::Glance glance)
{
    if (const serve::TensorView* view = m_reader.find(keyOf(tensor)))
        if (const std::optional<double> exact = sqnrUnderRecipe(tensor, *view))
            glance.sqnrDb = exact;
    m_glances[tensor] = glance;
    Q_EMIT glanceTaken(tensor, glance);
}

/// What could be read for a view can be glanced at: the failure was not the
/// tensor's.
void Session::glanceAgain()
{
    if (m_reader.view() && m_failedGlances.erase(m_selected) > 0)
        m_background.addFirst({m_selected});
}

/// A glance estimates; the list must not tell another number than the table
/// beside it.
void Session::shareExactSqnr()
{
    const auto taken = m_glances.find(m_selected);
    if (taken != m_glances.end() && m_reader.view())
        takeGlance(m_selected, taken->second);
}

std::optional<double> Session::sqnrUnderRecipe(int tensor, const serve::TensorView& view) const
{
    const std::vector<Candidate> candidates = candidatesOf(tensor);
    const auto chosen = std::ranges::find_if(candidates, [this](const Candidate& candidate) {
        return std::ranges::find(candidate.recipes, m_recipe->id) != candidate.recipes.end();
    });
    if (chosen == candidates.end())
        return std::nullopt;
    const auto outcome = std::ranges::find_if(view.outcomes, [&chosen](const Outcome& known) {
        return known.choice.isSameComputation(chosen->choice);
    });
    return outcome == view.outcomes.end() ? std::nullopt : outcome->whole.metric("sqnr_db");
}

}  // namespace calibscope
