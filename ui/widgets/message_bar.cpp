#include "ui/widgets/message_bar.h"

#include "ui/theme/palettes.h"
#include "ui/theme/plain_text.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      m_text(new PlainLabel(this)),
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
    if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::PaletteChange)
        colour();
    QFrame::changeEvent(event);
}

void MessageBar::colour()
{
    const bool dark = isDark(QGuiApplication::palette());
    const QColor ground(dark ? 0x4a3c12 : 0xfdf0c8);
    if (palette().color(QPalette::Window) == ground)
        return;        // setting it is a change of the palette itself
    QPalette colours;  // all others are the application's, also later ones
    colours.setColor(QPalette::Window, ground);
    colours.setColor(QPalette::WindowText, dark ? QColor(0xf6e7b8) : QColor(0x3d2f00));
    setPalette(colours);
}

MessageList::MessageList(MessageLog& log, QWidget* parent)
    : QWidget(parent), m_log(log), m_list(new QTreeView(this))
{
    m_list->setModel(&log);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setAccessibleName(tr("Messages"));
    const QFontMetrics metrics = fontMetrics();
    m_list->header()->resizeSection(MessageLog::Time,
                                    metrics.horizontalAdvance(QStringLiteral("00:00:00")) + 24);
    m_list->header()->resizeSection(MessageLog::KindColumn,
                                    metrics.horizontalAdvance(tr("problem")) + 20);
    connect(&log, &QAbstractItemModel::rowsInserted, m_list,
            [this] { QTimer::singleShot(0, m_list, &QTreeView::scrollToBottom); });

    auto* copyButton = new QPushButton(tr("&Copy"), this);
    copyButton->setToolTip(tr("Copies the selected messages, or all if none is selected."));
    auto* clearButton = new QPushButton(tr("C&lear"), this);
    connect(copyButton, &QPushButton::clicked, this, &MessageList::copy);
    connect(clearButton, &QPushButton::clicked, &log, &MessageLog::clear);
    auto* buttons = new QVBoxLayout;
    buttons->setContentsMargins(0, 6, 6, 6);
    buttons->addWidget(copyButton);
    buttons->addWidget(clearButton);
    buttons->addStretch();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
}

void MessageList::copy() const
{
    QList<int> rows;
    for (const QModelIndex& index : m_list->selectionModel()->selectedRows())
        rows += index.row();
    std::ranges::sort(rows);
    QApplication::clipboard()->setText(rows.isEmpty() ? m_log.text() : m_log.text(rows));
}

}  // namespace calibscope
