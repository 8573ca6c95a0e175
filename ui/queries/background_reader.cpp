// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/background_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace calibscope {

BackgroundReader::BackgroundReader(Engine& engine, PreviewOf previewOf, QObject* parent)
    : QObject(parent), m_engine(engine), m_previewOf(std::move(previewOf))
{
    // Nobody waits for it, so nobody needs to be asked.
    connect(&engine, &Engine::engineStalled, this, [this] { m_engine.restart(); });
}

void BackgroundReader::setPreviews(const std::vector<int>& tensors)
{
    m_asked.clear();
    m_previews.replace(tensors);
    m_retried.clear();
    startNext();
}

void BackgroundReader::withdraw(const std::vector<int>& tensors)
{
    for (const int tensor : tensors) {
        std::erase_if(m_asked, [tensor](const Asked& asked) { return asked.tensor == tensor; });
        m_previews.remove(tensor);
        m_retried.erase(tensor);
    }
    startNext();
}

void BackgroundReader::addFirst(const std::vector<int>& tensors)
{
    for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor)
        m_previews.addFirst(*tensor);
    startNext();
}

void BackgroundReader::narrow(const std::vector<int>& tensors)
{
    std::vector<int> waiting;
    std::ranges::copy_if(tensors, std::back_inserter(waiting), [this](int tensor) {
        return std::ranges::find(m_asked, tensor, &Asked::tensor) == m_asked.end();
    });
    m_previews.replace(waiting);
    startNext();
}

void BackgroundReader::setViews(std::vector<protocol::ViewRequest> views)
{
    dropView();
    m_views.assign(views.begin(), views.end());
    if (!m_views.empty())
        putBackPreviews();
    startNext();
}

void BackgroundReader::setPaused(bool paused)
{
    m_isPaused = paused;
    if (paused) {
        // The user's own request may well be for the same tensor.
        dropView();
        m_views.clear();
        putBackPreviews();
    }
    startNext();
}

void BackgroundReader::clear()
{
    m_previews.clear();
    m_views.clear();
    m_asked.clear();
    m_view.drop();
}

std::size_t BackgroundReader::previewsLeft() const
{
    return m_previews.size() + m_asked.size();
}

bool BackgroundReader::isIdle() const
{
    return !m_view.isAtWork() && m_asked.empty() && m_previews.isEmpty() && m_views.empty();
}

void BackgroundReader::putBackPreviews()
{
    while (m_asked.size() > 1) {
        const int tensor = m_asked.back().tensor;
        m_asked.pop_back();
        m_previews.addFirst(tensor);
    }
}

void BackgroundReader::startNext()
{
    if (m_view.isAtWork() || m_isPaused)
        return;
    if (!m_views.empty()) {
        if (!m_asked.empty())
            return;  // the one at work is finished first
        const protocol::ViewRequest request = std::move(m_views.front());
        m_views.pop_front();
        return startView(request);
    }
    while (m_asked.size() < m_mostAsked) {
        const std::optional<int> tensor = m_previews.take();
        if (!tensor)
            break;
        startPreview(*tensor);
    }
    if (m_asked.empty())
        Q_EMIT idle();
}

void BackgroundReader::startPreview(int tensor)
{
    Asked& asked = m_asked.emplace_back();
    asked.tensor = tensor;
    asked.request.ask(
        m_engine, m_previewOf(tensor),
        [this, tensor](const Answer<protocol::Preview>& answer) { finishPreview(tensor, answer); });
}

void BackgroundReader::finishPreview(int tensor, const Answer<protocol::Preview>& answer)
{
    std::erase_if(m_asked, [tensor](const Asked& asked) { return asked.tensor == tensor; });
    if (answer.value)
        Q_EMIT previewTaken(tensor, *answer.value);
    else if (answer.engineDied && m_retried.insert(tensor).second)
        m_previews.add(tensor);
    else if (!answer.wasCancelled)
        Q_EMIT previewFailed(tensor, answer.failure);
    startNext();
}

void BackgroundReader::startView(const protocol::ViewRequest& request)
{
    m_view.ask(m_engine, request, [this, request](const Answer<protocol::TensorView>& answer) {
        // A failure is reported when the tensor is chosen.
        if (answer.value)
            Q_EMIT viewRead(request, *answer.value);
        startNext();
    });
}

}  // namespace calibscope
