#include "ui/queries/tensor_questions.h"

#include <QPointer>

#include <memory>
#include <utility>

namespace calibscope {

TensorQuestions::TensorQuestions(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine)
{}

template <typename Result>
Handler<Result> TensorQuestions::noted(std::shared_ptr<quint64> question, Handler<Result> handler)
{
    return [self = QPointer(this), question = std::move(question),
            handler = std::move(handler)](Answer<Result> answer) {
        if (!self || !self->m_waiting.contains(*question))
            return;
        handler(std::move(answer));
        if (self)
            self->finish(*question);
    };
}

quint64 TensorQuestions::ask(const protocol::ViewRequest& request,
                             Handler<protocol::TensorView> handler)
{
    const auto question = std::make_shared<quint64>(0);
    *question = m_engine.view(request, noted(question, std::move(handler)));
    m_waiting.insert(*question);
    return *question;
}

quint64 TensorQuestions::ask(const protocol::StripRequest& request,
                             Handler<protocol::Strip> handler)
{
    const auto question = std::make_shared<quint64>(0);
    *question = m_engine.strip(request, noted(question, std::move(handler)));
    m_waiting.insert(*question);
    return *question;
}

void TensorQuestions::drop(quint64 question)
{
    if (!m_waiting.contains(question))
        return;
    m_engine.cancel(question);
    finish(question);
}

void TensorQuestions::finish(quint64 question)
{
    m_waiting.erase(question);
    if (m_waiting.empty())
        Q_EMIT settled();
}

}  // namespace calibscope
