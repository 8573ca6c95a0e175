#include "ui/models/statistics_model.h"

#include "ui/models/recording_style.h"
#include "ui/plot/number_label.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

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

bool isEqual(const StatisticPair& row)
{
    return row.absolute() == 0.0 || (!row.a && !row.b);
}

bool isMuch(const StatisticPair& row)
{
    const std::optional<double> relative = row.relative();
    return !isEqual(row) && (!relative || std::abs(*relative) >= muchChange);
}

}  // namespace

void StatisticsModel::setRows(std::vector<StatisticPair> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int StatisticsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int StatisticsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant StatisticsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const StatisticPair& row = m_rows.at(static_cast<std::size_t>(index.row()));
    const bool isChange = index.column() >= Absolute;
    switch (role) {
    case Qt::DisplayRole: return text(row, index.column());
    case Qt::TextAlignmentRole:
        return int(
            (index.column() == Name || index.column() == Word ? Qt::AlignLeft : Qt::AlignRight) |
            Qt::AlignVCenter);
    case Qt::ForegroundRole: {
        const QPalette palette = QGuiApplication::palette();
        if (isEqual(row))
            return palette.placeholderText();
        if (!isChange || !isMuch(row))
            return {};
        const bool isMore = row.absolute().value_or(0.0) > 0.0;
        return readableOn(
            palette.base().color(),
            recordingStyle(isMore ? ComparedSide::B : ComparedSide::A, chartColors(palette)).color);
    }
    case Qt::FontRole: {
        QFont font;
        font.setBold(isChange && isMuch(row));
        return font;
    }
    default: return {};
    }
}

QString StatisticsModel::text(const StatisticPair& row, int column) const
{
    const QString mark = row.isExact ? QString() : QStringLiteral("≈");
    switch (column) {
    case Name: return QString::fromUtf8(row.title.data(), std::ssize(row.title));
    case A: return valueText(row, row.a);
    case B: return valueText(row, row.b);
    case Absolute: {
        const std::optional<double> change = row.absolute();
        if (!change || *change == 0.0)
            return change ? QStringLiteral("0") : QStringLiteral("–");
        return mark + signedText(*change, valueLabel(*change, row.isCount ? 6 : 4));
    }
    case Relative: {
        const std::optional<double> change = row.relative();
        if (!change)
            return QStringLiteral("–");
        return *change == 0.0 ? QStringLiteral("0 %")
                              : mark + signedText(*change, valueLabel(100.0 * *change, 3)) +
                                    QStringLiteral(" %");
    }
    case Word: {
        const std::optional<double> change = row.absolute();
        if (!change)
            return {};
        return *change == 0.0 ? tr("equal") : *change > 0.0 ? tr("higher") : tr("lower");
    }
    default: return {};
    }
}

QVariant StatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Name || section == Word ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isHelp = role == Qt::ToolTipRole;
    switch (static_cast<Column>(section)) {
    case Name: return tr("statistic");
    case A: return isHelp ? tr("In the open dump") : tr("A");
    case B: return isHelp ? tr("In the second dump") : tr("B");
    case Absolute: return isHelp ? tr("B − A") : tr("B − A");
    case Relative: return isHelp ? tr("B − A, relative to the magnitude of A") : tr("relative");
    case Word: return isHelp ? tr("B compared with A") : tr("B is");
    case ColumnCount: break;
    }
    return {};
}

}  // namespace calibscope
