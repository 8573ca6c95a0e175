// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/state_notice.h"

#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

StateNotice::StateNotice(QWidget* parent)
    : QWidget(parent),
      m_title(new PlainLabel(this)),
      m_sentence(new PlainLabel(this)),
      m_button(new QPushButton(this)),
      m_secondButton(new QPushButton(this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    QFont large = m_title->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    large.setBold(true);
    m_title->setFont(large);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    connect(m_button, &QPushButton::clicked, this, &StateNotice::buttonClicked);
    connect(m_secondButton, &QPushButton::clicked, this, &StateNotice::secondButtonClicked);

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_button);
    buttons->addWidget(m_secondButton);
    buttons->addStretch();
    auto* column = new QVBoxLayout;
    column->setSpacing(12);
    column->addStretch(2);
    column->addWidget(m_title);
    column->addWidget(m_sentence);
    column->addSpacing(4);
    column->addLayout(buttons);
    column->addStretch(3);
    auto* layout = new QHBoxLayout(this);
    layout->addStretch();
    layout->addLayout(column);
    layout->addStretch();
}

void StateNotice::resizeEvent(QResizeEvent* event)
{
    constexpr int readableWidth = 560;
    constexpr int margins = 48;
    m_sentence->setFixedWidth(std::clamp(width() - margins, 1, readableWidth));
    QWidget::resizeEvent(event);
}

QSize StateNotice::minimumSizeHint() const
{
    constexpr int narrowest = 240;
    return {narrowest, QWidget::minimumSizeHint().height()};
}

void StateNotice::say(const QString& title, const QString& sentence, const QString& button,
                      const QString& secondButton)
{
    m_title->setText(title);
    m_sentence->setText(sentence);
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    m_secondButton->setText(secondButton);
    m_secondButton->setVisible(!secondButton.isEmpty());
}

QString StateNotice::sentence() const
{
    return m_sentence->text();
}

}  // namespace calibscope
