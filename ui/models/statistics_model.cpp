// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/statistics_model.h"

#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <cmath>

namespace calibscope {

namespace {

constexpr double muchChange = 0.1;  // relative; less than that is said, but does not stand out

QString valueText(const StatisticPair& row, const std::optional<double>& value)
{
    if (!value)
        return QStringLiteral("–");
    if (row.isCount)
        return countLabel(static_cast<std::uint64_t>(*value));
    return (row.isExact || *value == 0.0 ? QString() : QStringLiteral("≈")) + valueLabel(*value, 5);
}

QString signedText(double value, const QString& text)
{
    return (value > 0.0 ? QStringLiteral("+") : QString()) + text;
}

QString markOf(const StatisticPair& row)
{
    return row.isExact ? QString() : QStringLiteral("≈");
}

QString absoluteText(const StatisticPair& row)
{
    const std::optional<double> change = row.absolute();
    if (!change || *change == 0.0)
        return change ? QStringLiteral("0") : QStringLiteral("–");
    return markOf(row) + signedText(*change, valueLabel(*change, row.isCount ? 6 : 4));
}

QString relativeText(const StatisticPair& row)
{
    const std::optional<double> change = row.relative();
    if (!change)
        return QStringLiteral("–");
    return *change == 0.0 ? QStringLiteral("0 %")
                          : markOf(row) + signedText(*change, valueLabel(100.0 * *change, 3)) +
                                QStringLiteral(" %");
}

QString wordText(const StatisticPair& row)
{
    const std::optional<double> change = row.absolute();
    if (!change)
        return {};
    return *change == 0.0 ? tr("equal") : *change > 0.0 ? tr("higher") : tr("lower");
}

Grade gradeOf(const StatisticPair& row)
{
    return row.absolute() == 0.0 || (!row.a && !row.b) ? Grade::Faint : Grade::Plain;
}

Grade changeGrade(const StatisticPair& row)
{
    const std::optional<double> relative = row.relative();
    if (gradeOf(row) == Grade::Faint || (relative && std::abs(*relative) < muchChange))
        return gradeOf(row);
    return row.absolute().value_or(0.0) > 0.0 ? Grade::MoreInB : Grade::LessInB;
}

}  // namespace

TableDescriptor<StatisticPair> statisticsTable()
{
    using Row = StatisticPair;
    TableDescriptor<Row> table{.columns = {}, .grade = gradeOf};
    table.add(tr("statistic"), {}, [](const Row& row) {
        return QString::fromUtf8(row.title.data(), std::ssize(row.title));
    });
    table.addRight(tr("A"), tr("In the open dump"),
                   [](const Row& row) { return valueText(row, row.a); });
    table.addRight(tr("B"), tr("In the second dump"),
                   [](const Row& row) { return valueText(row, row.b); });
    table.addRight(tr("B − A"), {}, absoluteText).graded(changeGrade);
    table.addRight(tr("relative"), tr("B − A, relative to the magnitude of A"), relativeText)
        .graded(changeGrade);
    table.add(tr("B is"), tr("B compared with A"), wordText).graded(changeGrade);
    return table;
}

}  // namespace calibscope
