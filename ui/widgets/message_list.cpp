#include "ui/widgets/message_list.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

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
