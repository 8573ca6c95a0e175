// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/table_menu.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/report/tables/table.h"
#include "ui/plot/plot_table.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/translate.h"

#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QMimeData>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

void collectRows(const QAbstractItemModel& model, const QModelIndex& parent,
                 std::vector<QModelIndex>& rows)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        if (model.hasChildren(index))
            collectRows(model, index, rows);
        else if (!parent.isValid() || model.columnCount(parent) > 0)
            rows.push_back(index);
    }
}

/// "–" stands where there is no number.
bool isAbsent(const QVariant& value)
{
    const QString text = value.toString();
    return text.isEmpty() || text == QStringLiteral("–");
}

bool isNumber(const QVariant& value)
{
    const int type = value.metaType().id();
    return type == QMetaType::Double || type == QMetaType::Int || type == QMetaType::LongLong ||
           type == QMetaType::ULongLong || type == QMetaType::UInt;
}

QString modelText(const QVariant& value)
{
    return isNumber(value) ? QString::fromStdString(numberText(value.toDouble()))
                           : value.toString();
}

PlotColumn columnOf(const QString& title, const QVariantList& cells)
{
    PlotColumn column{.title = title, .cells = {}};
    const bool areNumbers = std::ranges::any_of(cells, isNumber) &&
                            std::ranges::all_of(cells, [](const QVariant& cell) {
                                return isNumber(cell) || isAbsent(cell);
                            });
    if (areNumbers) {
        std::vector<double> numbers;
        for (const QVariant& cell : cells)
            numbers.push_back(isNumber(cell) ? cell.toDouble()
                                             : std::numeric_limits<double>::quiet_NaN());
        column.cells = std::move(numbers);
    } else {
        QStringList texts;
        for (const QVariant& cell : cells)
            texts += modelText(cell);
        column.cells = std::move(texts);
    }
    return column;
}

/// "csv" of "CSV (*.csv)".
QString suffixOf(const QString& kind)
{
    return kind.section(QStringLiteral("(*."), 1).chopped(1);
}

PlotTable tableOf(const QAbstractItemModel& model, int exactRole, const std::vector<int>& columns)
{
    std::vector<QModelIndex> rows;
    collectRows(model, {}, rows);
    PlotTable table;
    for (const int column : columns) {
        QVariantList cells;
        for (const QModelIndex& row : rows) {
            const QModelIndex index = row.siblingAtColumn(column);
            const QVariant exact = index.data(exactRole);
            cells += exact.isValid() ? exact : index.data(Qt::DisplayRole);
        }
        table.columns.push_back(
            columnOf(model.headerData(column, Qt::Horizontal).toString(), cells));
    }
    return table;
}

/// Never where the program was started.
QString& saveFolder()
{
    static QString folder = QDir::homePath();
    return folder;
}

constexpr std::pair<const char*, TableFormat> formats[] = {
    {"&CSV", TableFormat::Csv}, {"&TSV", TableFormat::Tsv}, {"&JSON", TableFormat::Json}};

}  // namespace

PlotTable modelTable(const QAbstractItemModel& model, int exactRole)
{
    std::vector<int> columns(static_cast<std::size_t>(model.columnCount()));
    std::iota(columns.begin(), columns.end(), 0);
    return tableOf(model, exactRole, columns);
}

PlotTable shownTable(const QAbstractItemView& view, int exactRole)
{
    const auto* table = qobject_cast<const QTableView*>(&view);
    const auto* tree = qobject_cast<const QTreeView*>(&view);
    const QHeaderView& header = table ? *table->horizontalHeader() : *tree->header();
    std::vector<int> columns;
    for (int position = 0; position < header.count(); ++position)
        if (const int column = header.logicalIndex(position); !header.isSectionHidden(column))
            columns.push_back(column);
    return tableOf(*view.model(), exactRole, columns);
}

void setSaveFolder(const QString& folder)
{
    saveFolder() = folder;
}

QString askWhereToSave(QWidget* parent, const QString& title, const QString& proposed,
                       const QStringList& kinds)
{
    const QFileInfo file(QDir(saveFolder()), proposed);
    QFileDialog dialog(parent, title, file.absolutePath());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilters(kinds);
    dialog.setDefaultSuffix(suffixOf(kinds.front()));
    dialog.selectFile(file.fileName());
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString& kind) {
        dialog.setDefaultSuffix(suffixOf(kind));
        const QFileInfo named(dialog.selectedFiles().value(0));
        dialog.selectFile(named.completeBaseName() + u'.' + suffixOf(kind));
    });
    if (dialog.exec() != QDialog::Accepted)
        return {};
    const QString path = dialog.selectedFiles().front();
    setSaveFolder(QFileInfo(path).absolutePath());
    return path;
}

QMenu* copyAsMenu(const QString& title, const TableSource& source, QWidget* parent)
{
    auto* menu = new QMenu(title, parent);
    for (const auto& [word, format] : formats)
        QObject::connect(menu->addAction(QString::fromLatin1(word)), &QAction::triggered, parent,
                         [source, format = format] {
                             QGuiApplication::clipboard()->setMimeData(
                                 tableMimeAs(source(), format).release());
                         });
    return menu;
}

void askAndSaveTable(const TableSource& source, QWidget* parent)
{
    const PlotTable table = source();
    const QString path =
        askWhereToSave(parent, tr("Save table"), QStringLiteral("table.csv"),
                       {tr("CSV (*.csv)"), tr("TSV (*.tsv)"), tr("JSON (*.json)")});
    if (path.isEmpty())
        return;
    try {
        saveTable(table, path);
    } catch (const Error& error) {
        ask(parent, QMessageBox::Warning, tr("Save table"), QString::fromUtf8(error.what()),
            QMessageBox::Ok, QMessageBox::Ok);
    }
}

void addTableMenu(QAbstractItemView& view, int exactRole)
{
    addTableMenu(view, [&view, exactRole] { return shownTable(view, exactRole); });
}

void addTableMenu(QAbstractItemView& view, const TableSource& source)
{
    view.setTabKeyNavigation(false);  // Tab leads on, the arrows go through the cells
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
    view.addAction(copyAsMenu(tr("Copy table &as"), source, &view)->menuAction());
    auto* save = new QAction(tr("&Save table as..."), &view);
    QObject::connect(save, &QAction::triggered, &view,
                     [source, &view] { askAndSaveTable(source, &view); });
    view.addAction(save);
}

}  // namespace calibscope
