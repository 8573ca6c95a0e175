#pragma once

#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_zoom.h"

#include <QPointF>

namespace calibscope {

/// Along which axes something is zoomed or moved.
struct ZoomAxes
{
    bool x = true;
    bool y = true;
};

/// What a frame shows after zooming and moving, in pixels of the frame. `current` is what it shows
/// now, `full` all there is along x. An axis that stands on its lower end keeps it; y that would
/// show all that its content wishes follows the content again.

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
