// What MatchModel says in its cells.
#include "ui/document/tensor_text.h"
#include "ui/models/match_model.h"
#include "ui/plot/number_label.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <cmath>

namespace calibscope {

namespace {

QString estimated(double value, const QString& text)
{
    return value == 0.0 ? text : QStringLiteral("≈") + text;
}

}  // namespace

QString matchRuleTitle(MatchRule rule)
{
    switch (rule) {
    case MatchRule::Hand: return MatchModel::tr("by hand");
    case MatchRule::Name: return MatchModel::tr("name");
    case MatchRule::NormalizedName: return MatchModel::tr("normalized name");
    case MatchRule::NameEnd: return MatchModel::tr("end of name");
    case MatchRule::Order: return MatchModel::tr("order and shape");
    }
    return {};
}

QString MatchModel::groupTitle(Group group) const
{
    const int size = rowCount(indexOfGroup(group));
    switch (group) {
    case Group::OnlyA: return tr("Only in A (%1)").arg(size);
    case Group::OnlyB: return tr("Only in B (%1)").arg(size);
    case Group::Pairs: break;
    }
    return tr("In both (%1)").arg(size);
}

QVariant MatchModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Place place = placeOf(index);
    const bool isText =
        index.column() == Tensor || index.column() == Counterpart || index.column() == Rule;
    switch (role) {
    case Qt::DisplayRole: return text(place, index.column());
    case Qt::ToolTipRole: return toolTip(place, index.column());
    case Qt::TextAlignmentRole:
        return int((isText                    ? Qt::AlignLeft
                    : index.column() == Shape ? Qt::AlignHCenter
                                              : Qt::AlignRight) |
                   Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return isFaint(place, index.column())
                   ? QVariant(QGuiApplication::palette().placeholderText())
                   : QVariant();
    case Qt::FontRole: {
        if (place.place >= 0)
            return {};
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    default: return {};
    }
}

QString MatchModel::text(const Place& place, int column) const
{
    if (place.place < 0)
        return column == Tensor ? groupTitle(place.group) : QString();
    if (place.group == Group::Pairs)
        return pairText(place.place, column);
    return column == Tensor ? QString::fromStdString(tensorOf(place.group, place.place).name)
                            : QString();
}

QString MatchModel::pairText(int pair, int column) const
{
    const TensorPair& places = m_comparison.matches().pairs.at(static_cast<std::size_t>(pair));
    const DriftRow& row = m_comparison.drift().row(pair);
    const std::string& name = tensorOf(Group::Pairs, pair).name;
    switch (column) {
    case Tensor: return QString::fromStdString(name);
    case Shape: return places.isSameShape ? QString() : QStringLiteral("≠");
    case Counterpart:
        return counterpartOf(pair).name == name ? tr("same name")
                                                : QString::fromStdString(counterpartOf(pair).name);
    case Rule: return matchRuleTitle(places.rule);
    default: break;
    }
    if (!row.isRead)
        return QStringLiteral("…");
    if (!row.problem.isEmpty())
        return column == Moved ? tr("failed") : QString();
    const std::optional<double> value = number(pair, column);
    if (!value)
        return QStringLiteral("–");
    if (column == Moved)
        return estimated(*value, valueLabel(100.0 * *value, 2) + QStringLiteral(" %"));
    if (column == Kl)
        return estimated(*value, valueLabel(*value, 2));
    if (column == LossDb) {
        const QString number = std::isfinite(*value) ? fixedLabel(*value, 2) : valueLabel(*value);
        return row.recipeCell()->isExact ? number : estimated(*value, number);
    }
    return valueLabel(*value, 3);
}

bool MatchModel::isFaint(const Place& place, int column) const
{
    if (place.group != Group::Pairs || place.place < 0)
        return false;
    switch (column) {
    case Tensor: return hasNoDrift(m_comparison.drift().row(place.place));
    case Counterpart:
        return counterpartOf(place.place).name == tensorOf(Group::Pairs, place.place).name;
    case Shape:
    case Rule: return false;
    case Moved:
    case Kl:
    case LossDb: return number(place.place, column).value_or(0.0) == 0.0;
    default: return number(place.place, column).value_or(1.0) == 1.0;
    }
}

QString MatchModel::toolTip(const Place& place, int column) const
{
    if (place.place < 0)
        return {};
    const TensorInfo& tensor = tensorOf(place.group, place.place);
    const QString path = QString::fromStdString(tensor.path);
    if (place.group != Group::Pairs)
        return tr("%1\n%2\nhas no counterpart").arg(path, shapeLabel(tensor));
    const DriftRow& row = m_comparison.drift().row(place.place);
    if (!row.problem.isEmpty())
        return row.problem;
    const TensorInfo& counterpart = counterpartOf(place.place);
    if (column == Moved && row.drift) {
        const QString moved =
            tr("A value moved by ≈%1 on average").arg(valueLabel(row.drift->earthMover));
        const std::optional<double> steps = movedSteps(row);
        return steps ? tr("%1, ≈%2 steps of A's scale").arg(moved, valueLabel(*steps, 3)) : moved;
    }
    if ((column == LossDb || column == ScaleRatio) && row.recipeCell())
        return QString::fromStdString(row.recipeLabel + (row.recipeCell()->problem.empty()
                                                             ? std::string()
                                                             : "\n" + row.recipeCell()->problem));
    return tr("A: %1, %2\nB: %3, %4")
        .arg(path, shapeLabel(tensor), QString::fromStdString(counterpart.path),
             shapeLabel(counterpart));
}

QVariant MatchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const bool isHelp = role == Qt::ToolTipRole;
    if (role != Qt::DisplayRole && !isHelp)
        return {};
    switch (section) {
    case Tensor: return isHelp ? tr("Name in A") : tr("tensor");
    case Shape: return isHelp ? tr("≠: the shapes differ, apart from the samples") : tr("≠");
    case Moved:
        return isHelp ? tr("Earth mover's distance: how far a value moved on average, as a share "
                           "of the largest magnitude; estimated from the sketches")
                      : tr("moved");
    case Kl:
        return isHelp ? tr("Kullback-Leibler divergence of B from A in nats; estimated from the "
                           "sketches")
                      : tr("KL");
    case MaxRatio: return isHelp ? tr("Largest magnitude of B over that of A") : tr("max ×");
    case ScaleRatio:
        return isHelp ? tr("Scale of B over that of A, of the chosen recipe") : tr("scale ×");
    case LossDb:
        return isHelp ? tr("What B's values lose in SQNR when A's scale stands in for their own, "
                           "of the chosen recipe")
                      : tr("dB lost");
    case Counterpart: return isHelp ? tr("Name in B") : tr("in B");
    case Rule: return isHelp ? tr("How the counterpart was found") : tr("matched by");
    default: break;
    }
    const QString label =
        QString::fromStdString(m_labels[static_cast<std::size_t>(section - FixedColumns)]);
    return isHelp ? tr("Scale of B over that of A, of %1").arg(label) : tr("× %1").arg(label);
}

}  // namespace calibscope
