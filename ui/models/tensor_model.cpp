#include "ui/models/tensor_model.h"

#include "ui/document/tensor_text.h"
#include "ui/plot/number_label.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

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
    m_tensors[static_cast<std::size_t>(tensor)].unreadable = {};  // of an earlier attempt
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

bool TensorModel::isPinned(int index) const
{
    return std::ranges::binary_search(m_pins, index);
}

bool TensorModel::isExcluded(int index) const
{
    return m_excluded.at(static_cast<std::size_t>(index));
}

bool TensorModel::isInPins(const QModelIndex& index) const
{
    const QModelIndex group = index.parent().isValid() ? index.parent() : index;
    return group.isValid() && m_groups[static_cast<std::size_t>(group.row())].isPins;
}

void TensorModel::setPins(const std::vector<int>& pins)
{
    std::vector<int> removed;
    std::vector<int> added;
    std::ranges::set_difference(m_pins, pins, std::back_inserter(removed));
    std::ranges::set_difference(pins, m_pins, std::back_inserter(added));
    for (const int tensor : removed)
        removePin(tensor);
    for (const int tensor : added)
        insertPin(tensor);
    for (const std::vector<int>& changed : {removed, added})
        for (const int tensor : changed)
            tellChanged(tensor);
    if (hasPins() && !(removed.empty() && added.empty())) {
        const QModelIndex group = index(rowCount() - 1, 0);
        Q_EMIT dataChanged(group, group);  // its title counts
    }
}

void TensorModel::insertPin(int tensor)
{
    const auto place = std::ranges::lower_bound(m_pins, tensor) - m_pins.begin();
    const int row = static_cast<int>(place);
    if (!hasPins()) {
        beginInsertRows({}, rowCount(), rowCount());
        m_pins = {tensor};
        m_groups.push_back({.role = calibscope::Role::Unknown, .tensors = m_pins, .isPins = true});
    } else {
        beginInsertRows(index(rowCount() - 1, 0), row, row);
        m_pins.insert(m_pins.begin() + place, tensor);
        m_groups.back().tensors = m_pins;
    }
    endInsertRows();
}

void TensorModel::removePin(int tensor)
{
    const auto place = std::ranges::lower_bound(m_pins, tensor) - m_pins.begin();
    const int row = static_cast<int>(place);
    if (m_pins.size() == 1) {
        beginRemoveRows({}, rowCount() - 1, rowCount() - 1);
        m_pins.clear();
        m_groups.pop_back();
    } else {
        beginRemoveRows(index(rowCount() - 1, 0), row, row);
        m_pins.erase(m_pins.begin() + place);
        m_groups.back().tensors = m_pins;
    }
    endRemoveRows();
}

void TensorModel::setExcluded(const std::vector<int>& excluded)
{
    std::vector<bool> wanted(m_tensors.size(), false);
    for (const int tensor : excluded)
        wanted.at(static_cast<std::size_t>(tensor)) = true;
    std::vector<int> changed;
    for (int tensor = 0; tensor < tensorCount(); ++tensor)
        if (wanted[static_cast<std::size_t>(tensor)] != isExcluded(tensor))
            changed.push_back(tensor);
    m_excluded = std::move(wanted);
    for (const int tensor : changed)
        tellChanged(tensor);
}

void TensorModel::setDecided(std::map<int, QString> decided)
{
    std::vector<std::pair<int, QString>> differing;
    std::ranges::set_symmetric_difference(m_decided, decided, std::back_inserter(differing));
    m_decided = std::move(decided);
    for (const auto& [tensor, label] : differing)
        tellChanged(tensor);
}

namespace {

QString groupTitle(Role role)
{
    switch (role) {
    case Role::Activation: return TensorModel::tr("activations");
    case Role::Weight: return TensorModel::tr("weights");
    case Role::Unknown: return TensorModel::tr("other");
    }
    return {};
}

QString sqnrText(const std::optional<double>& db)
{
    if (!db)
        return {};
    return std::isinf(*db) ? valueLabel(*db) : fixedLabel(*db, 1);
}

}  // namespace

