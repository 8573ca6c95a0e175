#include "ui/models/steps_model.h"

#include "ui/models/outcome_text.h"
#include "ui/models/result_columns.h"
#include "ui/plot/number_label.h"

#include <QFont>

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

QString resultText(const ExplainRow& row, int column)
{
    const ScaleRow& whole = row.outcome->whole;
    if (column == StepsModel::Threshold) {
        if (whole.clip.threshold)
            return valueLabel(*whole.clip.threshold);
        return whole.clip.range ? StepsModel::tr("%1 … %2").arg(valueLabel(whole.clip.range->low),
                                                                valueLabel(whole.clip.range->high))
                                : QStringLiteral("–");
    }
    const QString mark = whole.isExact ? QString() : QStringLiteral("≈");
    if (column == StepsModel::Scale)
        return mark + valueLabel(whole.quantizer.scale, 4);
    const std::optional<double> db = whole.metric("sqnr_db");
    if (!db)
        return QStringLiteral("–");
    return (whole.hasExactMetrics ? QString() : QStringLiteral("≈")) +
           (std::isinf(*db) ? valueLabel(*db) : fixedLabel(*db, 2)) + sqnrBarText(whole);
}

QVariant toVariant(const std::optional<double>& number)
{
    return number ? QVariant(*number) : QVariant();
}

/// How far apart two scales are, whichever is the larger.
double distance(const std::optional<double>& ratio)
{
    return ratio ? std::abs(std::log(*ratio)) : 0.0;
}

}  // namespace

StepsModel::StepsModel(Rows rows, QObject* parent)
    : QAbstractTableModel(parent), m_rows(std::move(rows))
{}

void StepsModel::refresh()
{
    beginResetModel();
    m_count = static_cast<int>(m_rows().size());
    endResetModel();
}

const ExplainRow& StepsModel::row(int index) const
{
    return m_rows().at(static_cast<std::size_t>(index));
}

int StepsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_count;
}

int StepsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

bool StepsModel::isDecisive(int index) const
{
    if (index == 0)
        return false;
    double largest = 0.0;
    for (int other = 1; other < m_count; ++other)
        largest = std::max(largest, distance(scaleChange(row(other), row(other - 1))));
    return largest > 0.0 && distance(scaleChange(row(index), row(index - 1))) == largest;
}

QVariant StepsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || std::ssize(m_rows()) != m_count)  // refresh() is to follow
        return {};
    switch (role) {
    case Qt::DisplayRole: return text(index.row(), index.column());
    case Qt::ToolTipRole: {
        const ExplainRow& shown = row(index.row());
        const OutcomeRow notes{
            .candidate = {.choice = shown.step.choice, .label = {}, .recipes = {}},
            .outcome = shown.outcome};
        return (settingLines(shown.step.choice) + noteLines(notes)).join(u'\n');
    }
    case Qt::TextAlignmentRole:
        return int((index.column() == Step ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: {
        if (!isDecisive(index.row()))
            return {};
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    case DecisiveRole: return isDecisive(index.row());
    case FromRole: return toVariant(index.row() > 0 ? sqnr(index.row() - 1) : std::nullopt);
    case ToRole: return toVariant(sqnr(index.row()));
    case LeastRole: return end(false);
    case MostRole: return end(true);
    default: return {};
    }
}

/// Finite ones alone.
std::optional<double> StepsModel::sqnr(int index) const
{
    const ExplainRow& shown = row(index);
    const std::optional<double> db =
        shown.hasResult() ? shown.outcome->whole.metric("sqnr_db") : std::nullopt;
    return db && std::isfinite(*db) ? db : std::nullopt;
}

QVariant StepsModel::end(bool isMost) const
{
    std::optional<double> end;
    for (int index = 0; index < m_count; ++index)
        if (const std::optional<double> db = sqnr(index))
            end = !end ? *db : isMost ? std::max(*end, *db) : std::min(*end, *db);
    return toVariant(end);
}

QString StepsModel::text(int index, int column) const
{
    const ExplainRow& shown = row(index);
    if (column == Step)
        return QString::fromStdString(shown.step.name);
    if (column == Waterfall)
        return {};
    if (!shown.outcome)
        return QStringLiteral("…");
    if (!shown.hasResult())
        return column == Threshold ? tr("failed") : QStringLiteral("–");
    return column == ScaleChange || column == SqnrChange ? changeText(index, column)
                                                         : resultText(shown, column);
}

QString StepsModel::changeText(int index, int column) const
{
    if (index == 0)
        return {};
    if (column == ScaleChange) {
        const std::optional<double> ratio = scaleChange(row(index), row(index - 1));
        return !ratio          ? QStringLiteral("–")
               : *ratio == 1.0 ? tr("same")
                               : QStringLiteral("×") + valueLabel(*ratio);
    }
    const std::optional<double> db = sqnrChange(row(index), row(index - 1));
    if (!db)
        return QStringLiteral("–");
    return *db == 0.0 ? tr("same")
                      : (*db > 0.0 ? QStringLiteral("+") : QString()) + fixedLabel(*db, 2);
}

QVariant StepsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Step || section == Waterfall ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isToolTip = role == Qt::ToolTipRole;
    switch (static_cast<Column>(section)) {
    case Step: return isToolTip ? tr("What differs from the row above") : tr("step");
    case Waterfall:
        return isToolTip ? tr("SQNR before and after the step, on one axis for all rows")
                         : tr("SQNR from step to step, dB");
    case Threshold:
        return isToolTip ? tr("Largest magnitude that is not clipped") : tr("threshold");
    case Scale: return isToolTip ? tr("Step between adjacent integers") : tr("scale");
    case ScaleChange: return isToolTip ? tr("Scale relative to the row above") : tr("Δ scale");
    case Sqnr: return isToolTip ? tr("Signal to quantization noise") : tr("SQNR dB");
    case SqnrChange: return isToolTip ? tr("Change of SQNR from the row above") : tr("Δ SQNR dB");
    case ColumnCount: break;
    }
    return {};
}

}  // namespace calibscope
