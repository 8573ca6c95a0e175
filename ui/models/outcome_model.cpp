#include "ui/models/outcome_model.h"

#include "ui/candidate_style.h"
#include "ui/charts/number_label.h"
#include "ui/models/outcome_text.h"
#include "ui/widgets/icons.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// The SQNR as the table shows it: rows that show the same are alike.
std::optional<double> sqnrOf(const OutcomeRow& row)
{
    const std::optional<double> db =
        row.hasResult() ? row.outcome->whole.metric("sqnr_db") : std::nullopt;
    return db ? std::optional(std::round(100.0 * *db) / 100.0) : std::nullopt;
}

/// The highest SQNR, if there is a lower one too.
std::optional<double> bestDb(const std::vector<OutcomeRow>& rows)
{
    std::optional<double> best;
    std::optional<double> least;
    for (const OutcomeRow& row : rows)
        if (const std::optional<double> db = sqnrOf(row)) {
            best = std::max(best.value_or(*db), *db);
            least = std::min(least.value_or(*db), *db);
        }
    return best && *best > *least ? best : std::nullopt;
}

QString metricText(const ScaleRow& whole, std::string_view id, auto format)
{
    const std::optional<double> value = whole.metric(id);
    if (!value)
        return {};
    const QString text = format(*value);
    return whole.hasExactMetrics ? text : QStringLiteral("≈") + text;
}

}  // namespace

void OutcomeModel::setRows(std::vector<OutcomeRow> rows)
{
    // The rows of one tensor change only in what they hold: selection and focus stay.
    const bool sameLabels = std::ranges::equal(
        rows, m_rows, {}, [](const OutcomeRow& row) { return row.candidate.label; },
        [](const OutcomeRow& row) { return row.candidate.label; });
    if (!sameLabels)
        beginResetModel();
    m_rows = std::move(rows);
    m_bestDb = bestDb(m_rows);
    if (!sameLabels)
        endResetModel();
    else if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const OutcomeRow& OutcomeModel::row(int index) const
{
    return m_rows.at(static_cast<std::size_t>(index));
}

bool OutcomeModel::isBest(int index) const
{
    const std::optional<double> db = sqnrOf(row(index));
    return db && m_bestDb && *db == *m_bestDb;
}

int OutcomeModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OutcomeModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant OutcomeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const OutcomeRow& shown = row(index.row());
    switch (role) {
    case Qt::DisplayRole: return text(shown, index.column());
    case Qt::DecorationRole: return decoration(index.row(), index.column());
    case Qt::ToolTipRole: return toolTip(shown);
    case Qt::TextAlignmentRole:
        return index.column() == Calibrator || index.column() == Recipes
                   ? int(Qt::AlignLeft | Qt::AlignVCenter)
                   : int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::CheckStateRole:
        return index.column() == Calibrator
                   ? QVariant(int(shown.isTicked ? Qt::Checked : Qt::Unchecked))
                   : QVariant();
    case Qt::FontRole:
        if (isBest(index.row())) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    default: return {};
    }
}

QString OutcomeModel::text(const OutcomeRow& row, int column) const
{
    if (column == Calibrator)
        return QString::fromStdString(row.candidate.label);
    if (column == Recipes)
        return row.recipeTitles.join(QStringLiteral("; "));
    if (!row.hasResult())
        return row.isPending ? QStringLiteral("…") : QStringLiteral("–");
    const ScaleRow& whole = row.outcome->whole;
    switch (static_cast<Column>(column)) {
    case Threshold:
        return whole.clip.threshold ? valueLabel(*whole.clip.threshold)
               : whole.clip.range   ? tr("%1 … %2").arg(valueLabel(whole.clip.range->low),
                                                        valueLabel(whole.clip.range->high))
                                    : QStringLiteral("–");
    case Scale: return valueLabel(whole.quantizer.scale, 3);
    case Clipped:
        return metricText(whole, "clipped_share",
                          [](double share) { return valueLabel(100.0 * share, 2); });
    case Sqnr:
        return metricText(whole, "sqnr_db", [](double db) {
            return std::isinf(db) ? valueLabel(db) : fixedLabel(db, 2);
        });
    case MaxError:
        return metricText(whole, "max_error", [](double error) { return valueLabel(error, 3); });
    case Calibrator:
    case Recipes:
    case ColumnCount: break;
    }
    return {};
}

QVariant OutcomeModel::decoration(int index, int column) const
{
    const QPalette palette = QGuiApplication::palette();
    const ChartColors& colors = chartColors(palette);
    if (column == Calibrator)
        return swatchIcon(candidateStyle(static_cast<std::size_t>(index), colors).color);
    if (column == Sqnr && isBest(index))
        return starIcon(palette.color(QPalette::Text));
    return {};
}

QString OutcomeModel::toolTip(const OutcomeRow& row) const
{
    QStringList lines = settingLines(row.candidate.choice);
    if (!row.recipeTitles.isEmpty())
        lines += tr("Used by: %1").arg(row.recipeTitles.join(QStringLiteral(", ")));
    return (lines + noteLines(row)).join(u'\n');
}

QVariant OutcomeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Calibrator || section == Recipes ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                                           : int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isToolTip = role == Qt::ToolTipRole;
    switch (static_cast<Column>(section)) {
    case Calibrator: return isToolTip ? tr("Ticked ones are drawn") : tr("calibrator");
    case Threshold:
        return isToolTip ? tr("Largest magnitude that is not clipped; of the widest channel where "
                              "there is a scale per channel")
                         : tr("threshold");
    case Scale: return isToolTip ? tr("Step between two integers") : tr("scale");
    case Clipped:
        return isToolTip ? tr("Values beyond the threshold, in percent") : tr("clipped %");
    case Sqnr:
        return isToolTip ? tr("Signal to quantization noise; the star marks the best")
                         : tr("SQNR dB");
    case MaxError: return isToolTip ? tr("Largest absolute error") : tr("max error");
    case Recipes: return isToolTip ? tr("Recipes that make this choice") : tr("used by");
    case ColumnCount: break;
    }
    return {};
}

Qt::ItemFlags OutcomeModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags always =
        Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return index.column() == Calibrator ? always | Qt::ItemIsUserCheckable : always;
}

bool OutcomeModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid() || index.column() != Calibrator)
        return false;
    Q_EMIT tickRequested(row(index.row()).candidate.label, value.toInt() == Qt::Checked);
    return true;
}

}  // namespace calibscope
