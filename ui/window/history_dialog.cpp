// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/history_dialog.h"

#include "ui/document/document.h"
#include "ui/theme/plain_text.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace calibscope {

HistoryDialog::HistoryDialog(Document& document, QWidget* parent)
    : QDialog(parent), m_document(document), m_list(new QListWidget(this))
{
    setObjectName(QStringLiteral("undoHistory"));
    setWindowTitle(tr("History"));
    auto* words =
        new PlainLabel(tr("A click or Enter goes to that step. What is grey was undone."), this);
    words->setWordWrap(true);
    m_list->setAccessibleName(tr("Steps, the oldest first"));
    m_list->setTextElideMode(Qt::ElideMiddle);  // what was done, and on what
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(words);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
    resize(520, 420);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QPushButton* button : buttons->findChildren<QPushButton*>())
        button->setAutoDefault(false);  // Enter is the list's
    connect(m_list, &QListWidget::itemClicked, this, [this] { go(m_list->currentRow()); });
    connect(m_list, &QListWidget::itemActivated, this, [this] { go(m_list->currentRow()); });
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Undoable | DocumentChange::Workbench))
            showSteps();
    });
    connect(&document, &Document::dumpChanged, this, &HistoryDialog::showSteps);
    showSteps();
    m_list->setFocus();
}

void HistoryDialog::showSteps()
{
    const QStringList steps = m_document.history().steps();
    const int done = static_cast<int>(m_document.history().doneCount());
    const QSignalBlocker silent(m_list);
    m_list->clear();
    // Row n: n steps are done.
    m_list->addItem(static_cast<std::size_t>(done) == History::mostSteps
                        ? tr("Before the oldest step that is kept")
                        : tr("As it was at first"));
    m_list->addItems(steps);
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem& item = *m_list->item(row);
        QFont font = m_list->font();
        font.setBold(row == done);
        item.setFont(font);
        if (row > done)
            item.setForeground(palette().brush(QPalette::PlaceholderText));
        item.setToolTip(row > done ? tr("Undone: %1").arg(item.text()) : item.text());
    }
    m_list->setCurrentRow(done);
    m_list->scrollToItem(m_list->item(done));
}

void HistoryDialog::go(int row)
{
    if (row >= 0)
        m_document.goToStep(static_cast<std::size_t>(row));
}

void showHistory(Document& document, QWidget& window)
{
    auto* open = window.findChild<HistoryDialog*>();
    if (!open) {
        open = new HistoryDialog(document, &window);
        open->setAttribute(Qt::WA_DeleteOnClose);
    }
    open->show();
    open->raise();
    open->activateWindow();
}

}  // namespace calibscope
