// What the cells and headers of TensorModel say.
#include "ui/document/tensor_text.h"
#include "ui/models/tensor_model.h"
#include "ui/plot/number_label.h"

#include <QFont>

#include <cmath>

namespace calibscope {

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
            lines += tr("%1 datasets, one after the other").arg(countLabel(shown.parts.size()));
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
        return isToolTip
                   ? tr("x unreadable, ! NaN or infinities, 0 constant, ~ not exact in float32, "
                        "? guessed, * set here, − excluded, ✓ settled")
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
                   ? tr("Element type, and as what it is read; ≈: float32 can't hold all of it")
                   : tr("type");
    case Op: return isToolTip ? tr("Operation that makes or uses the tensor") : tr("op");
    case Role: return isToolTip ? tr("Activation or weight") : tr("role");
    case ColumnCount: break;
    }
    return {};
}

}  // namespace calibscope
