#include "ui/plot/table_text.h"

#include "core/base/error.h"
#include "core/report/tables/output.h"

#include <QFile>
#include <QFileInfo>
#include <QMimeData>

#include <set>
#include <string>
#include <vector>

namespace calibscope {

namespace {

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

}  // namespace

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

std::unique_ptr<QMimeData> tableMimeAs(const PlotTable& table, TableFormat format)
{
    const QString text = tableAs(table, format);
    auto mime = std::make_unique<QMimeData>();
    mime->setText(text);
    mime->setData(QString::fromLatin1(mimeType(format)), text.toUtf8());
    return mime;
}

void saveTable(const PlotTable& table, const QString& path)
{
    const QString word = QFileInfo(path).suffix().toLower();
    if (word != QStringLiteral("csv") && word != QStringLiteral("tsv") &&
        word != QStringLiteral("json"))
        throw Error(Fault::Usage,
                    (path + QStringLiteral(": a table's file ends with .csv, .tsv or .json"))
                        .toStdString());
    Output output(QFile::encodeName(path).toStdString());
    output.write(tableAs(table, parseTableFormat(word.toStdString())).toStdString());
    output.finish();
}

}  // namespace calibscope
