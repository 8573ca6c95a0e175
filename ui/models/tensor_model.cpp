#include "ui/models/tensor_model.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>

namespace calibscope {

namespace {

/// Ids of a group's index; tensors have their group's number + 1.
constexpr quintptr groupId = 0;

}  // namespace

void TensorModel::setTensors(std::vector<TensorInfo> tensors, const std::vector<int>& edited)
{
    beginResetModel();
    m_tensors = std::move(tensors);
    m_previews.assign(m_tensors.size(), std::nullopt);
    m_excluded.assign(m_tensors.size(), false);
    m_pins.clear();
    m_decided.clear();
    setEdited(edited);
    makeGroups();
    endResetModel();
}

void TensorModel::changeTensors(const std::vector<int>& places,
                                const std::vector<TensorInfo>& tensors,
                                const std::vector<int>& edited, bool sameValues)
{
    const bool movesRows = std::ranges::any_of(places, [&](int place) {
        return tensors.at(static_cast<std::size_t>(place)).role != tensor(place).role;
    });
    if (movesRows)
        beginResetModel();
    for (const int place : places) {
        const auto at = static_cast<std::size_t>(place);
        m_tensors[at] = tensors[at];
        if (!sameValues)
            m_previews[at].reset();
    }
    setEdited(edited);
    if (movesRows) {
        makeGroups();
        endResetModel();
        return;
    }
    for (const int place : places)
        tellChanged(place);
}

void TensorModel::setEdited(const std::vector<int>& edited)
{
    m_edited.assign(m_tensors.size(), false);
    for (const int place : edited)
        m_edited[static_cast<std::size_t>(place)] = true;
}

void TensorModel::makeGroups()
{
    m_places.assign(m_tensors.size(), {});
    m_groups.clear();
    for (const calibscope::Role role :
         {calibscope::Role::Activation, calibscope::Role::Weight, calibscope::Role::Unknown}) {
        Group group{.role = role, .tensors = {}};
        for (int tensor = 0; tensor < tensorCount(); ++tensor)
            if (m_tensors[static_cast<std::size_t>(tensor)].role == role) {
                m_places[static_cast<std::size_t>(tensor)] = {
                    static_cast<int>(m_groups.size()), static_cast<int>(group.tensors.size())};
                group.tensors.push_back(tensor);
            }
        if (!group.tensors.empty())
            m_groups.push_back(std::move(group));
    }
    if (!m_pins.empty())
        m_groups.push_back({.role = calibscope::Role::Unknown, .tensors = m_pins, .isPins = true});
}

void TensorModel::setPreview(int tensor, protocol::Preview preview)
{
    m_previews[static_cast<std::size_t>(tensor)] = std::move(preview);
    m_tensors[static_cast<std::size_t>(tensor)].unreadable.clear();  // of an earlier attempt
    tellChanged(tensor);
}

void TensorModel::setProblem(int tensor, const QString& sentence)
{
    m_tensors[static_cast<std::size_t>(tensor)].unreadable = sentence.toStdString();
    tellChanged(tensor);
}

void TensorModel::tellChanged(int tensor)
{
    const QModelIndex first = indexOf(tensor);
    Q_EMIT dataChanged(first, first.siblingAtColumn(ColumnCount - 1));
    if (!isPinned(tensor))
        return;
    const QModelIndex pins = index(rowCount() - 1, 0);
    const auto place = std::ranges::lower_bound(m_pins, tensor) - m_pins.begin();
    Q_EMIT dataChanged(index(static_cast<int>(place), 0, pins),
                       index(static_cast<int>(place), ColumnCount - 1, pins));
}

void TensorModel::clearSqnr()
{
    for (std::optional<protocol::Preview>& preview : m_previews)
        if (preview)
            preview->sqnrDb.reset();
    for (int group = 0; group < rowCount(); ++group) {
        const QModelIndex parentIndex = index(group, 0);
        Q_EMIT dataChanged(index(0, Sqnr, parentIndex),
                           index(rowCount(parentIndex) - 1, Sqnr, parentIndex));
    }
}

const TensorInfo& TensorModel::tensor(int index) const
{
    return m_tensors.at(static_cast<std::size_t>(index));
}

const protocol::Preview* TensorModel::preview(int index) const
{
    const std::optional<protocol::Preview>& preview =
        m_previews.at(static_cast<std::size_t>(index));
    return preview ? &*preview : nullptr;
}

TensorFlags TensorModel::flagsOf(int index) const
{
    return tensorFlags(tensor(index), preview(index),
                       {.isEdited = isEdited(index),
                        .isExcluded = isExcluded(index),
                        .decided = isDecided(index) ? m_decided.at(index) : QString()});
}

bool TensorModel::isEdited(int index) const
{
    return m_edited.at(static_cast<std::size_t>(index));
}

QModelIndex TensorModel::indexOf(int tensor) const
{
    if (tensor < 0 || tensor >= tensorCount())
        return {};
    const auto [group, row] = m_places[static_cast<std::size_t>(tensor)];
    return createIndex(row, 0, static_cast<quintptr>(group) + 1);
}

int TensorModel::tensorAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == groupId)
        return -1;
    return m_groups[index.internalId() - 1].tensors[static_cast<std::size_t>(index.row())];
}

QModelIndex TensorModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column,
                       parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : groupId);
}

QModelIndex TensorModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == groupId)
        return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, groupId);
}

int TensorModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    if (parent.internalId() != groupId || parent.column() != 0)
        return 0;
    return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].tensors.size());
}

int TensorModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant TensorModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const int at = tensorAt(index);
    if (at < 0)
        return groupData(m_groups[static_cast<std::size_t>(index.row())], index.column(), role);
    const protocol::Preview* known = preview(at);
    switch (role) {
    case Qt::DisplayRole: return displayText(at, index.column());
    case Qt::ToolTipRole: return toolTip(at, index.column());
    case Qt::TextAlignmentRole:
        return index.column() == Sqnr ? int(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ForegroundRole:
        return tensor(at).isReadable() && !isExcluded(at)
                   ? QVariant()
                   : QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
    case SortRole: return sortKey(at, index.column());
    case TensorRole: return at;
    case SqnrRole: return known && known->sqnrDb ? QVariant(*known->sqnrDb) : QVariant();
    case CopyRole: return index.column() == Sqnr ? index.data(SqnrRole) : QVariant();
    case SparklineRole:
        return known ? QVariant::fromValue(
                           QList<double>(known->sparkline.begin(), known->sparkline.end()))
                     : QVariant();
    default: return {};
    }
}

Qt::ItemFlags TensorModel::flags(const QModelIndex& index) const
{
    const int at = tensorAt(index);
    if (at < 0)
        return index.isValid() ? Qt::ItemIsEnabled : Qt::NoItemFlags;
    // An unreadable row is greyed by its colour only: it can be chosen, and the page says why.
    const Qt::ItemFlags always = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return always | Qt::ItemNeverHasChildren;
}

}  // namespace calibscope
