#pragma once

#include "ui/plot/plot_frame.h"

namespace calibscope {

/// Width of the sign (line or dot) in front of a legend's text, with its gap.
constexpr double legendSignWidth = 26.0;

/// Places legend entries in rows from the top of `room`. Texts are elided to the room's width. A
/// legend that needs more rows than the room has is left out.
[[nodiscard]] std::vector<PlacedLegendEntry> layoutLegend(const std::vector<LegendEntry>& entries,
                                                          const QRectF& room,
                                                          const QFontMetricsF& metrics);

}  // namespace calibscope
