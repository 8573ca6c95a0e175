#include "ui/models/transfer_model.h"

#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

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

/// Choices that were compared, and whose candidates are known.
std::size_t comparedCount(const PairReader::Found& found)
{
    return found.both ? std::min(found.candidates.size(), found.both->comparison.choices.size())
                      : 0;
}

bool isStale(const ChoiceComparison& comparison)
{
    return comparison.sqnrLossDb().value_or(0.0) > TransferModel::staleDb;
}

}  // namespace

TransferModel::TransferModel(Found found, QObject* parent)
    : QAbstractTableModel(parent), m_found(std::move(found))
{}

void TransferModel::refresh(const std::string& recipe)
{
    beginResetModel();
    m_rows.clear();
    const PairReader::Found& found = m_found();
    const std::size_t compared = comparedCount(found);
    for (std::size_t place = 0; place < compared; ++place)
        m_rows.push_back({.place = place, .isRecipes = found.candidates[place].id == recipe});
    std::stable_partition(m_rows.begin(), m_rows.end(),
                          std::mem_fn(&Row::isRecipes));  // in view without scrolling
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
    const PairReader::Found& found = m_found();
    if (row.place >= comparedCount(found))  // refresh() is to follow
        return {};
    const std::string& label = found.candidates[row.place].label;
    const ChoiceComparison& comparison = found.both->comparison.choices[row.place];
    const bool standsOut = index.column() == LossDb && isStale(comparison);
    switch (role) {
    case Qt::DisplayRole: return text(label, comparison, index.column());
    case Qt::ToolTipRole: return toolTip(label, comparison, row.isRecipes);
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
        const bool isSame = (index.column() == Ratio && comparison.scaleRatio() == 1.0) ||
                            (index.column() == LossDb && comparison.sqnrLossDb() == 0.0);
        return isSame ? QVariant(palette.placeholderText()) : QVariant();
    }
    case StaleRole: return isStale(comparison);
    default: return {};
    }
}

QString TransferModel::text(const std::string& label, const ChoiceComparison& comparison,
                            int column)
{
    const bool isExact = comparison.transferred && comparison.transferred->isExact;
    switch (column) {
    case Calibrator: return QString::fromStdString(label);
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

QString TransferModel::toolTip(const std::string& label, const ChoiceComparison& comparison,
                               bool isRecipes)
{
    const QString name = QString::fromStdString(label);
    if (!comparison.whyNotTransferred.empty())
        return name + u'\n' + QString::fromStdString(comparison.whyNotTransferred);
    return isRecipes ? tr("%1: the chosen recipe's").arg(name) : name;
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
    case OwnDb: return isHelp ? tr("SQNR of B's values under B's own scale") : tr("B's scale, dB");
    case TransferredDb:
        return isHelp ? tr("SQNR of B's values under A's scale") : tr("A's scale, dB");
    case LossDb:
        return isHelp ? tr("What B's values lose in SQNR (dB) when A's scale stands in for their "
                           "own: above 0, A's scales are stale")
                      : tr("loss, dB");
    case ColumnCount: break;
    }
    return {};
}

}  // namespace calibscope
