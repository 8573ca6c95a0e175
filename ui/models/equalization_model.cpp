#include "ui/models/equalization_model.h"

#include "ui/models/layer_model.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <QGuiApplication>
#include <QPalette>

#include <optional>
#include <utility>

namespace calibscope {

namespace {

QString utf8(const std::string& text)
{
    return QString::fromStdString(text);
}

std::optional<double> gainOf(const Equalization& pair)
{
    if (!pair.secondBeforeDb || !pair.secondAfterDb)
        return std::nullopt;
    return *pair.secondAfterDb - *pair.secondBeforeDb;
}

QString fromTo(const std::optional<double>& before, const std::optional<double>& after)
{
    return before && after ? tr("%1 → %2").arg(layerDbText(before), layerDbText(after))
                           : layerDbText({});
}

}  // namespace

void EqualizationModel::setPairs(std::vector<Equalization> pairs)
{
    beginResetModel();
    m_pairs = std::move(pairs);
    endResetModel();
}

int EqualizationModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_pairs.size());
}

int EqualizationModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString EqualizationModel::text(const Equalization& pair, int column) const
{
    switch (static_cast<Column>(column)) {
    case First: return utf8(pair.first);
    case Second: return utf8(pair.second);
    case Gain: return gainOf(pair) ? dbChangeText(*gainOf(pair)) : layerDbText({});
    case FirstDb: return fromTo(pair.firstBeforeDb, pair.firstAfterDb);
    case SecondDb: return fromTo(pair.secondBeforeDb, pair.secondAfterDb);
    case Scales:
        return pair.whyNot.empty() ? tr("%1 … %2").arg(valueLabel(pair.leastScale, 3),
                                                       valueLabel(pair.largestScale, 3))
                                   : layerDbText({});
    case Dominant: {
        QStringList channels;
        for (const DominantChannel& channel : pair.dominant)
            channels += tr("%1 (×%2)").arg(channel.channel).arg(valueLabel(channel.ratio, 3));
        return channels.join(QStringLiteral(", "));
    }
    case Notes: {
        QStringList notes;
        if (!pair.whyNot.empty())
            notes += utf8(pair.whyNot);
        for (const std::string& note : pair.notes)
            notes += utf8(note);
        return notes.join(QStringLiteral("; "));
    }
    case ColumnCount: break;
    }
    return {};
}

QVariant EqualizationModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Equalization& pair = m_pairs[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool isNumeric = column >= Gain && column <= Scales;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return text(pair, column);
    case SortRole: {
        const std::optional<double> number = column == Gain       ? gainOf(pair)
                                             : column == FirstDb  ? pair.firstBeforeDb
                                             : column == SecondDb ? pair.secondBeforeDb
                                             : column == Scales   ? std::optional(pair.largestScale)
                                                                  : std::nullopt;
        return isNumeric ? (number ? QVariant(*number) : QVariant()) : QVariant(text(pair, column));
    }
    case Qt::TextAlignmentRole:
        return int((isNumeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return pair.whyNot.empty()
                   ? QVariant()
                   : QVariant(QGuiApplication::palette().color(QPalette::PlaceholderText));
    default: return {};
    }
}

QVariant EqualizationModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section >= Gain && section <= Scales ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isHelp = role == Qt::ToolTipRole;
    switch (static_cast<Column>(section)) {
    case First: return isHelp ? tr("The layer whose output channels are scaled") : tr("layer");
    case Second: return isHelp ? tr("The layer behind it, which undoes it") : tr("layer behind");
    case Gain:
        return isHelp ? tr("SQNR that the output of the layer behind would gain") : tr("gain dB");
    case FirstDb: return isHelp ? tr("SQNR of the first layer's output") : tr("first, dB");
    case SecondDb: return isHelp ? tr("SQNR of the second layer's output") : tr("second, dB");
    case Scales: return isHelp ? tr("Least and largest factor of a channel") : tr("factors");
    case Dominant:
        return isHelp ? tr("Channels between them that widen the range most, and how far they "
                           "reach beyond the median channel")
                      : tr("dominant channels");
    case Notes: return isHelp ? tr("Why there is no number, and what is odd") : tr("notes");
    case ColumnCount: break;
    }
    return {};
}

}  // namespace calibscope
