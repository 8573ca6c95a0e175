// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/layer_candidate_model.h"

#include "ui/models/layer_model.h"
#include "ui/theme/translate.h"

namespace calibscope {

namespace {

QString candidateText(const std::string& text)
{
    return QString::fromStdString(text);
}

QString acceptToolTip(const LayerCandidateRow& row)
{
    if (!row.effect.problem.empty())
        return candidateText(row.effect.problem);
    return row.effect.isDecided ? QString()
                                : tr("Accepts %1 for the %2, as one step that can be undone")
                                      .arg(candidateText(row.effect.label),
                                           row.isInput ? tr("input") : tr("weight"));
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
            return row.effect.problem.empty() ? text(row) : candidateText(row.effect.problem);
        };
    };
    TableDescriptor<Row> table{.columns = {}, .grade = [](const Row& row) {
                                   return row.effect.problem.empty() ? Grade::Plain : Grade::Faint;
                               }};
    table.add(tr("operand"), tr("Operand that the candidate would quantize"), [](const Row& row) {
        return (row.isInput ? tr("input  %1") : tr("weight  %1")).arg(candidateText(row.operand));
    });
    table
        .add(tr("candidate"), tr("★: the pair of both operands that leaves the least error"),
             [](const Row& row) {
                 return row.isBest ? tr("★ %1").arg(candidateText(row.effect.label))
                                   : candidateText(row.effect.label);
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
        .arg(candidateText(best->label), dbChangeText(*best->differenceDb));
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
        .arg(candidateText(input.label), candidateText(weight.label),
             layerDbText(candidates.bestSqnrDb), gain);
}

}  // namespace calibscope
