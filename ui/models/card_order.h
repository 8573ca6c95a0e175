// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/outcome_rows.h"

#include <QString>

#include <cstddef>
#include <vector>

namespace calibscope {

/// SQNR as a card shows it: "29.75 dB"; "…" while it is computed, "–" without a result.
[[nodiscard]] QString sqnrFigure(const OutcomeRow& row);

/// By row: no other has a higher SQNR, but some have a lower one. Figures that look alike are
/// alike.
[[nodiscard]] std::vector<bool> bestRows(const std::vector<OutcomeRow>& rows);

/// By row: its card is among the first, whatever its kind: the chosen recipe's choice, the best
/// once all are computed (until then cards don't change places), the manual range.
[[nodiscard]] std::vector<bool> soughtRows(const std::vector<OutcomeRow>& rows);

/// Places of the rows in the order of their cards: first soughtRows(), then the others as they are
/// listed. The keys 1 to 9 count in this order.
[[nodiscard]] std::vector<std::size_t> cardOrder(const std::vector<OutcomeRow>& rows);

}  // namespace calibscope
