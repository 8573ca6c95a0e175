// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/engine_request.h"

#include <QObject>

#include <cstddef>

namespace calibscope {

/// Questions of single pages about a tensor, whose answers nobody else shares. What is asked here
/// is waited for: the document is not idle before it was answered.
class TensorQuestions : public QObject
{
    Q_OBJECT

public:
    /// `engine` must outlive it.
    explicit TensorQuestions(Engine& engine, QObject* parent = nullptr);

    /// The handler is called as by the engine, before idle().
    template <typename Request>
    [[nodiscard]] EngineRequest
    ask(const Request& request, std::type_identity_t<Handler<protocol::ResultOf<Request>>> handler)
    {
        EngineRequest asked;
        asked.ask(m_engine, request, std::move(handler));
        return counted(std::move(asked));
    }
    [[nodiscard]] bool isIdle() const { return m_waiting == 0; }

Q_SIGNALS:
    void idle();

private:
    [[nodiscard]] EngineRequest counted(EngineRequest request);

    Engine& m_engine;
    std::size_t m_waiting = 0;  ///< questions that were neither answered nor dropped
};

}  // namespace calibscope
