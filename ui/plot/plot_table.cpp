#include "ui/plot/plot_table.h"

#include "core/base/number_text.h"

#include <cmath>

namespace calibscope {

namespace {

QString textOf(double value)
{
    return std::isnan(value) ? QString() : QString::fromStdString(numberText(value));
}

QString textOf(std::uint64_t value)
{
    return QString::number(value);
}

QString textOf(const QString& text)
{
    return text;
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
            text += cellText(table.columns[column], row);
            text += column + 1 < table.columns.size() ? u'\t' : u'\n';
        }
    return text;
}

}  // namespace calibscope
