#include "ui/queries/tensor_questions.h"

#include <QPointer>

#include <utility>

namespace calibscope {

TensorQuestions::TensorQuestions(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine)
{}

EngineRequest TensorQuestions::ask(const protocol::ViewRequest& request,
                                   Handler<protocol::TensorView> handler)
{
    EngineRequest asked;
    asked.view(m_engine, request, std::move(handler));
    return counted(std::move(asked));
}

EngineRequest TensorQuestions::ask(const protocol::StripRequest& request,
                                   Handler<protocol::Strip> handler)
{
    EngineRequest asked;
    asked.strip(m_engine, request, std::move(handler));
    return counted(std::move(asked));
}

EngineRequest TensorQuestions::counted(EngineRequest request)
{
    ++m_waiting;
    request.whenEnded([self = QPointer(this)] {
        if (self && --self->m_waiting == 0)
            Q_EMIT self->idle();
    });
    return request;
}

}  // namespace calibscope
