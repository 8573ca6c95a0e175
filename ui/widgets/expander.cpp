// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/expander.h"

#include <QFontMetrics>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

Expander::Expander(const QString& title, QWidget* parent)
    : QWidget(parent),
      m_title(title),
      m_button(new QToolButton(this)),
      m_layout(new QVBoxLayout(this))
{
    m_button->setText(title);
    m_button->setAutoRaise(true);
    m_button->setCheckable(true);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setArrowType(Qt::RightArrow);
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_layout->setContentsMargins({});
    m_layout->setSpacing(4);
    m_layout->addWidget(m_button, 0, Qt::AlignLeft);
    connect(m_button, &QToolButton::toggled, this, [this](bool isOpen) {
        m_button->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
        if (m_content)
            m_content->setVisible(isOpen);
        Q_EMIT toggled(isOpen);
    });
}

void Expander::setTitle(const QString& title)
{
    m_title = title;
    m_button->setText(title);
    showTitle();
}

void Expander::showTitle()
{
    const int frame =
        m_button->sizeHint().width() - m_button->fontMetrics().horizontalAdvance(m_button->text());
    const QString shown =
        m_button->fontMetrics().elidedText(m_title, Qt::ElideRight, std::max(width() - frame, 0));
    if (shown == m_button->text())
        return;
    m_button->setText(shown);
    m_button->setAccessibleName(m_title);
    m_button->setToolTip(shown == m_title ? QString() : m_title);
}

void Expander::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showTitle();
}

void Expander::setContent(QWidget* content)
{
    m_content = content;
    m_layout->addWidget(content);
    content->setVisible(isOpen());
}

void Expander::setOpen(bool isOpen)
{
    m_button->setChecked(isOpen);
}

bool Expander::isOpen() const
{
    return m_button->isChecked();
}

}  // namespace calibscope