QVariant TensorModel::groupData(const Group& group, int column, int role) const
{
    if (column != Name)
        return {};
    if (role == GroupTitleRole)
        return group.isPins ? tr("pinned") : groupTitle(group.role);
    if (role == Qt::DisplayRole)
        return QStringLiteral("%1  %2").arg(groupData(group, column, GroupTitleRole).toString(),
                                            countLabel(group.tensors.size()));
    if (role == Qt::FontRole) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    return {};
}

QVariant TensorModel::displayText(int tensor, int column) const
{
    const TensorInfo& shown = this->tensor(tensor);
    const protocol::Preview* known = preview(tensor);
    switch (static_cast<Column>(column)) {
    case Name: return QString::fromStdString(shown.name);
    case Flags: return flagsOf(tensor).letters;
    case Distribution: return {};
    case Sqnr: return known ? sqnrText(known->sqnrDb) : QString();
    case Shape: return shapeLabel(shown);
    case Type: return typeLabel(shown);
    case Op: return QString::fromStdString(shown.op);
    case Role: return roleTitle(shown.role);
    case ColumnCount: break;
    }
    return {};
}

QVariant TensorModel::sortKey(int tensor, int column) const
{
    const protocol::Preview* known = preview(tensor);
    switch (static_cast<Column>(column)) {
    case Sqnr: return known && known->sqnrDb ? QVariant(*known->sqnrDb) : QVariant();
    case Shape: return static_cast<qulonglong>(this->tensor(tensor).valueCount());
    case Distribution: return known ? QVariant(known->extents.absMax()) : QVariant();
    default: return displayText(tensor, column);
    }
}

QString TensorModel::toolTip(int tensor, int column) const
{
    const TensorInfo& shown = this->tensor(tensor);
    if (column == Sqnr && preview(tensor)) {
        QStringList notes;
        for (const std::string& note : preview(tensor)->notes)
            notes += QString::fromStdString(note);
        return notes.join(u'\n');
    }
    QStringList lines;
    if (column != Flags) {
        lines += QString::fromStdString(shown.name);
        lines += QStringList{roleTitle(shown.role), shapeLabel(shown), typeLabel(shown)}.join(
            QStringLiteral("   "));
        if (!shown.parts.empty())
            lines += countText(shown.parts.size(), tr("1 dataset"),
                               tr("%1 datasets, one after the other"));
    }
    return (lines + flagsOf(tensor).reasons).join(u'\n');
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Sqnr ? int(Qt::AlignRight | Qt::AlignVCenter)
                               : int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isToolTip = role == Qt::ToolTipRole;
    switch (static_cast<Column>(section)) {
    case Name: return isToolTip ? tr("Name as recorded") : tr("name");
    case Flags:
        return isToolTip ? tr("x unreadable, ! NaN or infinities, 0 constant, ~ not exact in "
                              "float32, ? guessed, * set here, − excluded, ✓ accepted")
                         : tr("!");
    case Distribution:
        return isToolTip ? tr("Counts from the least to the largest value; sorts by the largest "
                              "magnitude")
                         : tr("distribution");
    case Sqnr:
        return isToolTip ? tr("Signal to quantization noise under the chosen recipe, in dB")
                         : tr("SQNR");
    case Shape: return isToolTip ? tr("Shape; sorts by the number of values") : tr("shape");
    case Type:
        return isToolTip
                   ? tr("Element type, and how it is read; ≈: float32 can't represent every value")
                   : tr("type");
    case Op: return isToolTip ? tr("Operation that produces or uses the tensor") : tr("op");
    case Role: return isToolTip ? tr("Activation or weight") : tr("role");
    case ColumnCount: break;
    }
    return {};
}

}  // namespace calibscope
