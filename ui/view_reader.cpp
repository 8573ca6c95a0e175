#include "ui/view_reader.h"

#include <utility>

namespace calibscope {

namespace {

/// Some 100 KiB each; a weight with thousands of channels some MiB.
constexpr int keptViews = 48;

ViewKey keyOf(const serve::ViewRequest& request)
{
    return {.tensor = request.tensor, .understanding = request.understanding};
}

}  // namespace

ViewReader::ViewReader(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine), m_views(keptViews)
{
    connect(&engine, &Engine::progressed, this,
            [this](quint64 request, quint64 done, quint64 total, const QString&) {
                if (request == m_request && total > 0)
                    Q_EMIT progressed(static_cast<double>(done) / static_cast<double>(total));
            });
}

void ViewReader::show(const serve::ViewRequest& request)
{
    drop();
    m_wanted = request;
    if (const View* known = m_views.object(keyOf(request))) {
        m_view = *known;
        setState(State::Ready);
        return;
    }
    const auto handler = std::make_shared<quint64>(0);
    m_request = m_engine.view(request, [this, handler](Answer<serve::TensorView> answer) {
        if (*handler == m_request)
            finish(std::move(answer));
    });
    *handler = m_request;
    setState(State::Reading);
}

void ViewReader::showNothing()
{
    drop();
    setState(State::Idle);
}

void ViewReader::forget()
{
    m_views.clear();
    showNothing();
}

void ViewReader::stop()
{
    if (m_state != State::Reading)
        return;
    drop();
    setState(State::Stopped);
}

void ViewReader::again()
{
    if (m_state == State::Stopped || m_state == State::Failed)
        show(serve::ViewRequest(m_wanted));
}

void ViewReader::keep(const ViewKey& key, serve::TensorView view)
{
    m_views.insert(key, new View(std::make_shared<serve::TensorView>(std::move(view))));
}

const serve::TensorView* ViewReader::view() const
{
    return m_state == State::Ready ? m_view.get() : nullptr;
}

const serve::TensorView* ViewReader::find(const ViewKey& key) const
{
    const View* known = m_views.object(key);
    return known ? known->get() : nullptr;
}

void ViewReader::drop()
{
    if (const quint64 dropped = std::exchange(m_request, 0))
        m_engine.cancel(dropped);
    m_view.reset();
    m_problem.clear();
    m_hasEngineDied = false;
}

void ViewReader::finish(Answer<serve::TensorView> answer)
{
    m_request = 0;
    if (answer.wasCancelled)
        return setState(State::Stopped);
    if (!answer.value) {
        m_problem = answer.failure;
        m_hasEngineDied = answer.engineDied;
        return setState(State::Failed);
    }
    keep(keyOf(m_wanted), *std::move(answer.value));
    m_view = *m_views.object(keyOf(m_wanted));
    setState(State::Ready);
}

void ViewReader::setState(State state)
{
    m_state = state;
    Q_EMIT stateChanged();
}

}  // namespace calibscope
