// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/recipes/steps.h"

#include <optional>
#include <vector>

namespace calibscope {

/// A step on the way from one choice to another, and what came of it.
struct ExplainRow
{
    ChoiceStep step;
    std::optional<Outcome> outcome;  ///< nothing until it was computed

    [[nodiscard]] bool hasResult() const { return outcome && outcome->problem.empty(); }
};

/// Scale over that of the row before; nothing where one of them is missing or 0.
[[nodiscard]] std::optional<double> scaleChange(const ExplainRow& row, const ExplainRow& before);
/// SQNR less that of the row before, in dB; nothing where one of them is missing or infinite.
[[nodiscard]] std::optional<double> sqnrChange(const ExplainRow& row, const ExplainRow& before);

/// The steps that turn one choice into another, an option at a time.
[[nodiscard]] std::vector<ExplainRow> explainRowsBetween(const Choice& from, const Choice& to);
/// The outcomes of a view that was asked for with the rows' choices.
void takeOutcomes(std::vector<ExplainRow>& rows, const protocol::TensorView& view);

}  // namespace calibscope
