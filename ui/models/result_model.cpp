// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/result_model.h"

#include "core/base/number_text.h"
#include "core/report/tables/pasted_text.h"
#include "ui/models/candidate_style.h"
#include "ui/models/card_order.h"
#include "ui/models/outcome_text.h"
#include "ui/models/table_model.h"
#include "ui/plot/number_label.h"
#include "ui/theme/icons.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

int lastColumn()
{
    return static_cast<int>(windowColumns().size()) + 1;
}

/// The wider end of the clip range that a row stands for.
double widerEnd(const ScaleRow& row)
{
    return row.clip.threshold.value_or(
        std::max(std::abs(row.quantizer.clip.low), std::abs(row.quantizer.clip.high)));
}

/// By how much one range is wider than another, in percent; nothing where that one has no width.
std::optional<double> widerBy(const ScaleRow& imported, const ScaleRow& own)
{
    constexpr double percent = 100.0;
    const double end = widerEnd(own);
    return end > 0.0 ? std::optional(percent * (widerEnd(imported) / end - 1.0)) : std::nullopt;
}

/// Of a search its curve in small, the least of each column; nothing where there is none.
std::optional<QIcon> curveOf(const OutcomeRow& shown, const SeriesStyle& style)
{
    constexpr std::size_t columns = 24;
    if (!shown.hasResult())
        return std::nullopt;
    const Curve& curve = shown.outcome->curve;
    const std::size_t count = curve.value.size();
    std::vector<std::size_t> lowest;
    for (std::size_t column = 0; column < columns && count > 1; ++column) {
        std::optional<std::size_t> least;
        for (std::size_t at = column * count / columns; at < (column + 1) * count / columns; ++at)
            if (std::isfinite(curve.value[at]) && (!least || curve.value[at] < curve.value[*least]))
                least = at;
        if (least)
            lowest.push_back(*least);
    }
    const auto valueAt = [&](std::size_t at) { return curve.value[at]; };
    if (lowest.size() < 2 || !std::isfinite(curve.value[curve.chosen]))
        return std::nullopt;
    const double low =
        std::min(curve.value[curve.chosen], valueAt(std::ranges::min(lowest, {}, valueAt)));
    const double high = valueAt(std::ranges::max(lowest, {}, valueAt));
    const Range x{curve.threshold.front(), curve.threshold.back()};
    const auto pointAt = [&](std::size_t at) {
        return QPointF((curve.threshold[at] - x.low) / x.width(),
                       high > low ? (curve.value[at] - low) / (high - low) : 0.5);
    };
    QPolygonF line;
    for (const std::size_t at : lowest)
        line << pointAt(at);
    return x.width() > 0.0 ? std::optional(curveIcon(style, line, pointAt(curve.chosen)))
                           : std::nullopt;
}

QString percentText(double percent)
{
    return (percent > 0.0 ? QStringLiteral("+") : QString()) + valueLabel(percent, 3);
}

}  // namespace

const ResultColumn* ResultModel::resultOf(int column)
{
    return column > 0 && column < lastColumn()
               ? windowColumns()[static_cast<std::size_t>(column - 1)]
               : nullptr;
}

int ResultModel::columnOf(std::string_view resultId)
{
    const auto found = std::ranges::find(windowColumns(), resultId, &ResultColumn::id);
    return found == windowColumns().end() ? -1
                                          : static_cast<int>(found - windowColumns().begin()) + 1;
}

ResultModel::ResultModel(Rows rows, QObject* parent)
    : QAbstractTableModel(parent), m_rows(std::move(rows))
{}

