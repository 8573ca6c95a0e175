// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/layer_reader.h"
#include "ui/models/table_model.h"

#include <QStringList>

namespace calibscope {

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
