// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_calls.h"

#include "core/base/progress.h"

#include <QCoreApplication>
#include <QTimer>

#include <utility>

namespace calibscope {

EngineCalls::EngineCalls(Engine& engine, int furtherPatienceMs)
    : m_engine(engine), m_furtherPatienceMs(furtherPatienceMs)
{
    connect(&engine, &Engine::engineStalled, this, &EngineCalls::giveUpLater);
    connect(&engine, &Engine::progressed, this, [this] { m_isStalled = false; });
}

template <typename T, typename Ask>
Answer<T> EngineCalls::wait(const Ask& ask)
{
    if (m_isStopped)
        throw Cancelled{};
    Answer<T> answer;
    m_isStalled = false;
    m_request = ask([this, &answer](Answer<T> given) {
        answer = std::move(given);
        m_loop.quit();
    });
    m_loop.exec();
    m_request = 0;
    if (m_isStopped)
        throw Cancelled{};
    return answer;
}

Answer<protocol::DumpOpened> EngineCalls::open(const protocol::OpenRequest& request)
{
    return wait<protocol::DumpOpened>([&](Handler<protocol::DumpOpened> handler) {
        return m_engine.ask(request, std::move(handler));
    });
}

Answer<protocol::TensorView> EngineCalls::view(const protocol::ViewRequest& request)
{
    return wait<protocol::TensorView>([&](Handler<protocol::TensorView> handler) {
        return m_engine.ask(request, std::move(handler));
    });
}

Answer<protocol::Preview> EngineCalls::preview(const protocol::PreviewRequest& request)
{
    return wait<protocol::Preview>([&](Handler<protocol::Preview> handler) {
        return m_engine.ask(request, std::move(handler));
    });
}

Answer<protocol::DigestedFile> EngineCalls::digest(const protocol::DigestRequest& request)
{
    return wait<protocol::DigestedFile>([&](Handler<protocol::DigestedFile> handler) {
        return m_engine.ask(request, std::move(handler));
    });
}

void EngineCalls::checkStopped()
{
    // A stop arrives as an event.
    QCoreApplication::processEvents();
    if (m_isStopped)
        throw Cancelled{};
}

void EngineCalls::stop()
{
    m_isStopped = true;
    if (m_request != 0)
        m_engine.cancel(m_request);
}

void EngineCalls::giveUpLater()
{
    m_isStalled = true;
    QTimer::singleShot(m_furtherPatienceMs, this, [this, stalled = m_request] {
        if (m_isStalled && stalled != 0 && stalled == m_request)
            m_engine.restart();
    });
}

}  // namespace calibscope
