#include "ui/background_reader.h"

#include <memory>
#include <utility>

namespace calibscope {

BackgroundReader::BackgroundReader(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine)
{
    // Nobody waits for it, so nobody needs to be asked.
    connect(&engine, &Engine::engineStalled, this, [this] { m_engine.restart(); });
}

void BackgroundReader::setGlances(std::vector<serve::GlanceRequest> glances)
{
    if (!m_isReadingView)
        if (const quint64 dropped = std::exchange(m_request, 0))
            m_engine.cancel(dropped);
    m_glances.assign(glances.begin(), glances.end());
    m_retried.clear();
    startNext();
}

void BackgroundReader::addGlance(serve::GlanceRequest glance)
{
    m_glances.push_back(std::move(glance));
    startNext();
}

void BackgroundReader::setViews(std::vector<serve::ViewRequest> views)
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
    m_glances.clear();
    m_views.clear();
    m_isReadingView = false;
    if (const quint64 dropped = std::exchange(m_request, 0))
        m_engine.cancel(dropped);
}

std::size_t BackgroundReader::glancesLeft() const
{
    return m_glances.size() + (m_request != 0 && !m_isReadingView ? 1 : 0);
}

bool BackgroundReader::isIdle() const
{
    return m_request == 0 && m_glances.empty() && m_views.empty();
}

void BackgroundReader::dropView()
{
    if (!m_isReadingView)
        return;
    m_isReadingView = false;
    m_engine.cancel(std::exchange(m_request, 0));
}

void BackgroundReader::startNext()
{
    if (m_request != 0 || m_isPaused)
        return;
    if (!m_views.empty()) {
        const serve::ViewRequest request = std::move(m_views.front());
        m_views.pop_front();
        startView(request);
    } else if (!m_glances.empty()) {
        const serve::GlanceRequest request = std::move(m_glances.front());
        m_glances.pop_front();
        startGlance(request);
    } else {
        Q_EMIT idle();
    }
}

void BackgroundReader::startGlance(const serve::GlanceRequest& request)
{
    const int tensor = static_cast<int>(request.tensor);
    const auto number = std::make_shared<quint64>(0);
    m_request = m_engine.glance(
        request, [this, request, tensor, number](const Answer<serve::Glance>& answer) {
            if (*number != m_request)
                return;
            m_request = 0;
            if (answer.value)
                Q_EMIT glanceTaken(tensor, *answer.value);
            else if (answer.engineDied && m_retried.insert(request.tensor).second)
                m_glances.push_back(request);
            else if (!answer.wasCancelled)
                Q_EMIT glanceFailed(tensor, answer.failure);
            startNext();
        });
    *number = m_request;
}

void BackgroundReader::startView(const serve::ViewRequest& request)
{
    const int tensor = static_cast<int>(request.tensor);
    const auto number = std::make_shared<quint64>(0);
    m_request =
        m_engine.view(request, [this, tensor, number](const Answer<serve::TensorView>& answer) {
            if (*number != m_request)
                return;
            m_request = 0;
            m_isReadingView = false;
            // A failure is told when the tensor is chosen.
            if (answer.value)
                Q_EMIT viewRead(tensor, *answer.value);
            startNext();
        });
    *number = m_request;
    m_isReadingView = true;
}

}  // namespace calibscope
