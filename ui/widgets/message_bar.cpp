#include "ui/widgets/message_bar.h"

#include "ui/theme/palettes.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

namespace calibscope {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      m_text(new QLabel(this)),
      m_content(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_buttons(new QHBoxLayout)
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Window);  // else that of the page around it
    setForegroundRole(QPalette::WindowText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* close = new QToolButton(this);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT closed();
    });

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(8);
    m_content->setSpacing(8);
    m_content->addWidget(m_text, 1);
    m_content->addLayout(m_buttons);
    layout->addLayout(m_content, 1);
    layout->addWidget(close, 0, Qt::AlignTop);
    colour();
    hide();
}

void MessageBar::say(const QString& sentence, const std::vector<Remedy>& remedies)
{
    m_text->setText(sentence);
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const Remedy& remedy : remedies) {
        auto* button = new QPushButton(remedy.text, this);
        connect(button, &QPushButton::clicked, this, [this, apply = remedy.apply] {
            hide();
            apply();
        });
        m_buttons->addWidget(button);
    }
    place();
    show();
}

void MessageBar::setSentence(const QString& sentence)
{
    if (!isHidden())
        m_text->setText(sentence);
}

/// Buttons stand beside the sentence, or below it where that would leave it a narrow column.
void MessageBar::place()
{
    const int buttons = m_buttons->sizeHint().width();
    const bool isNarrow = buttons > 0 && width() - buttons < 420;
    m_content->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_buttons->setAlignment(isNarrow ? Qt::AlignLeft : Qt::AlignRight);
}

void MessageBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    place();
}

QString MessageBar::sentence() const
{
    return isHidden() ? QString() : m_text->text();
}

void MessageBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ApplicationPaletteChange)
        colour();
    QFrame::changeEvent(event);
}

void MessageBar::colour()
{
    const bool dark = isDark(QGuiApplication::palette());
    QPalette colours = QGuiApplication::palette();
    colours.setColor(QPalette::Window, dark ? QColor(0x4a3c12) : QColor(0xfdf0c8));
    colours.setColor(QPalette::WindowText, dark ? QColor(0xf6e7b8) : QColor(0x3d2f00));
    setPalette(colours);
}

}  // namespace calibscope
