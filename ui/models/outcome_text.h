// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/outcome_rows.h"

#include <QString>
#include <QStringList>

namespace calibscope {

/// "First bin: discarded", one for each setting of the calibrator, then scheme and granularity.
[[nodiscard]] QStringList settingLines(const Choice& choice);
/// A word's meaning in that choice: "127" of qmax under 8 bits, "rebin on growth" of
/// redistribute. Blank where it says itself what it means.
[[nodiscard]] QString wordMeaning(const Choice& choice, const Parameter& parameter,
                                  const std::string& word);
/// "1024 bins of |x|, range doubling".
[[nodiscard]] QString histogramWords(const HistogramSpec& histogram);

/// "+4.99 dB": a row's SQNR less that of another one, ≈ where one is estimated; empty while one is
/// not known.
[[nodiscard]] QString dbGainText(const OutcomeRow& other, const OutcomeRow& row);

/// Notes for its reader: the rule's note, why there is no result, why a pick is odd, what is
/// estimated. As sentences without a full stop.
[[nodiscard]] QStringList noteLines(const OutcomeRow& row);

}  // namespace calibscope
