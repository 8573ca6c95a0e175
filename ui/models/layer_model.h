// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/layer_report.h"
#include "ui/document/document.h"
#include "ui/document/layer_reader.h"
#include "ui/models/table_model.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <string>
#include <vector>

namespace calibscope {

/// The effect of a candidate for one operand of a layer.
struct LayerCandidateRow
{
    CandidateEffect effect;
    bool isInput = true;
    std::size_t candidate = 0;  ///< index among those of the operand
    std::string operand;        ///< its tensor
    bool isBest = false;        ///< of the pair that leaves the least error
};

/// Those of the input, then those of the weight.
[[nodiscard]] std::vector<LayerCandidateRow> candidateEffectRows(const LayerCandidates& candidates);

struct LayerCandidateColumn
{
    enum { Operand, Candidate, Output, Difference, Accept };
};

[[nodiscard]] TableDescriptor<LayerCandidateRow> layerCandidateTable();

/// "percentile 99.99 on the input: +6.1 dB here": the best candidate on one operand alone; blank
/// where none is better.
[[nodiscard]] QString bestSingleSentence(const LayerCandidates& candidates);
/// "Best together: percentile 99.99 and mse per channel, 31.2 dB (+6.4)."; blank without one.
[[nodiscard]] QString bestPairSentence(const LayerCandidates& candidates);

struct EqualizationColumn
{
    enum { First, Second, Gain, FirstDb, SecondDb, Scales, Dominant, Notes };
};

/// Gain of equalizing the channels between layers.
[[nodiscard]] TableDescriptor<Equalization> equalizationTable();

struct LayerColumn
{
    enum {
        Layer,
        Op,
        Output,
        Ac,
        InputDb,
        WeightDb,
        Input,
        Weight,
        BiasGain,
        Residual,
        Positions,
        Attributes,
        Notes,
    };
};

/// Layers with the cost of quantizing their operands, at their output; those that can't be computed
/// with the reason.
[[nodiscard]] TableDescriptor<LayerRow> layerTable(const Document& document);

/// "29.7 ± 0.2", "∞", "–": an SQNR as the page shows it.
[[nodiscard]] QString layerDbText(const std::optional<double>& db,
                                  const std::optional<double>& interval = {});
/// "+6.1", "−0.3".
[[nodiscard]] QString dbChangeText(double db);
/// An operand's quantization, and its source: "percentile 99.999 (recipe's)", "mse
/// (accepted)", "float".
[[nodiscard]] QString operandChoiceText(const Document& document, const LayerRow& row,
                                        const LayerOperand& operand);
/// Notes on a row's numbers: how many positions, the self-check, attributes, notes.
[[nodiscard]] QStringList layerSentences(const LayerRow& row);

}  // namespace calibscope
