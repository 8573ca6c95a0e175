#include "ui/models/tensor_filter_model.h"

#include "ui/models/natural_order.h"
#include "ui/models/tensor_model.h"
#include "ui/plot/number_label.h"

#include <algorithm>

namespace calibscope {

TensorFilterModel::TensorFilterModel(TensorModel& tensors, QObject* parent)
    : QSortFilterProxyModel(parent), m_tensors(tensors)
{
    setRecursiveFilteringEnabled(true);
    setSortRole(TensorModel::SortRole);
    matchAll();
    // Connected before the base class is: its own slots then find the new answers.
    connect(&tensors, &QAbstractItemModel::modelReset, this, &TensorFilterModel::matchAll);
    connect(&tensors, &QAbstractItemModel::dataChanged, this, &TensorFilterModel::matchChanged);
    setSourceModel(&tensors);
}

void TensorFilterModel::setQuery(const QString& query)
{
    m_filter = TensorFilter(query.toStdString());
    matchAll();
    invalidateFilter();
}

QString TensorFilterModel::problem() const
{
    return QString::fromStdString(m_filter.problem());
}

int TensorFilterModel::matchCount() const
{
    return static_cast<int>(std::ranges::count(m_matches, true));
}

QVariant TensorFilterModel::data(const QModelIndex& index, int role) const
{
    const bool isGroup = index.isValid() && !index.parent().isValid();
    if (!isGroup || role != Qt::DisplayRole || index.column() != TensorModel::Name)
        return QSortFilterProxyModel::data(index, role);
    const int shown = rowCount(index);
    const int all = m_tensors.rowCount(mapToSource(index));
    if (shown == all)
        return QSortFilterProxyModel::data(index, role);
    return tr("%1  %2 of %3")
        .arg(index.data(TensorModel::GroupTitleRole).toString(),
             countLabel(static_cast<std::uint64_t>(shown)),
             countLabel(static_cast<std::uint64_t>(all)));
}

int TensorFilterModel::tensorAt(const QModelIndex& index) const
{
    return m_tensors.tensorAt(mapToSource(index));
}

QModelIndex TensorFilterModel::indexOfTensor(int tensor) const
{
    return mapFromSource(m_tensors.indexOf(tensor));
}

std::vector<int> TensorFilterModel::shownTensors() const
{
    std::vector<int> shown;
    for (int group = 0; group < rowCount(); ++group) {
        const QModelIndex parentIndex = index(group, 0);
        if (m_tensors.isInPins(mapToSource(parentIndex)))
            continue;  // they stand above too
        for (int row = 0; row < rowCount(parentIndex); ++row)
            shown.push_back(tensorAt(index(row, 0, parentIndex)));
    }
    return shown;
}

bool TensorFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    // A group is shown if a tensor in it is: recursive filtering sees to that.
    if (!parent.isValid())
        return false;
    if (m_tensors.isInPins(parent))
        return true;  // they are pinned to be there, whatever is looked for
    return m_matches[static_cast<std::size_t>(m_tensors.tensorAt(m_tensors.index(row, 0, parent)))];
}

bool TensorFilterModel::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    if (!left.parent().isValid())  // groups keep their order whichever way rows are sorted
        return (left.row() < right.row()) == (sortOrder() == Qt::AscendingOrder);
    const QVariant leftKey = left.data(sortRole());
    const QVariant rightKey = right.data(sortRole());
    if (leftKey.isValid() != rightKey.isValid())  // unknown values go last
        return leftKey.isValid() == (sortOrder() == Qt::AscendingOrder);
    if (leftKey.typeId() != QMetaType::QString)
        return QSortFilterProxyModel::lessThan(left, right);
    return naturalLess(leftKey.toString(), rightKey.toString());
}

void TensorFilterModel::matchAll()
{
    m_matches.resize(static_cast<std::size_t>(m_tensors.tensorCount()));
    for (int tensor = 0; tensor < m_tensors.tensorCount(); ++tensor)
        m_matches[static_cast<std::size_t>(tensor)] = isMatch(tensor);
}

void TensorFilterModel::matchChanged(const QModelIndex& first, const QModelIndex& last)
{
    if (m_filter.matchesAll())
        return;
    for (int row = first.row(); row <= last.row(); ++row) {
        const int tensor = m_tensors.tensorAt(first.siblingAtRow(row));
        if (tensor >= 0)
            m_matches[static_cast<std::size_t>(tensor)] = isMatch(tensor);
    }
}

bool TensorFilterModel::isMatch(int tensor) const
{
    return m_filter.matches(
        {.tensor = m_tensors.tensor(tensor),
         .preview = m_tensors.preview(tensor),
         .isReadable = m_tensors.isReadable(tensor),
         .isFlagged = m_filter.needsPreviews() && m_tensors.flagsOf(tensor).hasWarning(),
         .isEdited = m_tensors.isEdited(tensor),
         .isPinned = m_tensors.isPinned(tensor),
         .isExcluded = m_tensors.isExcluded(tensor),
         .isDecided = m_tensors.isDecided(tensor)});
}

}  // namespace calibscope
