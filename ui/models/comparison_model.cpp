// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/comparison_model.h"

#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace calibscope {

namespace {

constexpr double muchChange = 10.0;  // percent, as it is shown; less does not stand out

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

/// The magnitude to as many digits as its text has at muchChange.
double shownPercent(double relative)
{
    constexpr double digits = 100.0;
    return std::round(digits * 100.0 * std::abs(relative)) / digits;
}

Grade changeGrade(const StatisticPair& row)
{
    const std::optional<double> relative = row.relative();
    if (gradeOf(row) == Grade::Faint || (relative && shownPercent(*relative) < muchChange))
        return gradeOf(row);
    return row.absolute().value_or(0.0) > 0.0 ? Grade::MoreInB : Grade::LessInB;
}

QString none()
{
    return QStringLiteral("–");
}

QString dbText(const std::optional<double>& db, bool isExact)
{
    if (!db)
        return none();
    return (isExact || *db == 0.0 ? QString() : QStringLiteral("≈")) +
           (std::isfinite(*db) ? fixedLabel(*db, 2) : valueLabel(*db));
}

std::optional<double> transferredDb(const ChoiceComparison& comparison)
{
    if (!comparison.transferred)
        return std::nullopt;
    const MetricValues& metrics = comparison.transferred->metrics;
    const auto found = std::ranges::find(metrics, "sqnr_db", &MetricValues::value_type::first);
    return found == metrics.end() ? std::nullopt : std::optional(found->second);
}

QString scaleText(const Outcome& outcome)
{
    return outcome.problem.empty() ? valueLabel(outcome.whole.quantizer.scale, 4) : none();
}

QString transferToolTip(const TransferRow& row)
{
    const QString name = QString::fromStdString(row.label);
    if (row.isOfFinite)
        return name + u'\n' + tr("NaN or infinities of one recording are left out of the loss.");
    if (!row.comparison.whyNotTransferred.empty())
        return name + u'\n' + QString::fromStdString(row.comparison.whyNotTransferred);
    return row.isStanding ? tr("%1: accepted, else the chosen recipe's").arg(name) : name;
}

bool isExact(const ChoiceComparison& comparison)
{
    return comparison.transferred && comparison.transferred->isExact;
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

std::vector<TransferRow> transferRows(const PairReader::Found& found, const std::string& standing)
{
    std::vector<TransferRow> rows;
    const std::size_t compared =
        found.both ? std::min(found.candidates.size(), found.both->comparison.choices.size()) : 0;
    for (std::size_t index = 0; index < compared; ++index)
        rows.push_back({.label = found.candidates[index].label,
                        .comparison = found.both->comparison.choices[index],
                        .isStanding = found.candidates[index].id == standing,
                        .isOfFinite = !unusualOfOne(found.both->a, found.both->b).empty()});
    std::ranges::stable_partition(rows, &TransferRow::isStanding);  // in view without scrolling
    return rows;
}

TableDescriptor<TransferRow> transferTable()
{
    using Row = TransferRow;
    const auto faintIf = [](bool isFaint) { return isFaint ? Grade::Faint : Grade::Plain; };
    TableDescriptor<Row> table{.columns = {}, .toolTip = transferToolTip};
    table
        .add(tr("calibrator"),
             tr("Ticked calibrators; in bold the accepted one, else the chosen recipe's"),
             [](const Row& row) { return QString::fromStdString(row.label); })
        .graded([](const Row& row) { return row.isStanding ? Grade::Bold : Grade::Plain; });
    table.addRight(tr("scale A"), tr("Scale found on A"),
                   [](const Row& row) { return scaleText(row.comparison.a); });
    table.addRight(tr("scale B"), tr("Scale found on B"),
                   [](const Row& row) { return scaleText(row.comparison.b); });
    table
        .addRight(tr("B / A"), tr("Scale of B over that of A"),
                  [](const Row& row) {
                      const std::optional<double> ratio = row.comparison.scaleRatio();
                      return ratio ? QStringLiteral("×") + valueLabel(*ratio, 4) : none();
                  })
        .graded([=](const Row& row) { return faintIf(row.comparison.scaleRatio() == 1.0); });
    table.addRight(tr("B's scale, dB"), tr("SQNR of B's values under B's own scale"),
                   [](const Row& row) {
                       const Outcome& own = row.comparison.b;
                       return own.problem.empty()
                                  ? dbText(own.whole.metric("sqnr_db"), own.whole.hasExactMetrics)
                                  : none();
                   });
    table.addRight(tr("A's scale, dB"), tr("SQNR of B's values under A's scale"),
                   [](const Row& row) {
                       return dbText(transferredDb(row.comparison), isExact(row.comparison));
                   });
    table
        .addRight(
            tr("loss, dB"),
            tr("What B's values lose in SQNR (dB) when A's scale stands in for their own: above "
               "0, A's scales are stale"),
            [](const Row& row) {
                return dbText(row.comparison.sqnrLossDb(),
                              isExact(row.comparison) && row.comparison.b.whole.hasExactMetrics) +
                       (row.isOfFinite ? QStringLiteral(" !") : QString());
            })
        .graded([=](const Row& row) {
            return row.isStale() || row.isOfFinite ? Grade::Severe
                                                   : faintIf(row.comparison.sqnrLossDb() == 0.0);
        });
    return table;
}

}  // namespace calibscope