void ResultModel::refresh()
{
    const std::vector<OutcomeRow>& rows = m_rows();
    std::vector<std::size_t> order = cardOrder(rows);
    std::vector<std::string> ids;
    for (const std::size_t row : order)
        ids.push_back(rows[row].candidate.id);
    // The rows of one tensor change only in what they hold: selection and order stay.
    const bool sameRows = ids == m_ids;
    if (!sameRows)
        beginResetModel();
    m_order = std::move(order);
    m_ids = std::move(ids);
    m_hasImported = rowOf(importedId) >= 0;
    findBest();
    if (!sameRows)
        endResetModel();
    else if (!m_ids.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void ResultModel::setBaseline(const std::string& id)
{
    m_baseline = id;
    setDifferences(m_showsDifferences);
}

void ResultModel::setDifferences(bool areShown)
{
    m_showsDifferences = areShown;
    if (!m_ids.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, lastColumn()));
}

/// Values that look alike are alike: a difference that no reader sees makes no winner.
void ResultModel::findBest()
{
    m_best.assign(static_cast<std::size_t>(lastColumn()) + 1, {});
    if (std::ranges::any_of(m_rows(), &OutcomeRow::isOfOneValue))
        return;
    for (int column = 1; column < lastColumn(); ++column) {
        const ResultColumn& result = *resultOf(column);
        if (result.better == Metric::Better::Neither)
            continue;
        const double sign = result.better == Metric::Better::Higher ? 1.0 : -1.0;
        std::optional<double> best;
        std::optional<double> worst;
        for (int row = 0; row < rowCount(); ++row)
            if (const std::optional<double> found = value(row, column)) {
                best = best && sign * *best >= sign * *found ? best : found;
                worst = worst && sign * *worst <= sign * *found ? worst : found;
            }
        if (best && columnText(result, *best) != columnText(result, *worst))
            m_best[static_cast<std::size_t>(column)] = columnText(result, *best);
    }
}

bool ResultModel::isBest(int row, int column) const
{
    const std::optional<double> found = value(row, column);
    const QString& best = m_best[static_cast<std::size_t>(column)];
    return found && !best.isEmpty() && columnText(*resultOf(column), *found) == best;
}

const OutcomeRow* ResultModel::row(int index) const
{
    const std::vector<OutcomeRow>& rows = m_rows();
    const auto at = static_cast<std::size_t>(index);
    if (at >= m_order.size() || m_order[at] >= rows.size())
        return nullptr;
    const OutcomeRow& found = rows[m_order[at]];
    return found.candidate.id == m_ids[at] ? &found : nullptr;
}

int ResultModel::rowOf(const std::string& id) const
{
    const auto found = std::ranges::find(m_ids, id);
    return found == m_ids.end() ? -1 : static_cast<int>(found - m_ids.begin());
}

bool ResultModel::isDeviation(int column)
{
    return column == lastColumn() + 1;
}

std::optional<Range> ResultModel::deviations(int row) const
{
    const OutcomeRow* imported = this->row(rowOf(importedId));
    const OutcomeRow* shown = this->row(row);
    if (!imported || !imported->hasResult() || !shown || !shown->hasResult())
        return std::nullopt;
    const Outcome& theirs = *imported->outcome;
    const Outcome& ours = *shown->outcome;
    std::optional<Range> found;
    const auto add = [&found](std::optional<double> percent) {
        if (percent)
            found = found ? Range{std::min(found->low, *percent), std::max(found->high, *percent)}
                          : Range{*percent, *percent};
    };
    if (theirs.isPerChannel() && theirs.channels.size() == ours.channels.size())
        for (std::size_t channel = 0; channel < ours.channels.size(); ++channel)
            add(widerBy(theirs.channels[channel], ours.channels[channel]));
    else
        add(widerBy(theirs.whole, ours.whole));
    return found;
}

std::optional<double> ResultModel::deviation(int row) const
{
    const std::optional<Range> found = deviations(row);
    if (!found)
        return std::nullopt;
    return std::abs(found->low) > std::abs(found->high) ? found->low : found->high;
}

std::optional<double> ResultModel::value(int row, int column) const
{
    if (isDeviation(column))
        return deviation(row);
    const OutcomeRow* shown = this->row(row);
    const ResultColumn* result = resultOf(column);
    return result && shown && shown->hasResult() ? columnNumber(*result, shown->outcome->whole)
                                                 : std::nullopt;
}

QString ResultModel::text(int row, int column) const
{
    const OutcomeRow* found = this->row(row);
    if (!found)
        return {};
    const OutcomeRow& shown = *found;
    if (column == 0)
        return QString::fromStdString(shown.candidate.label);
    if (column == lastColumn())
        return shown.recipeTitles.join(QStringLiteral("; "));
    if (isDeviation(column)) {
        const std::optional<Range> far = deviations(row);
        if (!far)
            return QStringLiteral("–");
        const QString least = percentText(far->low);
        const QString most = percentText(far->high);
        return least == most ? most : tr("%1 to %2").arg(least, most);
    }
    if (!shown.hasResult())
        return shown.isPending ? QStringLiteral("…") : QStringLiteral("–");
    const std::optional<double> number = value(row, column);
    if (!number)
        return QStringLiteral("–");
    const int baseline = m_showsDifferences ? rowOf(m_baseline) : -1;
    const std::optional<double> other =
        baseline >= 0 && baseline != row ? value(baseline, column) : std::nullopt;
    return other ? differenceText(*resultOf(column), *number, *other)
                 : resultText(*resultOf(column), shown.outcome->whole);
}

QString ResultModel::exactText(int row, int column) const
{
    if (!resultOf(column) && !isDeviation(column))
        return text(row, column);
    const std::optional<double> found = value(row, column);
    return found ? QString::fromStdString(numberText(*found)) : QString();
}

QVariant ResultModel::data(const QModelIndex& index, int role) const
{
    const OutcomeRow* shown = index.isValid() ? row(index.row()) : nullptr;
    if (!shown)
        return {};
    const int column = index.column();
    const bool isNumber = resultOf(column) != nullptr || isDeviation(column);
    switch (role) {
    case Qt::DisplayRole:
        return column == 0 && shown->isAccepted ? text(index.row(), column) + QStringLiteral("  ✓")
                                                : text(index.row(), column);
    case Qt::DecorationRole: return decoration(*shown, index);
    case Qt::ToolTipRole: return toolTip(*shown);
    case Qt::TextAlignmentRole:
        return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::CheckStateRole:
        return column == 0 ? QVariant(int(shown->isTicked ? Qt::Checked : Qt::Unchecked))
                           : QVariant();
    case Qt::FontRole:
        if ((!isDeviation(column) && isBest(index.row(), column)) ||
            (column == 0 && shown->isProposed))
            return gradeFont(Grade::Bold);
        return {};
    case sortRole: {
        const std::optional<double> found = value(index.row(), column);
        return isNumber ? (found ? QVariant(*found) : QVariant()) : text(index.row(), column);
    }
    case exactRole: return exactText(index.row(), column);
    default: return {};
    }
}

QVariant ResultModel::decoration(const OutcomeRow& shown, const QModelIndex& index) const
{
    const QPalette palette = QGuiApplication::palette();
    if (index.column() == 0) {
        const SeriesStyle style = candidateStyle(shown.candidate.id, chartColors(palette));
        return curveOf(shown, style).value_or(lineIcon(style));
    }
    return !isDeviation(index.column()) && isBest(index.row(), index.column())
               ? QVariant(starIcon(palette.color(QPalette::Text)))
               : QVariant();
}

QString ResultModel::toolTip(const OutcomeRow& shown)
{
    QStringList lines = settingLines(shown.candidate.choice);
    if (!shown.recipeTitles.isEmpty())
        lines += tr("Used by: %1").arg(shown.recipeTitles.join(QStringLiteral("; ")));
    return (lines + noteLines(shown)).join(u'\n');
}

QString ResultModel::tabSeparated() const
{
    QString text;
    for (int line = -1; line < rowCount(); ++line) {
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column)
            cells +=
                line < 0
                    ? headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()
                    : QString::fromStdString(pastedText(exactText(line, column).toStdString()));
        text += cells.join(u'\t') + u'\n';
    }
    return text;
}

int ResultModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_ids.size());
}

int ResultModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : lastColumn() + (m_hasImported ? 2 : 1);
}

QVariant ResultModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const ResultColumn* result = resultOf(section);
    if (role == Qt::TextAlignmentRole)
        return int((result || isDeviation(section) ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isToolTip = role == Qt::ToolTipRole;
    if (result)
        return isToolTip ? QString::fromStdString(result->summary) : columnTitle(*result);
    if (isDeviation(section))
        return isToolTip ? tr("How much wider the imported range is; of "
                              "channels from the least to the most")
                         : tr("deviation %");
    if (section == 0)
        return isToolTip ? tr("Ticked rows are drawn") : tr("calibrator");
    return isToolTip ? tr("Recipes that make this choice") : tr("used by");
}

Qt::ItemFlags ResultModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags always =
        Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return index.column() == 0 ? always | Qt::ItemIsUserCheckable : always;
}

bool ResultModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid() || index.column() != 0)
        return false;
    Q_EMIT tickRequested(m_ids.at(static_cast<std::size_t>(index.row())),
                         value.toInt() == Qt::Checked);
    return true;
}

}  // namespace calibscope
