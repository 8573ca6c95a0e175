// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_table.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/report/tables/output.h"
#include "core/report/tables/pasted_text.h"
#include "core/report/tables/table.h"

#include <QFile>
#include <QFileInfo>
#include <QMimeData>

#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace calibscope {

namespace {

QString textOf(double value)
{
    return std::isnan(value) ? QString() : QString::fromStdString(numberText(value));
}

QString textOf(std::uint64_t value)
{
    return QString::fromStdString(numberText(value));
}

QString textOf(const QString& text)
{
    return text;
}

std::vector<Column> columnsOf(const PlotTable& table)
{
    std::vector<Column> columns;
    std::set<std::string> given;
    for (const PlotColumn& column : table.columns) {
        std::string title = column.title.toStdString();
        if (!given.insert(title).second) {
            title += " " + std::to_string(columns.size() + 1);
            given.insert(title);
        }
        columns.push_back({.id = title, .title = title});
    }
    return columns;
}

Cell cellOf(double value)
{
    return value;
}

Cell cellOf(std::uint64_t value)
{
    return value;
}

Cell cellOf(const QString& text)
{
    return text.isEmpty() ? Cell() : Cell(text.toStdString());
}

const char* mimeType(TableFormat format)
{
    switch (format) {
    case TableFormat::Csv: return "text/csv";
    case TableFormat::Tsv: return "text/tab-separated-values";
    case TableFormat::Json: return "application/json";
    case TableFormat::Aligned: break;
    }
    return "text/plain";
}

std::unique_ptr<QMimeData> mimeOf(const QString& text, const char* type)
{
    auto mime = std::make_unique<QMimeData>();
    mime->setText(text);
    mime->setData(QString::fromLatin1(type), text.toUtf8());
    return mime;
}

/// Numbers are not formulas, whatever they begin with.
QString pastedCell(const PlotColumn& column, std::size_t row)
{
    const QString text = cellText(column, row);
    return std::holds_alternative<QStringList>(column.cells)
               ? QString::fromStdString(pastedText(text.toStdString()))
               : text;
}

}  // namespace

std::size_t PlotTable::rowCount() const
{
    if (columns.empty())
        return 0;
    return std::visit([](const auto& cells) { return static_cast<std::size_t>(cells.size()); },
                      columns.front().cells);
}

QString cellText(const PlotColumn& column, std::size_t row)
{
    return std::visit(
        [row](const auto& cells) {
            return textOf(cells[static_cast<decltype(cells.size())>(row)]);
        },
        column.cells);
}

QString tableText(const PlotTable& table)
{
    QStringList titles;
    for (const PlotColumn& column : table.columns)
        titles += column.title;
    QString text = titles.join(u'\t') + u'\n';
    for (std::size_t row = 0; row < table.rowCount(); ++row)
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            text += pastedCell(table.columns[column], row);
            text += column + 1 < table.columns.size() ? u'\t' : u'\n';
        }
    return text;
}

QString tableAs(const PlotTable& table, TableFormat format)
{
    std::string text;
    TableWriter writer([&text](std::string_view part) { text += part; }, format, columnsOf(table));
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        std::vector<Cell> cells;
        for (const PlotColumn& column : table.columns)
            cells.push_back(std::visit(
                [row](const auto& values) {
                    return cellOf(values[static_cast<decltype(values.size())>(row)]);
                },
                column.cells));
        writer.row(cells);
    }
    writer.finish();
    return QString::fromStdString(text);
}

std::unique_ptr<QMimeData> tableMime(const PlotTable& table)
{
    return mimeOf(tableText(table), mimeType(TableFormat::Tsv));
}

std::unique_ptr<QMimeData> tableMimeAs(const PlotTable& table, TableFormat format)
{
    return mimeOf(tableAs(table, format), mimeType(format));
}

void saveTable(const PlotTable& table, const QString& path)
{
    const QString word = QFileInfo(path).suffix().toLower();
    if (word != QStringLiteral("csv") && word != QStringLiteral("tsv") &&
        word != QStringLiteral("json"))
        throw Error(Fault::Usage,
                    (path + QStringLiteral(": a table's file ends with .csv, .tsv or .json"))
                        .toStdString());
    writeOutput(QFile::encodeName(path).toStdString(),
                tableAs(table, parseTableFormat(word.toStdString())).toStdString());
}

}  // namespace calibscope
