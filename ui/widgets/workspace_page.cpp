// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/workspace_page.h"

#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/state_notice.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace calibscope {

WorkspacePage::WorkspacePage(QWidget* parent)
    : QWidget(parent), m_notice(new StateNotice(this)), m_stack(new QStackedLayout)
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
}

void WorkspacePage::fillWith(QWidget* body, std::initializer_list<QWidget*> above)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(above.size() == 0 ? QMargins() : QMargins(16, 12, 12, 8));
    layout->setSpacing(4);
    for (QWidget* part : above)
        layout->addWidget(part);
    layout->addLayout(m_stack, 1);
    m_stack->addWidget(m_notice);  // the first one is shown: a body is laid out once it is needed
    m_stack->addWidget(body);
}

void WorkspacePage::showBody()
{
    m_stack->setCurrentIndex(1);
}

void WorkspacePage::say(const QString& title, const QString& sentence, const QString& button,
                        const QString& secondButton)
{
    m_notice->say(title, sentence, button, secondButton);
    m_stack->setCurrentWidget(m_notice);
}

bool WorkspacePage::showsNotice() const
{
    return m_stack->currentWidget() == m_notice;
}

QHBoxLayout* WorkspacePage::makeStateLine(QWidget* parent, const QString& title,
                                          const QString& help)
{
    auto* line = new QHBoxLayout;
    line->setContentsMargins({});
    if (!title.isEmpty()) {
        auto* label = new PlainLabel(title, parent);
        QFont bold = label->font();
        bold.setBold(true);
        label->setFont(bold);
        label->setToolTip(help);
        line->addWidget(label);
    }
    m_state = new ElidedLabel(Qt::ElideRight, parent);
    m_state->setForegroundRole(QPalette::PlaceholderText);
    m_state->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    line->addWidget(m_state, 1);
    return line;
}

QString WorkspacePage::state() const
{
    return m_state->text();
}

void WorkspacePage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_stack->count() > 0)
        recolor();
}

}  // namespace calibscope
