// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/block_format.h"
#include "core/formats/format_map.h"
#include "ui/charts/bins_content.h"

#include <QString>

#include <optional>

/// What plots show of a tensor under a number format.
namespace calibscope {

/// Id of the handle of the tensor's maximum.
constexpr const char* maximumId = "maximum";

/// The largest magnitude that the tensor's scale follows from; nothing for a format without one.
[[nodiscard]] std::optional<double> tensorMaximum(const BlockFormat& format, const FormatMap& map);
/// Share of the blocks whose scale is not a normal E4M3 under that maximum: their largest magnitude
/// lies outside of A / 28672 to A. By the bins of the histogram: to 1.1 % of a magnitude.
[[nodiscard]] double shareOutside(const FormatMap& map, double maximum);

/// Blocks by their scales, with the ends of what can be stored.
[[nodiscard]] BinsMark scalesMark(const BlockFormat& format, const FormatMap& map);
/// Blocks by their largest magnitude, with the window of the tensor's maximum, which is a handle.
[[nodiscard]] BinsMark maximaMark(const FormatMap& map, std::optional<double> maximum);
/// Values over their scales, and the numbers that the element has.
[[nodiscard]] BinsMark levelsMark(const BlockFormat& format, const FormatMap& map);

/// What the map of blocks shows.
enum class MapMeasure { Scale, Sqnr, Saturated, Flushed };
[[nodiscard]] const BlockMeasure& measureOf(const FormatMap& map, MapMeasure measure);
[[nodiscard]] QString measureName(MapMeasure measure);
/// The cell of a block in words, the measure that is shown first.
[[nodiscard]] QString mapCellText(const FormatMap& map, MapMeasure shown, std::uint64_t row,
                                  std::uint64_t column);

}  // namespace calibscope
