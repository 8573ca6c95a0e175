// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_zoom.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace calibscope {

namespace {

constexpr double leastShare = 1e-6;

double placeOf(ScaleKind kind, double value)
{
    return kind == ScaleKind::Log ? std::log10(value) : value;
}

double valueAt(ScaleKind kind, double place)
{
    return kind == ScaleKind::Log ? std::pow(10.0, place) : place;
}

Range placesOf(ScaleKind kind, const Range& values)
{
    return {placeOf(kind, values.low), placeOf(kind, values.high)};
}

/// Values of places inside `full`; an end of `full` is that very number.
Range valuesInside(ScaleKind kind, const Range& places, const Range& full)
{
    const Range ends = placesOf(kind, full);
    const double width = places.width();
    if (width >= ends.width())
        return full;
    const double low = std::clamp(places.low, ends.low, ends.high - width);
    return {low <= ends.low ? full.low : valueAt(kind, low),
            low >= ends.high - width ? full.high : valueAt(kind, low + width)};
}

using NewRange = std::function<Range(const PlotAxis& axis, const Range& most)>;

/// What an axis may show at most: what the content requests, and what is shown already.
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

Range zoomedRange(ScaleKind kind, const Range& shown, const Range& full, double centre,
                  double factor)
{
    const Range places = placesOf(kind, shown);
    const double fullWidth = placesOf(kind, full).width();
    const double width = std::clamp(places.width() * factor, fullWidth * leastShare, fullWidth);
    if (width == fullWidth)  // rounded, the ends would miss those of `full`
        return full;
    const double middle = placeOf(kind, centre);
    const double low = middle - (middle - places.low) / places.width() * width;
    return valuesInside(kind, {low, low + width}, full);
}

Range movedRange(ScaleKind kind, const Range& shown, const Range& full, double share)
{
    const Range places = placesOf(kind, shown);
    const double distance = share * places.width();
    return valuesInside(kind, {places.low + distance, places.high + distance}, full);
}

Range rangeInside(ScaleKind kind, const Range& range, const Range& full)
{
    if (full.contains(range.low) && full.contains(range.high))
        return range;
    return valuesInside(kind, placesOf(kind, range), full);
}

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
            const double upward = y.pixelOfLow() > y.pixelOfHigh() ? 1.0 : -1.0;
            const double share =
                axis.standsOnLow ? 0.0 : upward * distance.y() / frame.area.height();
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
            const auto [low, high] =
                std::minmax({y.toValue(inside.bottom()), y.toValue(inside.top())});
            return Range{axis.standsOnLow ? y.values().low : low, high};
        });
    return zoom;
}

}  // namespace calibscope
