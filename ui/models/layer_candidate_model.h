// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/layer_report.h"
#include "ui/models/table_model.h"

#include <QString>

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

}  // namespace calibscope
