// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/outcome_rows.h"
#include "ui/theme/chart_colors.h"

#include <QString>

#include <string>
#include <vector>

namespace calibscope {

/// Contents of a closed card.
struct CardFace
{
    std::string id;
    std::string label;
    QString group;    ///< heading of the cards that it stands among
    QString figure;   ///< "29.75 dB"; "…" while it is computed, "–" without a result
    QString numbers;  ///< "2.391   scale 0.01883   clipped 0.066 %"
    QString toolTip;
    SeriesStyle style;
    bool isTicked = false;
    bool isBest = false;      ///< no other has a higher SQNR, but some have a lower one
    bool isChosen = false;    ///< its name is bold: accepting takes it
    bool isRecipes = false;   ///< the chosen recipe's choice, while another one is bold
    bool isChanged = false;   ///< its settings are not its own any more
    bool isAccepted = false;  ///< the user accepted it
};

/// A face for each row, in the order of cardOrder(): first those that are looked for, behind them
/// the standard calibrators, the vendors whose recipes bring in further ones, and what the user
/// added, each under a heading.
[[nodiscard]] std::vector<CardFace> cardFaces(const std::vector<OutcomeRow>& rows,
                                              const ChartColors& colors);

}  // namespace calibscope
