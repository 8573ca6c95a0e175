#include "ui/models/tensor_model.h"

#include "ui/charts/number_label.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <cmath>

namespace calibscope {

namespace {

/// Ids of a group's index; tensors have their group's number + 1.
constexpr quintptr groupId = 0;

QString groupTitle(Role role)
{
    switch (role) {
    case Role::Activation: return TensorModel::tr("activations");
    case Role::Weight: return TensorModel::tr("weights");
    case Role::Unknown: return TensorModel::tr("other");
    }
    return {};
}

QString roleTitle(Role role)
{
    switch (role) {
    case Role::Activation: return TensorModel::tr("activation");
    case Role::Weight: return TensorModel::tr("weight");
    case Role::Unknown: return TensorModel::tr("unknown");
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

void TensorModel::setTensors(std::vector<TensorInfo> tensors)
{
    beginResetModel();
    m_tensors = std::move(tensors);
    m_glances.assign(m_tensors.size(), std::nullopt);
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
    endResetModel();
}

void TensorModel::setGlance(int tensor, serve::Glance glance)
{
    m_glances[static_cast<std::size_t>(tensor)] = std::move(glance);
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
}

void TensorModel::clearSqnr()
{
    for (std::optional<serve::Glance>& glance : m_glances)
        if (glance)
            glance->sqnrDb.reset();
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

const serve::Glance* TensorModel::glance(int index) const
{
    const std::optional<serve::Glance>& glance = m_glances.at(static_cast<std::size_t>(index));
    return glance ? &*glance : nullptr;
}

TensorFlags TensorModel::flagsOf(int index) const
{
    return tensorFlags(tensor(index), glance(index));
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
    const serve::Glance* known = glance(at);
    switch (role) {
    case Qt::DisplayRole: return displayText(at, index.column());
    case Qt::ToolTipRole: return toolTip(at, index.column());
    case Qt::TextAlignmentRole:
        return index.column() == Sqnr ? int(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ForegroundRole:
        return tensor(at).isReadable()
                   ? QVariant()
                   : QGuiApplication::palette().brush(QPalette::Disabled, QPalette::Text);
    case SortRole: return sortKey(at, index.column());
    case TensorRole: return at;
    case SqnrRole: return known && known->sqnrDb ? QVariant(*known->sqnrDb) : QVariant();
    case SparklineRole:
        return known ? QVariant::fromValue(
                           QList<double>(known->sparkline.begin(), known->sparkline.end()))
                     : QVariant();
    default: return {};
    }
}

QVariant TensorModel::groupData(const Group& group, int column, int role) const
{
    if (column != Name)
        return {};
    if (role == Qt::DisplayRole)
        return QStringLiteral("%1  %2").arg(groupTitle(group.role),
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
    const serve::Glance* known = glance(tensor);
    switch (static_cast<Column>(column)) {
    case Name: return QString::fromStdString(shown.name);
    case Flags: return flagsOf(tensor).letters;
    case Distribution: return {};
    case Sqnr: return known ? sqnrText(known->sqnrDb) : QString();
    case Shape: return QString::fromStdString(shapeText(shown.shape)).replace(u'x', u'×');
    case Type: return QString::fromStdString(shown.elementType);
    case Op: return QString::fromStdString(shown.op);
    case Role: return roleTitle(shown.role);
    case ColumnCount: break;
    }
    return {};
}

QVariant TensorModel::sortKey(int tensor, int column) const
{
    const serve::Glance* known = glance(tensor);
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
    const TensorFlags flags = flagsOf(tensor);
    if (column == Flags || !shown.isReadable())
        return flags.reasons.join(u'\n');
    if (column == Sqnr && glance(tensor)) {
        QStringList notes;
        for (const std::string& note : glance(tensor)->notes)
            notes += QString::fromStdString(note);
        return notes.join(u'\n');
    }
    return QString::fromStdString(shown.name);
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
        return isToolTip ? tr("x unreadable, ! NaN or infinities, 0 constant, ? guessed") : tr("!");
    case Distribution:
        return isToolTip ? tr("Counts from the least to the largest value; sorts by the largest "
                              "magnitude")
                         : tr("distribution");
    case Sqnr:
        return isToolTip ? tr("Signal to quantization noise under the chosen recipe, in dB")
                         : tr("SQNR dB");
    case Shape: return isToolTip ? tr("Shape; sorts by the number of values") : tr("shape");
    case Type: return isToolTip ? tr("Element type in the file") : tr("type");
    case Op: return isToolTip ? tr("Operation that makes or uses the tensor") : tr("op");
    case Role: return isToolTip ? tr("Activation or weight") : tr("role");
    case ColumnCount: break;
    }
    return {};
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
