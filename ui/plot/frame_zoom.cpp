#include "ui/plot/frame_zoom.h"

#include "ui/plot/zoom_range.h"

#include <algorithm>
#include <functional>

namespace calibscope {

namespace {

using NewRange = std::function<Range(const PlotAxis& axis, const Range& most)>;

/// What an axis may show at most: what the content wishes, and what is shown already.
Range mostOf(const PlotAxis& axis)
{
    return unitedRange(axis.requested, axis.scale.values());
}

bool showsAllRequested(const Range& range, const Range& requested)
{
    const double rounding = 1e-9 * requested.width();
    return range.low <= requested.low + rounding && range.high >= requested.high - rounding;
}

std::vector<Range> changedY(const PlotFrame& frame, const NewRange& newRange)
{
    std::vector<Range> ranges;
    bool isAllShown = true;
    for (const PlotAxis& axis : frame.y) {
        ranges.push_back(newRange(axis, mostOf(axis)));
        isAllShown = isAllShown && showsAllRequested(ranges.back(), axis.requested);
    }
    return isAllShown ? std::vector<Range>() : ranges;
}

}  // namespace

PlotZoom zoomedAround(const PlotFrame& frame, const Range& full, const PlotZoom& current,
                      ZoomAxes axes, const QPointF& point, double factor)
{
    PlotZoom zoom = current;
    const AxisScale& x = frame.x.scale;
    if (axes.x)
        zoom.x = zoomedRange(x.kind(), x.values(), full, x.toValue(point.x()), factor);
    if (axes.y)
        zoom.y = changedY(frame, [&](const PlotAxis& axis, const Range& most) {
            const AxisScale& y = axis.scale;
            const double centre = axis.standsOnLow ? y.values().low : y.toValue(point.y());
            return zoomedRange(y.kind(), y.values(), most, centre, factor);
        });
    return zoom;
}

PlotZoom movedBy(const PlotFrame& frame, const Range& full, const PlotZoom& current, ZoomAxes axes,
                 const QPointF& distance)
{
    PlotZoom zoom = current;
    const AxisScale& x = frame.x.scale;
    if (axes.x)
        zoom.x = movedRange(x.kind(), x.values(), full, -distance.x() / frame.area.width());
    if (axes.y && !current.y.empty())
        zoom.y = changedY(frame, [&](const PlotAxis& axis, const Range& most) {
            const AxisScale& y = axis.scale;
            const double share = axis.standsOnLow ? 0.0 : distance.y() / frame.area.height();
            return movedRange(y.kind(), y.values(), most, share);
        });
    return zoom;
}

PlotZoom zoomedInto(const PlotFrame& frame, const Range& full, const PlotZoom& current,
                    ZoomAxes axes, const QRectF& box)
{
    PlotZoom zoom = current;
    const QRectF inside = box.normalized().intersected(frame.area);
    const AxisScale& x = frame.x.scale;
    if (axes.x)
        zoom.x = rangeInside(x.kind(), {x.toValue(inside.left()), x.toValue(inside.right())}, full);
    if (axes.y)
        zoom.y = changedY(frame, [&](const PlotAxis& axis, const Range&) {
            const AxisScale& y = axis.scale;
            const double low = axis.standsOnLow ? y.values().low : y.toValue(inside.bottom());
            return Range{low, y.toValue(inside.top())};
        });
    return zoom;
}

}  // namespace calibscope
