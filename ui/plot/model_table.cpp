#include "ui/plot/model_table.h"

#include "core/base/number_text.h"

#include <QAbstractItemModel>

#include <algorithm>
#include <limits>
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

QString textOf(const QVariant& value)
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
            texts += textOf(cell);
        column.cells = std::move(texts);
    }
    return column;
}

}  // namespace

PlotTable modelTable(const QAbstractItemModel& model, int exactRole)
{
    std::vector<QModelIndex> rows;
    collectRows(model, {}, rows);
    PlotTable table;
    for (int column = 0; column < model.columnCount(); ++column) {
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

}  // namespace calibscope
