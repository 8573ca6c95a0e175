#include "ui/models/layer_model.h"

#include "ui/document/decisions.h"
#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

QString layerText(const std::string& text)
{
    return QString::fromStdString(text);
}

QString noNumber()
{
    return QStringLiteral("–");
}

QColor faintInk()
{
    return QGuiApplication::palette().color(QPalette::PlaceholderText);
}

}  // namespace

QString layerDbText(const std::optional<double>& db, const std::optional<double>& interval)
{
    if (!db)
        return noNumber();
    const QString text = std::isfinite(*db) ? fixedLabel(*db, 1) : valueLabel(*db);
    return interval && std::isfinite(*db) ? tr("%1 ± %2").arg(text, valueLabel(*interval, 2))
                                          : text;
}

QString dbChangeText(double db)
{
    if (std::isinf(db))
        return valueLabel(db);
    return (db > 0.0 ? QStringLiteral("+") : QString()) + fixedLabel(db, 1);
}

QString operandChoiceText(const Document& document, const LayerRow& row,
                          const LayerOperand& operand)
{
    const std::string& of = operand.decidedBy.empty() ? operand.tensor : operand.decidedBy;
    for (const protocol::ChoiceOnTensor& choice : row.choices) {
        const auto tensor = std::ranges::find(document.tensors(), choice.path, &TensorInfo::path);
        if (tensor == document.tensors().end() ||
            (tensor->name != of && choice.path != operand.path))
            continue;
        const bool isAccepted =
            decisionOf(document, static_cast<int>(tensor - document.tensors().begin())) != nullptr;
        return isAccepted ? tr("%1 (accepted)").arg(layerText(choice.label))
                          : tr("%1 (recipe's)").arg(layerText(choice.label));
    }
    return tr("float");
}

QStringList layerSentences(const LayerRow& row)
{
    QStringList sentences;
    if (const QString reason = row.reason(); !reason.isEmpty())
        return {reason};
    const LayerResult& found = row.found;
    if (!row.hasNumbers())
        return sentences;
    sentences +=
        found.isExact()
            ? tr("Exact: all %1 positions.").arg(countLabel(found.of))
            : tr("From %1 of %2 positions.").arg(countLabel(found.positions), countLabel(found.of));
    sentences += found.residual
                     ? tr("Self-check: recomputing the recorded output leaves a residual of %1.")
                           .arg(valueLabel(*found.residual, 2))
                     : tr("There is no recorded output to check it with.");
    if (!found.attributes.empty())
        sentences += found.attributes == "recorded"
                         ? tr("Attributes as recorded.")
                         : tr("Attributes %1.").arg(layerText(found.attributes));
    if (found.biasGainDb && *found.biasGainDb >= 0.05)
        sentences += tr("Correcting each channel's mean error (the bias) gains %1 dB.")
                         .arg(fixedLabel(*found.biasGainDb, 1));
    for (const std::string& note : found.notes)
        sentences += layerText(note);
    return sentences;
}

LayerModel::LayerModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), m_document(document)
{
    LayerReader& layers = document.questions().layers();
    const auto reset = [this] {
        beginResetModel();
        m_count = static_cast<int>(m_document.questions().layers().rows().size());
        endResetModel();
    };
    connect(&layers, &LayerReader::listed, this, reset);
    connect(&layers, &LayerReader::rowChanged, this, [this](std::size_t changed) {
        const int row = static_cast<int>(changed);
        if (row < m_count)
            Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    });
    reset();
}

const LayerRow& LayerModel::row(int index) const
{
    return m_document.questions().layers().rows().at(static_cast<std::size_t>(index));
}

int LayerModel::rowOf(const std::string& layer) const
{
    for (int index = 0; index < m_count; ++index)
        if (row(index).found.layer == layer)
            return index;
    return -1;
}

int LayerModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_count;
}

int LayerModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LayerModel::number(const LayerRow& row, int column) const
{
    const auto known = [](const std::optional<double>& value) {
        return value ? QVariant(*value) : QVariant();
    };
    const LayerResult& found = row.found;
    switch (static_cast<Column>(column)) {
    case Output: return known(found.outputSqnrDb);
    case Ac: return known(found.outputAcDb);
    case InputDb: return known(found.inputDb);
    case WeightDb: return known(found.weightDb);
    case BiasGain: return known(found.biasGainDb);
    case Residual: return known(found.residual);
    case Positions:
        return row.hasNumbers() ? QVariant(static_cast<qulonglong>(found.positions)) : QVariant();
    default: return {};
    }
}

