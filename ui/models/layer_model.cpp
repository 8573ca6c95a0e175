// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/layer_model.h"

#include "ui/document/decisions.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <optional>

namespace calibscope {

namespace {

QString layerText(const std::string& text)
{
    return QString::fromStdString(text);
}

QString acceptToolTip(const LayerCandidateRow& row)
{
    if (!row.effect.problem.empty())
        return layerText(row.effect.problem);
    return row.effect.isDecided
               ? QString()
               : tr("Accepts %1 for the %2, as one step that can be undone")
                     .arg(layerText(row.effect.label), row.isInput ? tr("input") : tr("weight"));
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

QString dominantText(const Equalization& pair)
{
    QStringList channels;
    for (const DominantChannel& channel : pair.dominant)
        channels += tr("%1 (×%2)").arg(channel.channel).arg(valueLabel(channel.ratio, 3));
    return channels.join(QStringLiteral(", "));
}

QString notesText(const Equalization& pair)
{
    QStringList notes;
    if (!pair.whyNot.empty())
        notes += layerText(pair.whyNot);
    for (const std::string& note : pair.notes)
        notes += layerText(note);
    return notes.join(QStringLiteral("; "));
}

QString noNumber()
{
    return QStringLiteral("–");
}

}  // namespace

std::vector<LayerCandidateRow> candidateEffectRows(const LayerCandidates& candidates)
{
    std::vector<LayerCandidateRow> rows;
    for (const bool isInput : {true, false}) {
        const LayerOperand& operand =
            isInput ? candidates.decided.input : candidates.decided.weight;
        const auto& best = isInput ? candidates.bestInput : candidates.bestWeight;
        for (const CandidateEffect& effect : isInput ? candidates.input : candidates.weight) {
            const std::size_t index = rows.size() - (isInput ? 0 : candidates.input.size());
            rows.push_back({.effect = effect,
                            .isInput = isInput,
                            .candidate = index,
                            .operand = operand.tensor,
                            .isBest = best == index});
        }
    }
    return rows;
}

TableDescriptor<LayerCandidateRow> layerCandidateTable()
{
    using Row = LayerCandidateRow;
    const auto textOrProblem = [](const TableColumn<Row>::Text& text) {
        return [text](const Row& row) {
            return row.effect.problem.empty() ? text(row) : layerText(row.effect.problem);
        };
    };
    TableDescriptor<Row> table{.columns = {}, .grade = [](const Row& row) {
                                   return row.effect.problem.empty() ? Grade::Plain : Grade::Faint;
                               }};
    table.add(tr("operand"), tr("Operand that the candidate would quantize"), [](const Row& row) {
        return (row.isInput ? tr("input  %1") : tr("weight  %1")).arg(layerText(row.operand));
    });
    table
        .add(tr("candidate"), tr("★: the pair of both operands that leaves the least error"),
             [](const Row& row) {
                 return row.isBest ? tr("★ %1").arg(layerText(row.effect.label))
                                   : layerText(row.effect.label);
             })
        .graded([](const Row& row) {
            return !row.effect.problem.empty() ? Grade::Faint
                   : row.isBest                ? Grade::Bold
                                               : Grade::Plain;
        });
    table.addNumber(
        tr("output dB"), tr("SQNR of the layer's output, the other operand as it is"),
        [](const Row& row) {
            return row.effect.problem.empty() ? layerDbText(row.effect.outputSqnrDb) : tr("failed");
        },
        [](const Row& row) { return row.effect.outputSqnrDb; });
    table.addNumber(
        tr("change"), tr("Against what it is now, in dB"),
        [](const Row& row) {
            return row.effect.isDecided      ? tr("as it is")
                   : row.effect.differenceDb ? dbChangeText(*row.effect.differenceDb)
                                             : layerDbText({});
        },
        [](const Row& row) { return row.effect.differenceDb; });
    for (TableColumn<Row>& column : table.columns)
        column.withToolTip(textOrProblem(column.text));
    table
        .add(QString(), tr("Accepts that candidate"),
             [](const Row& row) {
                 return row.effect.isDecided || !row.effect.outputSqnrDb ? QString() : tr("accept");
             })
        .graded([](const Row&) { return Grade::Link; })
        .withToolTip(acceptToolTip);
    return table;
}

QString bestSingleSentence(const LayerCandidates& candidates)
{
    const CandidateEffect* best = nullptr;
    bool isInput = true;
    for (const bool ofInput : {true, false})
        for (const CandidateEffect& effect : ofInput ? candidates.input : candidates.weight)
            if (effect.differenceDb && (!best || *effect.differenceDb > *best->differenceDb)) {
                best = &effect;
                isInput = ofInput;
            }
    constexpr double leastGain = 0.05;  // what is shown as 0.1
    if (!best || best->isDecided || !(*best->differenceDb >= leastGain))
        return {};
    return (isInput ? tr("%1 on the input: %2 dB here.") : tr("%1 on the weight: %2 dB here."))
        .arg(layerText(best->label), dbChangeText(*best->differenceDb));
}

QString bestPairSentence(const LayerCandidates& candidates)
{
    if (!candidates.bestInput || !candidates.bestWeight || !candidates.bestSqnrDb)
        return {};
    const CandidateEffect& input = candidates.input[*candidates.bestInput];
    const CandidateEffect& weight = candidates.weight[*candidates.bestWeight];
    if (input.isDecided && weight.isDecided)
        return tr("No pair of candidates leaves less error here than the present one.");
    const QString gain = candidates.bestDifferenceDb
                             ? tr(" (%1)").arg(dbChangeText(*candidates.bestDifferenceDb))
                             : QString();
    return tr("Best together: %1 on the input, %2 on the weight: %3 dB%4.")
        .arg(layerText(input.label), layerText(weight.label), layerDbText(candidates.bestSqnrDb),
             gain);
}

TableDescriptor<Equalization> equalizationTable()
{
    using Row = Equalization;
    TableDescriptor<Row> table{.columns = {}, .grade = [](const Row& pair) {
                                   return pair.whyNot.empty() ? Grade::Plain : Grade::Faint;
                               }};
    table.add(tr("layer"), tr("The layer whose output channels are scaled"),
              [](const Row& pair) { return layerText(pair.first); });
    table.add(tr("layer behind"), tr("The layer behind it, which undoes it"),
              [](const Row& pair) { return layerText(pair.second); });
    table.addNumber(
        tr("gain dB"), tr("SQNR that the output of the layer behind would gain"),
        [](const Row& pair) {
            return gainOf(pair) ? dbChangeText(*gainOf(pair)) : layerDbText({});
        },
        gainOf);
    table.addNumber(
        tr("first, dB"), tr("SQNR of the first layer's output"),
        [](const Row& pair) { return fromTo(pair.firstBeforeDb, pair.firstAfterDb); },
        [](const Row& pair) { return pair.firstBeforeDb; });
    table.addNumber(
        tr("second, dB"), tr("SQNR of the second layer's output"),
        [](const Row& pair) { return fromTo(pair.secondBeforeDb, pair.secondAfterDb); },
        [](const Row& pair) { return pair.secondBeforeDb; });
    table.addNumber(
        tr("factors"), tr("Least and largest factor of a channel"),
        [](const Row& pair) {
            return pair.whyNot.empty() ? tr("%1 … %2").arg(valueLabel(pair.leastScale, 3),
                                                           valueLabel(pair.largestScale, 3))
                                       : layerDbText({});
        },
        [](const Row& pair) { return std::optional(pair.largestScale); });
    table.add(tr("dominant channels"),
              tr("Channels between them that widen the range most, and how far they reach beyond "
                 "the median channel"),
              dominantText);
    table.add(tr("notes"), tr("Reason for a missing value; warnings"), notesText);
    return table;
}

QString layerDbText(const std::optional<double>& db, const std::optional<double>& interval)
{
    return interval && db && std::isfinite(*db)
               ? tr("%1 ± %2").arg(dbLabel(db), valueLabel(*interval, 2))
               : dbLabel(db);
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
                          : layerText(choice.label);
    }
    return tr("float");
}

QStringList layerSentences(const LayerRow& row)
{
    static const QRegularExpression lastNumber(QStringLiteral(" (?=\\d+$)"));  // on no line alone
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
        sentences += layerText(note).replace(lastNumber, QString(QChar::Nbsp));
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
