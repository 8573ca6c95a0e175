// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/layer_model.h"

#include "ui/document/decisions.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>

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

TableDescriptor<LayerRow> layerTable(const Document& document)
{
    using Row = LayerRow;
    TableDescriptor<Row> table{
        .columns = {},
        .toolTip =
            [](const Row& row) {
                return (QStringList{layerText(row.found.layer)} + layerSentences(row)).join(u'\n');
            },
        .grade =
            [](const Row& row) { return row.reason().isEmpty() ? Grade::Plain : Grade::Faint; }};
    const auto addDb = [&table](const QString& title, const QString& help,
                                std::optional<double> LayerResult::*db) {
        table.addNumber(
            title, help, [db](const Row& row) { return layerDbText(row.found.*db); },
            [db](const Row& row) { return row.found.*db; });
    };
    const auto addOperand = [&](const QString& title, const QString& help,
                                LayerOperand LayerResult::*operand) {
        table.add(title, help, [&document, operand](const Row& row) {
            const LayerOperand& of = row.found.*operand;
            return tr("%1  %2").arg(layerText(of.tensor), operandChoiceText(document, row, of));
        });
    };
    table.add(tr("layer"), tr("The layer, by the name of its output"),
              [](const Row& row) { return layerText(row.found.layer); });
    table.add(tr("op"), tr("Operation"), [](const Row& row) { return layerText(row.found.op); });
    table.addNumber(
        tr("output dB"),
        tr("SQNR of the layer's output with its operands quantized, and nothing before it; ±: "
           "95 % interval of the drawn positions"),
        [](const Row& row) {
            return !row.hasNumbers() && row.isPending
                       ? QStringLiteral("…")
                       : layerDbText(row.found.outputSqnrDb, row.found.intervalDb);
        },
        [](const Row& row) { return row.found.outputSqnrDb; });
    addDb(tr("AC dB"), tr("The same of the output without each channel's mean"),
          &LayerResult::outputAcDb);
    addDb(tr("input dB"), tr("SQNR of the output with the input alone quantized"),
          &LayerResult::inputDb);
    addDb(tr("weight dB"), tr("SQNR of the output with the weight alone quantized"),
          &LayerResult::weightDb);
    addOperand(tr("input"), tr("The input, and what quantizes it"), &LayerResult::input);
    addOperand(tr("weight"), tr("The weight, or the second operand, and what quantizes it"),
               &LayerResult::weight);
    table.addNumber(
        tr("bias dB"), tr("SQNR that correcting each channel's mean error would gain"),
        [](const Row& row) {
            return row.found.biasGainDb ? fixedLabel(*row.found.biasGainDb, 1) : noNumber();
        },
        [](const Row& row) { return row.found.biasGainDb; });
    table.addNumber(
        tr("residual"), tr("How far the recomputed output is from the recorded one, relative"),
        [](const Row& row) {
            return row.found.residual ? valueLabel(*row.found.residual, 2) : noNumber();
        },
        [](const Row& row) { return row.found.residual; });
    table.addNumber(
        tr("positions"),
        tr("Positions of the output that were computed; ≈: not all, drawn at random with a "
           "fixed seed"),
        [](const Row& row) {
            const LayerResult& found = row.found;
            return !row.hasNumbers() ? noNumber()
                   : found.isExact()
                       ? tr("all %1").arg(countLabel(found.of))
                       : tr("≈ %1 of %2").arg(countLabel(found.positions), countLabel(found.of));
        },
        [](const Row& row) {
            return row.hasNumbers() ? std::optional(static_cast<double>(row.found.positions))
                                    : std::nullopt;
        });
    table.add(tr("attributes"), tr("Strides, pads and the like: recorded, or found by recomputing"),
              [](const Row& row) { return layerText(row.found.attributes); });
    table.add(tr("notes"), tr("Reason for a missing value; warnings"), [](const Row& row) {
        if (const QString reason = row.reason(); !reason.isEmpty())
            return reason;
        QStringList notes;
        for (const std::string& note : row.found.notes)
            notes += layerText(note);
        return notes.join(QStringLiteral("; "));
    });
    return table;
}

}  // namespace calibscope
