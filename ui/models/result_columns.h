// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/scales_table.h"

#include <QString>

#include <optional>
#include <vector>

namespace calibscope {

/// The columns of results that the window's tables show, in their order.
[[nodiscard]] const std::vector<const ResultColumn*>& windowColumns();

/// "SQNR dB": short, with the unit.
[[nodiscard]] QString columnTitle(const ResultColumn& column);
/// Its number as it is shown: shares as percent.
[[nodiscard]] std::optional<double> columnNumber(const ResultColumn& column, const ScaleRow& row);
/// A columnNumber() as its readers expect it.
[[nodiscard]] QString columnText(const ResultColumn& column, double value);
/// "29.75", "≈ 29.75 ± 0.02" where it is estimated; empty without a value.
[[nodiscard]] QString resultText(const ResultColumn& column, const ScaleRow& row);
/// " ± 0.02" where the SQNR is estimated and bounded; else empty.
[[nodiscard]] QString sqnrBarText(const ScaleRow& row);
/// "+0.83": a value less another one.
[[nodiscard]] QString differenceText(const ResultColumn& column, double value, double baseline);

}  // namespace calibscope
