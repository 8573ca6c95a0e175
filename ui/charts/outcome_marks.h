#pragma once

#include "ui/charts/marks.h"
#include "ui/outcome_row.h"
#include "ui/theme/chart_colors.h"

#include <string>
#include <vector>

namespace calibscope {

/// Which outcomes are drawn, and how.
struct MarkWish
{
    const ChartColors& colors;
    std::string emphasised = {};  ///< label; empty: what the chosen recipe does
};

/// Clip ranges of the ticked outcomes.
[[nodiscard]] std::vector<ThresholdMark> thresholdMarks(const std::vector<OutcomeRow>& rows,
                                                        const MarkWish& wish);

/// What the ticked outcomes searched, the emphasised one with its parts.
[[nodiscard]] std::vector<CurveMark> curveMarks(const std::vector<OutcomeRow>& rows,
                                                const MarkWish& wish);

/// Why there are no curves, as a sentence.
[[nodiscard]] QString noCurvesText(const std::vector<OutcomeRow>& rows);

}  // namespace calibscope
