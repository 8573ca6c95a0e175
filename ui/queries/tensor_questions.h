#pragma once

#include "ui/queries/engine.h"

#include <QObject>

#include <memory>
#include <set>

namespace calibscope {

/// Questions of single pages about a tensor, whose answers nobody else shares. What is asked here
/// is waited for: the session is not settled before it was answered.
class TensorQuestions : public QObject
{
    Q_OBJECT

public:
    /// `engine` must outlive it.
    explicit TensorQuestions(Engine& engine, QObject* parent = nullptr);

    /// The handler is called as by the engine, before settled().
    quint64 ask(const protocol::ViewRequest& request, Handler<protocol::TensorView> handler);
    quint64 ask(const protocol::StripRequest& request, Handler<protocol::Strip> handler);
    /// The answer is not wanted any longer: its handler is not called.
    void drop(quint64 question);
    [[nodiscard]] bool isIdle() const { return m_waiting.empty(); }

Q_SIGNALS:
    void settled();

private:
    template <typename Result>
    Handler<Result> noted(std::shared_ptr<quint64> question, Handler<Result> handler);
    void finish(quint64 question);

    Engine& m_engine;
    std::set<quint64> m_waiting;
};

}  // namespace calibscope
