#pragma once

#include "core/base/range.h"
#include "ui/plot/axis_scale.h"

namespace calibscope {

/// The part of an axis that is shown, after zooming and moving. On a logarithmic axis widths and
/// distances are those of the logarithms; all ranges are then positive.

/// The range `factor` times as wide around `centre`, which keeps its place on screen. Stays inside
/// `full`, and no narrower than a millionth of it.
[[nodiscard]] Range zoomedRange(ScaleKind kind, const Range& shown, const Range& full,
                                double centre, double factor);

/// The range moved by a share of its width, but not out of `full`.
[[nodiscard]] Range movedRange(ScaleKind kind, const Range& shown, const Range& full, double share);

/// The range moved, or cut if it is wider, so that it lies in `full`.
[[nodiscard]] Range rangeInside(ScaleKind kind, const Range& range, const Range& full);

}  // namespace calibscope
