// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "ui/plot/axis_scale.h"
#include "ui/plot/plot_frame.h"

#include <QPointF>

#include <optional>
#include <vector>

namespace calibscope {

/// A user's view of a plot.
struct PlotZoom
{
    std::optional<Range> x;  ///< nothing: all
    std::vector<Range> y;    ///< by y axis; empty: y follows what is shown

    bool operator==(const PlotZoom&) const = default;
};

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

/// Along which axes something is zoomed or moved.
struct ZoomAxes
{
    bool x = true;
    bool y = true;
};

/// What a frame shows after zooming and moving, in pixels of the frame. `current` is what it shows
/// now, `full` all there is along x. An axis that stands on its lower end keeps it; y that would
/// show all that its content requests follows the content again.

/// The axes `factor` times as wide around a point, which keeps its place.
[[nodiscard]] PlotZoom zoomedAround(const PlotFrame& frame, const Range& full,
                                    const PlotZoom& current, ZoomAxes axes, const QPointF& point,
                                    double factor);

/// Moved with a pointer that went by `distance`.
[[nodiscard]] PlotZoom movedBy(const PlotFrame& frame, const Range& full, const PlotZoom& current,
                               ZoomAxes axes, const QPointF& distance);

/// A box of the area, enlarged to all of it.
[[nodiscard]] PlotZoom zoomedInto(const PlotFrame& frame, const Range& full,
                                  const PlotZoom& current, ZoomAxes axes, const QRectF& box);

}  // namespace calibscope