QString LayerModel::text(const LayerRow& row, int column) const
{
    const LayerResult& found = row.found;
    switch (static_cast<Column>(column)) {
    case Layer: return layerText(found.layer);
    case Op: return layerText(found.op);
    case Output:
        return !row.hasNumbers() && row.isPending
                   ? QStringLiteral("…")
                   : layerDbText(found.outputSqnrDb, found.intervalDb);
    case Ac: return layerDbText(found.outputAcDb);
    case InputDb: return layerDbText(found.inputDb);
    case WeightDb: return layerDbText(found.weightDb);
    case Input:
        return tr("%1  %2").arg(layerText(found.input.tensor),
                                operandChoiceText(m_document, row, found.input));
    case Weight:
        return tr("%1  %2").arg(layerText(found.weight.tensor),
                                operandChoiceText(m_document, row, found.weight));
    case BiasGain: return found.biasGainDb ? fixedLabel(*found.biasGainDb, 1) : noNumber();
    case Residual: return found.residual ? valueLabel(*found.residual, 2) : noNumber();
    case Positions:
        return !row.hasNumbers() ? noNumber()
               : found.isExact()
                   ? tr("all %1").arg(countLabel(found.of))
                   : tr("≈ %1 of %2").arg(countLabel(found.positions), countLabel(found.of));
    case Attributes: return layerText(found.attributes);
    case Notes: {
        if (const QString reason = row.reason(); !reason.isEmpty())
            return reason;
        QStringList notes;
        for (const std::string& note : found.notes)
            notes += layerText(note);
        return notes.join(QStringLiteral("; "));
    }
    case ColumnCount: break;
    }
    return {};
}

QVariant LayerModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_count)
        return {};
    const LayerRow& shown = row(index.row());
    const int column = index.column();
    const bool isNumeric =
        (column >= Output && column <= WeightDb) || (column >= BiasGain && column <= Positions);
    switch (role) {
    case Qt::DisplayRole: return text(shown, column);
    case Qt::ToolTipRole:
        return (QStringList{layerText(shown.found.layer)} + layerSentences(shown)).join(u'\n');
    case SortRole: return isNumeric ? number(shown, column) : QVariant(text(shown, column));
    case CopyRole: return number(shown, column);
    case Qt::TextAlignmentRole:
        return int((isNumeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole: return shown.reason().isEmpty() ? QVariant() : QVariant(faintInk());
    default: return {};
    }
}

QVariant LayerModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool isNumeric = (section >= Output && section <= WeightDb) ||
                               (section >= BiasGain && section <= Positions);
        return int((isNumeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isHelp = role == Qt::ToolTipRole;
    switch (static_cast<Column>(section)) {
    case Layer: return isHelp ? tr("The layer, by the name of its output") : tr("layer");
    case Op: return isHelp ? tr("What it computes") : tr("op");
    case Output:
        return isHelp ? tr("SQNR of the layer's output with its operands quantized, and nothing "
                           "before it; ±: 95 % interval of the drawn positions")
                      : tr("output dB");
    case Ac: return isHelp ? tr("The same of the output without each channel's mean") : tr("AC dB");
    case InputDb:
        return isHelp ? tr("SQNR of the output with the input alone quantized") : tr("input dB");
    case WeightDb:
        return isHelp ? tr("SQNR of the output with the weight alone quantized") : tr("weight dB");
    case Input: return isHelp ? tr("The input, and what quantizes it") : tr("input");
    case Weight:
        return isHelp ? tr("The weight, or the second operand, and what quantizes it")
                      : tr("weight");
    case BiasGain:
        return isHelp ? tr("SQNR that correcting each channel's mean error would gain")
                      : tr("bias dB");
    case Residual:
        return isHelp ? tr("How far the recomputed output is from the recorded one, relative")
                      : tr("residual");
    case Positions:
        return isHelp ? tr("Positions of the output that were computed; ≈: not all, drawn at "
                           "random with a fixed seed")
                      : tr("positions");
    case Attributes:
        return isHelp ? tr("Strides, pads and the like: recorded, or found by recomputing")
                      : tr("attributes");
    case Notes: return isHelp ? tr("Why there is no number, and what is odd") : tr("notes");
    case ColumnCount: break;
    }
    return {};
}

}  // namespace calibscope
