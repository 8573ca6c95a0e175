// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/engine.h"

#include <QPointer>

#include <functional>
#include <memory>
#include <utility>

namespace calibscope {

/// A question at work at an engine. When it is dropped, destroyed or asked anew it is cancelled,
/// and its handler is not called.
class EngineRequest
{
public:
    EngineRequest() = default;
    EngineRequest(EngineRequest&&) noexcept = default;
    EngineRequest& operator=(EngineRequest&& other) noexcept
    {
        drop();
        m_work = std::move(other.m_work);
        return *this;
    }
    EngineRequest(const EngineRequest&) = delete;
    EngineRequest& operator=(const EngineRequest&) = delete;
    ~EngineRequest() { drop(); }

    template <typename Request>
    void ask(Engine& engine, const Request& request,
             std::type_identity_t<Handler<protocol::ResultOf<Request>>> handler)
    {
        using Result = protocol::ResultOf<Request>;
        drop();
        m_work = std::make_shared<Work>(Work{.engine = &engine, .id = 0, .ended = {}});
        m_work->id = engine.ask(request, [asked = std::weak_ptr(m_work),
                                          handler = std::move(handler)](Answer<Result> answer) {
            const std::shared_ptr<Work> work = asked.lock();
            if (!work)
                return;
            work->id = 0;
            handler(std::move(answer));
            work->end(false);
        });
    }

    /// Called once, after the handler or when this is dropped.
    void whenEnded(std::function<void()> ended) { m_work->ended = std::move(ended); }
    void drop()
    {
        if (const std::shared_ptr<Work> work = std::exchange(m_work, nullptr); work && work->id)
            work->end(true);
    }

    /// Asked and not answered. The handler finds it false already.
    [[nodiscard]] bool isAtWork() const { return m_work && m_work->id != 0; }
    /// Whether an engine calls it by that number.
    [[nodiscard]] bool is(quint64 id) const { return isAtWork() && m_work->id == id; }

private:
    struct Work
    {
        QPointer<Engine> engine;
        quint64 id = 0;
        std::function<void()> ended;

        void end(bool isCancelled)
        {
            if (const quint64 dropped = std::exchange(id, 0); isCancelled && engine)
                engine->cancel(dropped);
            if (const auto tell = std::exchange(ended, nullptr))
                tell();
        }
    };

    std::shared_ptr<Work> m_work;
};

}  // namespace calibscope
