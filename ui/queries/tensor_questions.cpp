// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/tensor_questions.h"

#include <QPointer>

#include <utility>

namespace calibscope {

TensorQuestions::TensorQuestions(Engine& engine, QObject* parent)
    : QObject(parent), m_engine(engine)
{}

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
