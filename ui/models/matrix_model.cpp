// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/matrix_model.h"

#include "core/base/natural_order.h"
#include "ui/document/tensor_text.h"
#include "ui/models/table_model.h"
#include "ui/plot/number_label.h"

#include <algorithm>
#include <cmath>
#include <iterator>
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

/// Differences of the others would say little: they span powers of ten.
bool isDifference(MatrixMetric metric)
{
    return metric == MatrixMetric::Sqnr || metric == MatrixMetric::ClippedShare;
}

bool hasBest(MatrixMetric metric)
{
    return metric == MatrixMetric::Sqnr || metric == MatrixMetric::Mse;
}

int groupNumber(Role role)
{
    switch (role) {
    case Role::Activation: return 0;
    case Role::Weight: return 1;
    case Role::Bias: return 2;
    case Role::Unknown: break;
    }
    return 3;
}

/// In place of a tensor.
int groupRow(Role role)
{
    return -1 - static_cast<int>(role);
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

MatrixModel::MatrixModel(const MatrixReader& reader, RecipeOf recipeOf, QObject* parent)
    : QAbstractTableModel(parent),
      m_reader(reader),
      m_recipeOf(std::move(recipeOf)),
      m_columns(static_cast<int>(reader.columns().size()))
{
    connect(&reader, &MatrixReader::columnsAdded, this, &MatrixModel::addColumns);
    connect(&reader, &MatrixReader::columnRemoved, this, &MatrixModel::removeColumn);
    connect(&reader, &MatrixReader::rowChanged, this, &MatrixModel::changeRow);
    connect(&reader, &MatrixReader::cleared, this, &MatrixModel::reset);
    connect(&reader, &MatrixReader::stopped, this, [this] {
        forgetValues(true);
        tellAll();
    });
}

void MatrixModel::setTensors(std::shared_ptr<const DumpTensors> dump, std::vector<int> rows)
{
    beginResetModel();
    m_dump = std::move(dump);
    m_tensors.clear();
    m_rowOf.assign(m_dump->all().size(), -1);
    const auto isOf = [this](calibscope::Role role) {
        return [this, role](int tensor) { return m_dump->at(tensor).role == role; };
    };
    for (const calibscope::Role role : {calibscope::Role::Activation, calibscope::Role::Weight,
                                        calibscope::Role::Bias, calibscope::Role::Unknown}) {
        const auto own = std::ranges::count_if(rows, isOf(role));
        if (own > 0 && own < std::ssize(rows))
            m_tensors.push_back(groupRow(role));
        std::ranges::copy_if(rows, std::back_inserter(m_tensors), isOf(role));
    }
    for (std::size_t row = 0; row < m_tensors.size(); ++row)
        if (m_tensors[row] >= 0)
            m_rowOf.at(static_cast<std::size_t>(m_tensors[row])) = static_cast<int>(row);
    m_recipes.clear();
    forgetValues(true);
    endResetModel();
}

void MatrixModel::setMetric(MatrixMetric metric)
{
    if (metric == m_metric)
        return;
    m_metric = metric;
    forgetValues(true);
    tellAll();
}

void MatrixModel::setReference(MatrixReference reference)
{
    if (reference == m_reference)
        return;
    m_reference = reference;
    forgetValues(true);
    tellAll();
}

void MatrixModel::forgetRecipes()
{
    m_recipes.clear();
    if (m_reference != MatrixReference::Recipe)
        return;
    forgetValues(true);
    tellAll();
}

void MatrixModel::tellAll()
{
    if (rowCount() > 0 && m_columns > 0)
        Q_EMIT dataChanged(index(0, 1), index(rowCount() - 1, m_columns));
}

void MatrixModel::forgetValues(bool all)
{
    ++m_staleRows;
    if (all)
        m_areValuesKnown = false;
}

QString MatrixModel::name(int row) const
{
    return QString::fromStdString(m_dump->at(tensorAt(row)).name);
}

int MatrixModel::tensorAt(int row) const
{
    return std::max(m_tensors.at(static_cast<std::size_t>(row)), -1);
}

int MatrixModel::rowOfTensor(int tensor) const
{
    return tensor >= 0 && tensor < std::ssize(m_rowOf) ? m_rowOf[static_cast<std::size_t>(tensor)]
                                                       : -1;
}

double MatrixModel::shareOf(int column) const
{
    struct Group
    {
        int rows = 0;
        bool isRead = false;
        bool hasCandidate = false;
    };
    std::map<calibscope::Role, Group> groups;
    int rows = 0;
    for (const int tensor : m_tensors) {
        if (tensor < 0)
            continue;
        Group& group = groups[m_dump->at(tensor).role];
        ++rows;
        ++group.rows;
        const MatrixRow* row = group.hasCandidate ? nullptr : m_reader.row(tensor);
        if (row && row->isRead) {
            group.isRead = true;
            group.hasCandidate = row->cell(static_cast<std::size_t>(column - 1)) != nullptr;
        }
    }
    int with = 0;
    for (const auto& [role, group] : groups)
        with += group.hasCandidate || !group.isRead ? group.rows : 0;
    return rows == 0 ? 1.0 : static_cast<double>(with) / rows;
}

std::optional<double> MatrixModel::referenceOf(int tensor) const
{
    const MatrixRow* row = m_reader.row(tensor);
    if (!row || m_reference == MatrixReference::None)
        return std::nullopt;
    if (m_reference == MatrixReference::Recipe) {
        auto [known, isNew] = m_recipes.try_emplace(tensor);
        if (isNew && m_recipeOf)
            known->second = m_recipeOf(tensor);
        const std::vector<CandidateName>& columns = m_reader.columns();
        const auto column = std::ranges::find(columns, known->second, &CandidateName::id);
        const MatrixCell* cell =
            column == columns.end() ? nullptr
                                    : row->cell(static_cast<std::size_t>(column - columns.begin()));
        return cell ? cell->value(m_metric) : std::nullopt;
    }
    std::optional<double> best;
    if (!hasBest(m_metric))
        return best;
    for (std::size_t column = 0; column < row->cells.size(); ++column) {
        const MatrixCell* cell = row->cell(column);
        const std::optional<double> value = cell ? cell->value(m_metric) : std::nullopt;
        if (value && (!best || isBetter(m_metric, *value, *best)))
            best = value;
    }
    return best;
}

std::optional<double> MatrixModel::shown(int tensor, std::size_t column) const
{
    const MatrixRow* row = m_reader.row(tensor);
    const MatrixCell* cell = row ? row->cell(column) : nullptr;
    const std::optional<double> value = cell ? cell->value(m_metric) : std::nullopt;
    if (!value || m_reference == MatrixReference::None)
        return value;
    const std::optional<double> reference = referenceOf(tensor);
    if (!reference)
        return std::nullopt;
    if (*value == *reference)  // also where both are infinite
        return isDifference(m_metric) ? 0.0 : 1.0;
    return isDifference(m_metric) ? *value - *reference : *value / *reference;
}

const std::vector<double>& MatrixModel::sortedValues() const
{
    // Sorting all for each row that arrives would take longer than computing it.
    constexpr std::size_t mostStale = 20;
    const bool isStale =
        m_staleRows > 0 && (!m_reader.isRunning() || m_staleRows * mostStale >= m_tensors.size());
    if (m_areValuesKnown && !isStale)
        return m_sorted;
    m_areValuesKnown = true;
    m_staleRows = 0;
    m_sorted.clear();
    for (const int tensor : m_tensors) {
        const MatrixRow* row = tensor < 0 ? nullptr : m_reader.row(tensor);
        for (std::size_t column = 0; row && column < row->cells.size(); ++column)
            if (const std::optional<double> value = shown(tensor, column);
                value && std::isfinite(*value))
                m_sorted.push_back(*value);
    }
    std::ranges::sort(m_sorted);
    return m_sorted;
}

std::optional<Range> MatrixModel::range() const
{
    const std::vector<double>& sorted = sortedValues();
    if (sorted.empty())
        return std::nullopt;
    return Range{.low = sorted.front(), .high = sorted.back()};
}

std::optional<double> MatrixModel::rankOf(double value) const
{
    const std::vector<double>& sorted = sortedValues();
    if (sorted.empty() || std::isnan(value))
        return std::nullopt;
    // Clang 14 does not compile what std::ranges::equal_range returns.
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    const auto below = static_cast<double>(first - sorted.begin());
    return (below + static_cast<double>(last - first) / 2.0) / static_cast<double>(sorted.size());
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
    forgetValues(true);
    endRemoveColumns();
}

void MatrixModel::changeRow(int tensor)
{
    forgetValues(false);
    if (const int row = rowOfTensor(tensor); row >= 0)
        Q_EMIT dataChanged(index(row, 0), index(row, m_columns));
}

void MatrixModel::reset()
{
    beginResetModel();
    m_columns = 0;
    forgetValues(true);
    endResetModel();
}

const MatrixCell* MatrixModel::cell(const QModelIndex& index) const
{
    if (tensorAt(index.row()) < 0)
        return nullptr;
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
    if (role == GroupRole) {
        const int tensor = m_tensors[static_cast<std::size_t>(index.row())];
        return groupNumber(tensor < 0 ? static_cast<calibscope::Role>(-1 - tensor)
                                      : m_dump->at(tensor).role);
    }
    if (tensorAt(index.row()) < 0)
        return groupData(index, role);
    const bool isName = index.column() == 0;
    switch (role) {
    case Qt::DisplayRole: return text(index);
    case Qt::ToolTipRole: return toolTip(index);
    case Qt::TextAlignmentRole:
        return int((isName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: return gradeFont(isBest(index) ? Grade::Bold : Grade::Plain);
    case ValueRole: {
        const std::optional<double> value =
            isName ? std::nullopt
                   : shown(tensorAt(index.row()), static_cast<std::size_t>(index.column() - 1));
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
    const std::optional<double> value =
        shown(tensorAt(index.row()), static_cast<std::size_t>(index.column() - 1));
    if (!value)
        return QStringLiteral("–");
    const QString about = cell(index)->isExact(m_metric) ? QString() : QStringLiteral("≈");
    if (m_reference == MatrixReference::None)
        return about + valueText(m_metric, *value);
    if (!isDifference(m_metric))
        return QStringLiteral("×") + valueLabel(*value, 3);
    return about + (*value > 0.0 ? QStringLiteral("+") : QString()) + valueText(m_metric, *value);
}

QVariant MatrixModel::groupData(const QModelIndex& index, int role) const
{
    const auto group =
        static_cast<calibscope::Role>(-1 - m_tensors[static_cast<std::size_t>(index.row())]);
    if (role == IsGroupRole)
        return true;
    if (index.column() > 0)
        return {};
    if (role == Qt::FontRole)
        return gradeFont(Grade::Bold);
    if (role != Qt::DisplayRole)
        return {};
    const auto size = std::ranges::count_if(m_tensors, [this, group](int tensor) {
        return tensor >= 0 && m_dump->at(tensor).role == group;
    });
    return QStringLiteral("%1  %2").arg(rolesTitle(group),
                                        countLabel(static_cast<std::uint64_t>(size)));
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
    // Groups keep their order, and their own rows stay above the others, either way.
    const auto place = [](const QModelIndex& index) {
        return std::pair(index.data(MatrixModel::GroupRole).toInt(),
                         !index.data(MatrixModel::IsGroupRole).toBool());
    };
    if (const auto one = place(left), other = place(right); one != other)
        return (one < other) == (sortOrder() == Qt::AscendingOrder);
    if (left.column() == 0)
        return naturallyBefore(left.data(Qt::DisplayRole).toString().toStdString(),
                               right.data(Qt::DisplayRole).toString().toStdString());
    const QVariant one = left.data(MatrixModel::ValueRole);
    const QVariant other = right.data(MatrixModel::ValueRole);
    if (one.isValid() != other.isValid())
        return one.isValid() == (sortOrder() == Qt::AscendingOrder);
    return one.isValid() && one.toDouble() < other.toDouble();
}

}  // namespace calibscope
