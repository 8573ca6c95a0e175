#include "ui/queries/view_reader.h"

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

/// Some 100 KiB each; a weight with thousands of channels some MiB.
constexpr int viewsInMemory = 48;

bool isOfSameTensor(const protocol::ViewRequest& one, const protocol::ViewRequest& other)
{
    TensorRef ofOther = other.tensor;
    ofOther.part = one.tensor.part;
    return one.tensor == ofOther;
}

}  // namespace

ViewReader::ViewReader(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine), m_views(viewsInMemory)
{
    connect(&engine, &Engine::progressed, this,
            [this](quint64 request, quint64 done, quint64 total, const QString&) {
                if (m_request.is(request) && total > 0)
                    Q_EMIT progressed(static_cast<double>(done) / static_cast<double>(total));
            });
}

void ViewReader::show(const protocol::ViewRequest& request)
{
    View former = isOfSameTensor(request, m_wanted) ? (m_view ? m_view : m_former) : nullptr;
    drop();
    m_wanted = request;
    if (const View* known = m_views.object(request.tensor)) {
        m_view = *known;
        setState(State::Ready);
        return;
    }
    m_request.ask(m_engine, request,
                  [this](Answer<protocol::TensorView> answer) { finish(std::move(answer)); });
    m_former = std::move(former);
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
        show(protocol::ViewRequest(m_wanted));
}

void ViewReader::keep(const protocol::ViewRequest& request, protocol::TensorView view)
{
    // As it was asked, to be found again by it.
    for (std::size_t place = 0; place < std::min(view.outcomes.size(), request.choices.size());
         ++place)
        view.outcomes[place].choice = request.choices[place];
    m_views.insert(request.tensor,
                   new View(std::make_shared<protocol::TensorView>(std::move(view))));
}

const protocol::TensorView* ViewReader::view() const
{
    return m_state == State::Ready ? m_view.get() : nullptr;
}

ViewReader::View ViewReader::sharedView() const
{
    return m_state == State::Ready ? m_view : nullptr;
}

const protocol::TensorView* ViewReader::find(const TensorRef& tensor) const
{
    const View* known = m_views.object(tensor);
    return known ? known->get() : nullptr;
}

void ViewReader::drop()
{
    m_request.drop();
    m_view.reset();
    m_former.reset();
    m_problem.clear();
    m_hasEngineDied = false;
}

void ViewReader::finish(Answer<protocol::TensorView> answer)
{
    m_former.reset();
    if (answer.wasCancelled)
        return setState(State::Stopped);
    if (!answer.value) {
        m_problem = answer.failure;
        m_hasEngineDied = answer.engineDied;
        return setState(State::Failed);
    }
    keep(m_wanted, *std::move(answer.value));
    m_view = *m_views.object(m_wanted.tensor);
    setState(State::Ready);
}

void ViewReader::setState(State state)
{
    m_state = state;
    Q_EMIT stateChanged();
}

}  // namespace calibscope
