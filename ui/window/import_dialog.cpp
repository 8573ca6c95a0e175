// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/import_dialog.h"

#include "ui/models/import_model.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

namespace {

std::uint64_t countOf(const protocol::ImportedFile& file, FindingLevel level)
{
    std::uint64_t count = 0;
    for (const protocol::ImportedEntry& entry : file.entries)
        count +=
            static_cast<std::uint64_t>(std::ranges::count(entry.findings, level, &Finding::level));
    return count;
}

QTableView* tableOf(QAbstractItemModel* model, QWidget* parent)
{
    auto* table = new QTableView(parent);
    table->setModel(model);
    table->setAccessibleName(QDialog::tr("Scales of the file"));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    table->setWordWrap(false);
    table->resizeColumnsToContents();
    constexpr int widestName = 220;
    for (const int column : {int(ImportColumn::Name), int(ImportColumn::Tensor)})
        table->setColumnWidth(column, std::min(table->columnWidth(column), widestName));
    return table;
}

}  // namespace

ImportDialog::ImportDialog(const QString& file, const protocol::ImportedFile& imported,
                           const std::vector<std::string>& tensors, int usable, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Import scales"));
    resize(980, 460);
    auto* layout = new QVBoxLayout(this);
    auto* head = new PlainLabel(
        tr("%1, %2: %3, of which %4 can be shown beside your tensors. %5, %6.")
            .arg(QFileInfo(file).fileName(), QString::fromStdString(imported.format),
                 countText(imported.entries.size(), tr("1 entry"), tr("%1 entries")),
                 QString::number(usable),
                 countText(countOf(imported, FindingLevel::Error), tr("1 error"), tr("%1 errors")),
                 countText(countOf(imported, FindingLevel::Warning), tr("1 warning"),
                           tr("%1 warnings"))),
        this);
    head->setWordWrap(true);
    layout->addWidget(head);
    auto* entries = new TableModel<ImportRow>(importTable(), this);
    entries->setRows(importRows(imported, tensors));
    layout->addWidget(tableOf(entries, this), 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* take = buttons->addButton(tr("&Show as references"), QDialogButtonBox::AcceptRole);
    take->setToolTip(tr("Each range becomes a row of its tensor, drawn beside the calibrators, "
                        "that you can accept"));
    take->setEnabled(usable > 0);
    take->setDefault(true);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

}  // namespace calibscope
