// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/explain_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

std::optional<double> scaleChange(const ExplainRow& row, const ExplainRow& before)
{
    if (!row.hasResult() || !before.hasResult())
        return std::nullopt;
    const double from = before.outcome->whole.quantizer.scale;
    const double to = row.outcome->whole.quantizer.scale;
    return from > 0.0 && to > 0.0 ? std::optional(to / from) : std::nullopt;
}

std::optional<double> sqnrChange(const ExplainRow& row, const ExplainRow& before)
{
    if (!row.hasResult() || !before.hasResult())
        return std::nullopt;
    const std::optional<double> from = before.outcome->whole.metric("sqnr_db");
    const std::optional<double> to = row.outcome->whole.metric("sqnr_db");
    return from && to && std::isfinite(*from) && std::isfinite(*to) ? std::optional(*to - *from)
                                                                    : std::nullopt;
}

std::vector<ExplainRow> explainRowsBetween(const Choice& from, const Choice& to)
{
    std::vector<ExplainRow> rows;
    for (ChoiceStep& step : stepsBetween(from, to))
        rows.push_back({.step = std::move(step), .outcome = {}});
    return rows;
}

void takeOutcomes(std::vector<ExplainRow>& rows, const protocol::TensorView& view)
{
    for (std::size_t index = 0; index < std::min(rows.size(), view.outcomes.size()); ++index)
        rows[index].outcome = view.outcomes[index];
}

}  // namespace calibscope
