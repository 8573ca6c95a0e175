// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/result_columns.h"

#include "ui/plot/number_label.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

const std::vector<const ResultColumn*>& windowColumns()
{
    static const std::vector<const ResultColumn*> columns = [] {
        std::vector<const ResultColumn*> shown;
        for (const ResultColumn& column : resultColumns())
            if (column.windowOrder > 0)
                shown.push_back(&column);
        std::ranges::sort(shown, {}, &ResultColumn::windowOrder);
        return shown;
    }();
    return columns;
}

QString columnTitle(const ResultColumn& column)
{
    const std::string unit = column.style == ResultColumn::Style::Share ? "%" : column.unit;
    return QString::fromStdString(column.title + (unit.empty() ? "" : " ") + unit);
}

std::optional<double> columnNumber(const ResultColumn& column, const ScaleRow& row)
{
    constexpr double percent = 100.0;
    const std::optional<double> value = column.number(row);
    return value && column.style == ResultColumn::Style::Share ? std::optional(percent * *value)
                                                               : value;
}

QString columnText(const ResultColumn& column, double value)
{
    const bool isFixed = column.style == ResultColumn::Style::Decibels && std::isfinite(value);
    // A column that shows more or fewer digits than usual does so whatever is usual.
    const int digits = column.digits + labelFormat().digits - LabelFormat{}.digits;
    return isFixed ? fixedLabel(value, 2) : valueLabel(value, std::max(digits, 2));
}

QString resultText(const ResultColumn& column, const ScaleRow& row)
{
    const std::optional<double> value = columnNumber(column, row);
    if (!value)
        return {};
    return (column.isExact(row) ? QString() : QStringLiteral("≈ ")) + columnText(column, *value) +
           QString::fromStdString(column.bar(row));
}

QString sqnrBarText(const ScaleRow& row)
{
    return QString::fromStdString(resultColumn("sqnr_db").bar(row));
}

QString differenceText(const ResultColumn& column, double value, double baseline)
{
    if (value == baseline)
        return QStringLiteral("0");  // two infinities are alike, too
    const double difference = value - baseline;
    const QString sign = difference > 0.0 ? QStringLiteral("+") : QString();
    return std::isnan(difference) ? QStringLiteral("–") : sign + columnText(column, difference);
}

}  // namespace calibscope
