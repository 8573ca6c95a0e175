#include "ui/models/matrix_model.h"

#include "ui/models/natural_order.h"
#include "ui/plot/number_label.h"

#include <QFont>

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

/// The value as far as it is shown: numbers that look the same are alike.
double shownValue(MatrixMetric metric, double value)
{
    return metric == MatrixMetric::Sqnr ? std::round(100.0 * value) / 100.0 : value;
}

/// Whether one is better than the other; of scales and thresholds none is.
bool isBetter(MatrixMetric metric, double one, double other)
{
    switch (metric) {
    case MatrixMetric::Sqnr: return one > other;
    case MatrixMetric::Mse: return one < other;
    case MatrixMetric::Scale:
    case MatrixMetric::ClippedShare:
    case MatrixMetric::Threshold: return false;
    }
    return false;
}

QString valueText(MatrixMetric metric, double value)
{
    switch (metric) {
    case MatrixMetric::Sqnr: return std::isinf(value) ? valueLabel(value) : fixedLabel(value, 2);
    case MatrixMetric::Mse:
    case MatrixMetric::Scale: return valueLabel(value, 3);
    case MatrixMetric::ClippedShare: return valueLabel(100.0 * value, 2);
    case MatrixMetric::Threshold: return valueLabel(value);
    }
    return {};
}

}  // namespace

MatrixModel::MatrixModel(const MatrixReader& reader, QObject* parent)
    : QAbstractTableModel(parent),
      m_reader(reader),
      m_columns(static_cast<int>(reader.columns().size()))
{
    connect(&reader, &MatrixReader::columnsAdded, this, &MatrixModel::addColumns);
    connect(&reader, &MatrixReader::columnRemoved, this, &MatrixModel::removeColumn);
    connect(&reader, &MatrixReader::rowChanged, this, &MatrixModel::changeRow);
    connect(&reader, &MatrixReader::cleared, this, &MatrixModel::reset);
}

void MatrixModel::setTensors(std::shared_ptr<const DumpTensors> dump, std::vector<int> rows)
{
    beginResetModel();
    m_dump = std::move(dump);
    m_tensors = std::move(rows);
    m_rowOf.assign(m_dump->all().size(), -1);
    for (std::size_t row = 0; row < m_tensors.size(); ++row)
        m_rowOf.at(static_cast<std::size_t>(m_tensors[row])) = static_cast<int>(row);
    m_isRangeKnown = false;
    endResetModel();
}

void MatrixModel::setMetric(MatrixMetric metric)
{
    if (metric == m_metric)
        return;
    m_metric = metric;
    m_isRangeKnown = false;
    if (rowCount() > 0 && m_columns > 0)
        Q_EMIT dataChanged(index(0, 1), index(rowCount() - 1, m_columns));
}

QString MatrixModel::name(int row) const
{
    return QString::fromStdString(m_dump->at(tensorAt(row)).name);
}

int MatrixModel::tensorAt(int row) const
{
    return m_tensors.at(static_cast<std::size_t>(row));
}

int MatrixModel::rowOfTensor(int tensor) const
{
    return tensor >= 0 && tensor < std::ssize(m_rowOf) ? m_rowOf[static_cast<std::size_t>(tensor)]
                                                       : -1;
}

std::optional<Range> MatrixModel::range() const
{
    if (std::exchange(m_isRangeKnown, true))
        return m_range;
    m_range.reset();
    for (const int tensor : m_tensors) {
        const MatrixRow* row = m_reader.row(tensor);
        for (std::size_t column = 0; row && column < row->cells.size(); ++column) {
            const MatrixCell* cell = row->cell(column);
            const std::optional<double> value = cell ? cell->value(m_metric) : std::nullopt;
            if (!value || !std::isfinite(*value))
                continue;
            m_range = Range{.low = std::min(m_range ? m_range->low : *value, *value),
                            .high = std::max(m_range ? m_range->high : *value, *value)};
        }
    }
    return m_range;
}

int MatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_tensors.size());
}

int MatrixModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + m_columns;
}

void MatrixModel::addColumns(int first, int last)
{
    beginInsertColumns({}, first + 1, last + 1);
    m_columns += last - first + 1;
    endInsertColumns();
}

void MatrixModel::removeColumn(int column)
{
    beginRemoveColumns({}, column + 1, column + 1);
    --m_columns;
    m_isRangeKnown = false;
    endRemoveColumns();
}

void MatrixModel::changeRow(int tensor)
{
    m_isRangeKnown = false;
    if (const int row = rowOfTensor(tensor); row >= 0)
        Q_EMIT dataChanged(index(row, 0), index(row, m_columns));
}

