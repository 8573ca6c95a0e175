#include "ui/queries/background_reader.h"

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
    dropPreview();
    m_previews.replace(tensors);
    m_retried.clear();
    startNext();
}

void BackgroundReader::withdraw(const std::vector<int>& tensors)
{
    for (const int tensor : tensors) {
        if (tensor == m_previewdAt)
            dropPreview();
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

void BackgroundReader::setViews(std::vector<protocol::ViewRequest> views)
{
    dropView();
    m_views.assign(views.begin(), views.end());
    startNext();
}

void BackgroundReader::setPaused(bool paused)
{
    m_isPaused = paused;
    if (paused) {
        // The user's own request may well be for the same tensor.
        dropView();
        m_views.clear();
    }
    startNext();
}

void BackgroundReader::clear()
{
    m_previews.clear();
    m_views.clear();
    m_isReadingView = false;
    m_previewdAt = -1;
    m_request.drop();
}

std::size_t BackgroundReader::previewsLeft() const
{
    return m_previews.size() + (m_previewdAt >= 0 ? 1 : 0);
}

bool BackgroundReader::isIdle() const
{
    return !m_request.isAtWork() && m_previews.isEmpty() && m_views.empty();
}

void BackgroundReader::dropView()
{
    if (!m_isReadingView)
        return;
    m_isReadingView = false;
    m_request.drop();
}

void BackgroundReader::dropPreview()
{
    if (std::exchange(m_previewdAt, -1) >= 0)
        m_request.drop();
}

void BackgroundReader::startNext()
{
    if (m_request.isAtWork() || m_isPaused)
        return;
    if (!m_views.empty()) {
        const protocol::ViewRequest request = std::move(m_views.front());
        m_views.pop_front();
        startView(request);
    } else if (const std::optional<int> tensor = m_previews.take()) {
        startPreview(*tensor);
    } else {
        Q_EMIT idle();
    }
}

void BackgroundReader::startPreview(int tensor)
{
    m_request.ask(m_engine, m_previewOf(tensor),
                  [this, tensor](const Answer<protocol::Preview>& answer) {
                      m_previewdAt = -1;
                      if (answer.value)
                          Q_EMIT previewTaken(tensor, *answer.value);
                      else if (answer.engineDied && m_retried.insert(tensor).second)
                          m_previews.add(tensor);
                      else if (!answer.wasCancelled)
                          Q_EMIT previewFailed(tensor, answer.failure);
                      startNext();
                  });
    m_previewdAt = tensor;
}

void BackgroundReader::startView(const protocol::ViewRequest& request)
{
    m_request.ask(m_engine, request, [this, request](const Answer<protocol::TensorView>& answer) {
        m_isReadingView = false;
        // A failure is told when the tensor is chosen.
        if (answer.value)
            Q_EMIT viewRead(request, *answer.value);
        startNext();
    });
    m_isReadingView = true;
}

}  // namespace calibscope
