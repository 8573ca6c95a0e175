// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QPushButton>
#include <QScrollBar>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace calibscope {

namespace {

constexpr QMargins usualMargins(12, 6, 8, 6);

struct Colours
{
    QColor ground;
    QColor text;
};

const Colours& coloursOf(MessageBar::Kind kind, bool isDark)
{
    using Kind = MessageBar::Kind;
    static const std::map<Kind, Colours> onLight = {
        {Kind::Note, {0xe4eefa, 0x0d2440}},
        {Kind::Success, {0xe0f3e8, 0x0c3b22}},
        {Kind::Warning, {0xfdf0c8, 0x3d2f00}},
        {Kind::Problem, {0xfde2de, 0x5c120c}},
    };
    static const std::map<Kind, Colours> onDark = {
        {Kind::Note, {0x1c3350, 0xd6e8fb}},
        {Kind::Success, {0x1a3d2a, 0xcdeedb}},
        {Kind::Warning, {0x4a3c12, 0xf6e7b8}},
        {Kind::Problem, {0x56211c, 0xfbd5d0}},
    };
    return (isDark ? onDark : onLight).at(kind);
}

QString markOf(MessageBar::Kind kind)
{
    switch (kind) {
    case MessageBar::Kind::Note: return QStringLiteral("note");
    case MessageBar::Kind::Success: return QStringLiteral("success");
    case MessageBar::Kind::Warning: return QStringLiteral("warning");
    case MessageBar::Kind::Problem: return QStringLiteral("problem");
    }
    return {};
}

}  // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      m_mark(new PlainLabel(this)),
      m_text(new PlainLabel(this)),
      m_line(new ElidedLabel(Qt::ElideMiddle, this)),
      m_content(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_buttons(new QHBoxLayout)
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Window);  // else that of the page around it
    setForegroundRole(QPalette::WindowText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setFocusPolicy(Qt::ClickFocus);
    m_line->hide();
    auto* closeButton = new QToolButton(this);
    closeButton->setIcon(markGlyph(QStringLiteral("close")));
    closeButton->setAutoRaise(true);
    closeButton->setFocusPolicy(Qt::TabFocus);
    closeButton->setToolTip(tr("Close this message"));
    connect(closeButton, &QToolButton::clicked, this, [this] {
        close();
        Q_EMIT closed();
    });

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(usualMargins);
    layout->setSpacing(8);
    m_content->setSpacing(8);
    m_content->addWidget(m_text, 1);
    m_content->addWidget(m_line, 1);
    m_content->addLayout(m_buttons);
    layout->addWidget(m_mark);
    layout->addLayout(m_content, 1);
    layout->addWidget(closeButton, 0, Qt::AlignTop);
    colour();
    hide();
}

void MessageBar::say(const QString& sentence, const std::vector<Remedy>& remedies, Kind kind)
{
    m_kind = kind;
    m_text->setText(sentence);
    m_line->setText(sentence);
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const Remedy& remedy : remedies) {
        auto* button = new QPushButton(remedy.text, this);
        button->setFocusPolicy(Qt::TabFocus);  // a click leaves the keys where they are
        connect(button, &QPushButton::clicked, this, [this, apply = remedy.apply] {
            close();
            apply();
        });
        m_buttons->addWidget(button);
        button->show();  // a layout shows what is new in a visible bar only later
    }
    QWidget* focused = window()->focusWidget();
    if (focused && !isAncestorOf(focused))
        m_focused = focused;
    colour();
    setQuiet(kind == Kind::Success);
    place();
    show();
}

/// While it is there another text field must not get the keys that one of its buttons had.
void MessageBar::close()
{
    const QWidget* focused = window()->focusWidget();
    const bool hadFocus = focused && isAncestorOf(focused);
    if (hadFocus && m_focused && m_focused->isVisible())
        m_focused->setFocus(Qt::OtherFocusReason);
    hide();
}

void MessageBar::setQuiet(bool isQuiet)
{
    const auto* frame = qobject_cast<QMainWindow*>(window());
    auto* around = parentWidget() ? qobject_cast<QBoxLayout*>(parentWidget()->layout()) : nullptr;
    if (isQuiet == !m_home.isNull() || !frame || (isQuiet && !around))
        return;
    QStatusBar& bar = *frame->statusBar();
    if (isQuiet) {
        m_home = around;
        m_home->removeWidget(this);
        bar.addPermanentWidget(this);
    } else {
        bar.removeWidget(this);
        m_home->insertWidget(0, this);
        m_home = nullptr;
    }
    layout()->setContentsMargins(isQuiet ? QMargins(8, 0, 2, 0) : usualMargins);
    constexpr int edges = 6;  // of the status bar; the page keeps its height
    setMaximumHeight(isQuiet ? bar.height() - edges : QWIDGETSIZE_MAX);
    m_text->setVisible(!isQuiet);
    m_line->setVisible(isQuiet);
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
    const bool isNarrow = !m_home && buttons > 0 && width() - buttons < 420;
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
    const Colours& colours = coloursOf(m_kind, isDark(QGuiApplication::palette()));
    m_mark->setPixmap(
        markGlyph(markOf(m_kind), colours.text).pixmap(QSize(16, 16), devicePixelRatioF()));
    if (palette().color(QPalette::Window) == colours.ground &&
        palette().color(QPalette::WindowText) == colours.text)
        return;        // setting it is a change of the palette itself
    QPalette palette;  // all others are the application's, also later ones
    palette.setColor(QPalette::Window, colours.ground);
    palette.setColor(QPalette::WindowText, colours.text);
    setPalette(palette);
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

    auto* copyButton = new QPushButton(tr("Cop&y"), this);
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