void MatrixModel::reset()
{
    beginResetModel();
    m_columns = 0;
    m_isRangeKnown = false;
    endResetModel();
}

const MatrixCell* MatrixModel::cell(const QModelIndex& index) const
{
    const MatrixRow* row = m_reader.row(tensorAt(index.row()));
    return row && index.column() > 0 ? row->cell(static_cast<std::size_t>(index.column() - 1))
                                     : nullptr;
}

MatrixModel::State MatrixModel::state(const QModelIndex& index) const
{
    const MatrixRow* row = m_reader.row(tensorAt(index.row()));
    if (!row)
        return Waiting;
    if (!row->problem.isEmpty())
        return Failed;
    if (index.column() == 0)
        return row->isRead ? Computed : Waiting;
    if (const MatrixCell* known = cell(index))
        return known->problem.empty() ? Computed : Failed;
    return row->isRead ? None : Waiting;
}

bool MatrixModel::isBest(const QModelIndex& index) const
{
    const MatrixCell* own = cell(index);
    const std::optional<double> value = own ? own->value(m_metric) : std::nullopt;
    if (!value)
        return false;
    bool hasWorse = false;
    const MatrixRow& row = *m_reader.row(tensorAt(index.row()));
    for (std::size_t column = 0; column < row.cells.size(); ++column) {
        const MatrixCell* other = row.cell(column);
        const std::optional<double> others = other ? other->value(m_metric) : std::nullopt;
        if (!others)
            continue;
        const double mine = shownValue(m_metric, *value);
        const double its = shownValue(m_metric, *others);
        if (isBetter(m_metric, its, mine))
            return false;
        hasWorse = hasWorse || isBetter(m_metric, mine, its);
    }
    return hasWorse;
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const bool isName = index.column() == 0;
    switch (role) {
    case Qt::DisplayRole: return text(index);
    case Qt::ToolTipRole: return toolTip(index);
    case Qt::TextAlignmentRole:
        return int((isName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: {
        if (!isBest(index))
            return {};
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    case ValueRole: {
        const MatrixCell* known = cell(index);
        const std::optional<double> value = known ? known->value(m_metric) : std::nullopt;
        return value ? QVariant(*value) : QVariant();
    }
    case BestRole: return isBest(index);
    case ExactRole: return !cell(index) || cell(index)->isExact(m_metric);
    case StateRole: return int(state(index));
    case TensorRole: return tensorAt(index.row());
    default: return {};
    }
}

QString MatrixModel::text(const QModelIndex& index) const
{
    if (index.column() == 0)
        return name(index.row());
    switch (state(index)) {
    case Waiting: return QStringLiteral("…");
    case None: return {};
    case Failed: return tr("failed");
    case Computed: break;
    }
    const std::optional<double> value = cell(index)->value(m_metric);
    if (!value)
        return QStringLiteral("–");
    return (cell(index)->isExact(m_metric) ? QString() : QStringLiteral("≈")) +
           valueText(m_metric, *value);
}

QString MatrixModel::toolTip(const QModelIndex& index) const
{
    const MatrixRow* row = m_reader.row(tensorAt(index.row()));
    if (row && !row->problem.isEmpty())
        return row->problem;
    const QString name = this->name(index.row());
    if (index.column() == 0)
        return name;
    const QString where =
        tr("%1 on %2")
            .arg(headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(), name);
    if (const MatrixCell* known = cell(index); known && !known->problem.empty())
        return where + u'\n' + QString::fromStdString(known->problem);
    if (state(index) == None)
        return where + tr("\nThis tensor is not given to that calibrator: it is for another role.");
    return where + QStringLiteral(": ") + text(index);
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 ||
        section > std::min(m_columns, static_cast<int>(m_reader.columns().size())))
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == IdRole && section > 0)
        return QString::fromStdString(m_reader.columns()[static_cast<std::size_t>(section - 1)].id);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    return section == 0 ? tr("tensor")
                        : QString::fromStdString(
                              m_reader.columns()[static_cast<std::size_t>(section - 1)].label);
}

bool MatrixSortModel::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    if (left.column() == 0)
        return naturalLess(left.data(Qt::DisplayRole).toString(),
                           right.data(Qt::DisplayRole).toString());
    const QVariant one = left.data(MatrixModel::ValueRole);
    const QVariant other = right.data(MatrixModel::ValueRole);
    if (one.isValid() != other.isValid())
        return one.isValid() == (sortOrder() == Qt::AscendingOrder);
    return one.isValid() && one.toDouble() < other.toDouble();
}

}  // namespace calibscope
