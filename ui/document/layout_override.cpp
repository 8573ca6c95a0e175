// How Session understands tensors otherwise than their file says.
#include "ui/document/session.h"

#include <algorithm>

namespace calibscope {

void Session::understand(const std::vector<int>& tensors, const LayoutOverride& layoutOverride)
{
    std::vector<int> able;
    std::ranges::copy_if(tensors, std::back_inserter(able),
                         [&](int tensor) { return m_tensors.allows(tensor, layoutOverride); });
    say(layoutOverride.isEmpty() ? tr("Reset layout") : tr("Change layout"), able,
        {.layoutOverride = layoutOverride});
}

void Session::confirm(const std::vector<int>& tensors)
{
    std::vector<int> guessed;
    std::ranges::copy_if(tensors, std::back_inserter(guessed),
                         [this](int place) { return tensor(place).isGuess; });
    say(tr("Confirm the guess"), guessed, {.layoutOverride = {}, .isConfirmed = true});
}

void Session::say(const QString& text, const std::vector<int>& tensors, const TensorSaid& words)
{
    change(text, [&](Workbench& workbench) {
        for (const int place : tensors) {
            if (words == TensorSaid{})
                workbench.said.remove(tensor(place).path);
            else
                workbench.said.insert(tensor(place).path, words);
        }
    });
}

void Session::applySaid()
{
    const DumpTensors::Changed changed = m_tensors.saySolely(m_workbench.said);
    if (!changed.anew.empty())
        readAnew(changed.anew);
    if (!changed.confirmed.empty())
        Q_EMIT tensorsChanged(changed.confirmed, true);
}

void Session::readAnew(const std::vector<int>& tensors)
{
    m_consumers.emplace(this->tensors());
    std::vector<int> readable;
    for (const int changed : tensors) {
        m_previews.erase(changed);
        m_failedPreviews.erase(changed);
        if (tensor(changed).isReadable())
            readable.push_back(changed);
    }
    m_background.setViews({});
    m_background.withdraw(tensors);
    m_matrix.dropTensors(tensors);
    Q_EMIT tensorsChanged(tensors, false);
    m_background.addFirst(readable);
    if (std::ranges::find(tensors, m_selected) != tensors.end())
        select(m_selected);
}

}  // namespace calibscope
