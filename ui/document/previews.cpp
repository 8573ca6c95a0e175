// The previews that Session has.
#include "ui/document/session.h"

#include <algorithm>

namespace calibscope {

const protocol::Preview* Session::preview(int tensor) const
{
    const auto found = m_previews.find(tensor);
    return found == m_previews.end() ? nullptr : &found->second;
}

void Session::startPreviews()
{
    std::vector<int> readable;
    for (int place = 0; place < std::ssize(tensors()); ++place)
        if (tensor(place).isReadable())
            readable.push_back(place);
    m_background.setPreviews(readable);
}

void Session::takePreview(int tensor, protocol::Preview preview)
{
    if (const protocol::TensorView* view = m_reader.find(addressOf(tensor)))
        if (const std::optional<double> exact = sqnrUnderRecipe(tensor, *view))
            preview.sqnrDb = exact;
    m_previews[tensor] = preview;
    Q_EMIT previewTaken(tensor, preview);
}

/// What could be read for a view can have a preview: the failure was not the
/// tensor's.
void Session::previewAgain()
{
    if (m_reader.view() && m_failedPreviews.erase(m_selected) > 0)
        m_background.addFirst({m_selected});
}

/// A preview estimates; the list must not tell another number than the table
/// beside it.
void Session::shareExactSqnr()
{
    const auto taken = m_previews.find(m_selected);
    if (taken != m_previews.end() && m_reader.view())
        takePreview(m_selected, taken->second);
}

std::optional<double> Session::sqnrUnderRecipe(int tensor, const protocol::TensorView& view) const
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
