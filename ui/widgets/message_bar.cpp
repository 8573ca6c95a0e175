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
    : QFrame(parent), m_text(new QLabel(this)), m_buttons(new QHBoxLayout)
{
    setAutoFillBackground(true);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* close = new QToolButton(this);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_text, 1);
    layout->addLayout(m_buttons);
    layout->addWidget(close);
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
    show();
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
