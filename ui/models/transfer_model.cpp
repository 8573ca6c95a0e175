#include "ui/models/transfer_model.h"

#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

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

bool isStale(const ChoiceComparison& comparison)
{
    return comparison.sqnrLossDb().value_or(0.0) > TransferModel::staleDb;
}

}  // namespace

void TransferModel::setRows(std::vector<Row> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int TransferModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TransferModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TransferModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows.at(static_cast<std::size_t>(index.row()));
    const bool standsOut = index.column() == LossDb && isStale(row.comparison);
    switch (role) {
    case Qt::DisplayRole: return text(row, index.column());
    case Qt::ToolTipRole: return toolTip(row);
    case Qt::TextAlignmentRole:
        return int((index.column() == Calibrator ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    case Qt::FontRole: {
        QFont font;
        font.setBold(standsOut || (index.column() == Calibrator && row.isRecipes));
        return font;
    }
    case Qt::ForegroundRole: {
        const QPalette palette = QGuiApplication::palette();
        if (standsOut)
            return readableOn(palette.base().color(), seriesStyle(1, chartColors(palette)).color);
        const bool isSame = (index.column() == Ratio && row.comparison.scaleRatio() == 1.0) ||
                            (index.column() == LossDb && row.comparison.sqnrLossDb() == 0.0);
        return isSame ? QVariant(palette.placeholderText()) : QVariant();
    }
    case StaleRole: return isStale(row.comparison);
    default: return {};
    }
}

QString TransferModel::text(const Row& row, int column) const
{
    const ChoiceComparison& comparison = row.comparison;
    const bool isExact = comparison.transferred && comparison.transferred->isExact;
    switch (column) {
    case Calibrator: return QString::fromStdString(row.label);
    case ScaleA: return scaleText(comparison.a);
    case ScaleB: return scaleText(comparison.b);
    case Ratio: {
        const std::optional<double> ratio = comparison.scaleRatio();
        return ratio ? QStringLiteral("×") + valueLabel(*ratio, 4) : none();
    }
    case OwnDb:
        return comparison.b.problem.empty() ? dbText(comparison.b.whole.metric("sqnr_db"),
                                                     comparison.b.whole.hasExactMetrics)
                                            : none();
    case TransferredDb: return dbText(transferredDb(comparison), isExact);
    case LossDb:
        return dbText(comparison.sqnrLossDb(), isExact && comparison.b.whole.hasExactMetrics);
    default: return {};
    }
}

QString TransferModel::toolTip(const Row& row) const
{
    const QString label = QString::fromStdString(row.label);
    if (!row.comparison.whyNotTransferred.empty())
        return label + u'\n' + QString::fromStdString(row.comparison.whyNotTransferred);
    return row.isRecipes ? tr("%1: the chosen recipe's").arg(label) : label;
}

QVariant TransferModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Calibrator ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isHelp = role == Qt::ToolTipRole;
    switch (static_cast<Column>(section)) {
    case Calibrator:
        return isHelp ? tr("Ticked calibrators, with the chosen recipe's in bold")
                      : tr("calibrator");
    case ScaleA: return isHelp ? tr("Scale found on A") : tr("scale A");
    case ScaleB: return isHelp ? tr("Scale found on B") : tr("scale B");
    case Ratio: return isHelp ? tr("Scale of B over that of A") : tr("B / A");
    case OwnDb: return isHelp ? tr("SQNR of B's values under B's own scale") : tr("B, own scale");
    case TransferredDb:
        return isHelp ? tr("SQNR of B's values under A's scale") : tr("B, A's scale");
    case LossDb:
        return isHelp ? tr("What B's values lose in SQNR (dB) when A's scale stands in for their "
                           "own: above 0, A's scales are stale")
                      : tr("dB lost");
    case ColumnCount: break;
    }
    return {};
}

}  // namespace calibscope
