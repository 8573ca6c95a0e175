#include "ui/plot/plot_axes.h"

#include "ui/plot/label_layout.h"
#include "ui/plot/number_label.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace calibscope {

namespace {

std::vector<std::size_t> majorsFirst(const std::vector<Tick>& ticks)
{
    std::vector<std::size_t> order(ticks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // 0 on a logarithmic axis comes last in `ticks` and yields to a power of ten.
    std::ranges::stable_partition(order, [&](std::size_t tick) { return ticks[tick].isMajor; });
    return order;
}

/// Removes labels that would overlap or hang out of `bounds`; moves those near the ends inside.
void fitLabels(PlotAxis& axis, const Range& bounds, const QFontMetricsF& metrics, bool isVertical)
{
    std::vector<double> sizes;
    axis.labelCentres.clear();
    for (const Tick& tick : axis.ticks) {
        const double size =
            isVertical ? metrics.capHeight() : metrics.horizontalAdvance(tick.label);
        const double place = axis.scale.toPixel(tick.value);
        sizes.push_back(tick.label.isEmpty() ? 0.0 : size);
        axis.labelCentres.push_back(std::max(std::min(place, bounds.high - sizes.back() / 2.0),
                                             bounds.low + sizes.back() / 2.0));
    }
    std::vector<std::size_t> labelled = majorsFirst(axis.ticks);
    std::erase_if(labelled, [&](std::size_t tick) { return axis.ticks[tick].label.isEmpty(); });
    const double gap = isVertical ? metrics.capHeight() * 0.6 : metrics.averageCharWidth() * 2.0;
    const std::vector<bool> stays = withoutOverlaps(axis.labelCentres, sizes, labelled, gap);
    for (std::size_t tick = 0; tick < axis.ticks.size(); ++tick)
        if (!stays[tick] || sizes[tick] > bounds.width())
            axis.ticks[tick].label.clear();
}

QString withExponent(const QString& title, int exponent)
{
    return exponent == 0 ? title : title + QStringLiteral(" (×%1)").arg(powerOfTenLabel(exponent));
}

bool isEveryLabelShown(const std::vector<Tick>& before, const PlotAxis& axis)
{
    return std::ranges::equal(before, axis.ticks, {}, &Tick::label, &Tick::label);
}

AxisScale xScale(const FrameWish& request, double left, double right)
{
    return request.xKind == ScaleKind::Log
               ? AxisScale(ScaleKind::Log, request.shown, left, right, request.logX.floor)
               : AxisScale(ScaleKind::Linear, request.shown, left, right);
}

/// Powers of ten, and "0" at the place of 0.
TickSet logXTicks(const AxisScale& scale, const LogX& logX, int atMost)
{
    const double length = scale.pixelOfHigh() - scale.pixelOfLow();
    TickSet set = logTicks(scale.values(), atMost, length);
    const double rounding = 1.0 - 1e-9;
    std::erase_if(set.ticks, [&](const Tick& tick) { return tick.value < logX.least * rounding; });
    if (logX.floor < logX.least && scale.values().low <= logX.floor)
        set.ticks.push_back({logX.floor, QStringLiteral("0"), true});
    return set;
}

/// The scale of a y axis: what the content wishes, or `asked` where the user zoomed.
AxisScale yScale(const AxisWish& request, const Range* asked, const QRectF& area)
{
    const double free = std::min(request.freePixels, area.height() * 0.45);
    // Values end below the free strip; the scale goes on to the upper edge.
    const AxisScale used(request.kind, request.values, area.bottom(), area.top() + free);
    const Range whole{used.values().low, used.toValue(area.top())};
    if (asked == nullptr)
        return {request.kind, whole, area.bottom(), area.top()};
    constexpr double leastFloor = 1e-300;
    return {request.kind, *asked, area.bottom(), area.top(), request.zeroAt.value_or(leastFloor)};
}

TickSet yTicks(const AxisWish& request, const AxisScale& scale, int atMost)
{
    const Range& values = scale.values();
    if (request.kind == ScaleKind::Linear) {
        const Range ticked{values.low, request.endsAtHigh
                                           ? std::min(values.high, request.values.high)
                                           : values.high};
        return linearTicks(ticked, atMost, request.numbers);
    }
    TickSet set = logTicks(values, atMost, scale.pixelOfLow() - scale.pixelOfHigh());
    if (request.endsAtHigh)
        std::erase_if(set.ticks,
                      [&](const Tick& tick) { return tick.value > request.values.high; });
    // The place of 0 is half of the least value.
    if (request.zeroAt)
        std::erase_if(set.ticks,
                      [&](const Tick& tick) { return tick.value < 2.0 * *request.zeroAt; });
    if (request.zeroAt && values.contains(*request.zeroAt))
        set.ticks.push_back({*request.zeroAt, QStringLiteral("0"), false});
    return set;
    std::erase_if(set.ticks, [](const Tick& tick) { return tick.value < 1.0; });
    if (values.contains(*request.zeroAt))
        set.ticks.push_back({*request.zeroAt, QStringLiteral("0"), false});
    return set;
}

PlotAxis yAxis(const AxisWish& axisWish, const Range* asked, const FrameWish& request,
               const QRectF& area)
{
    const QFontMetricsF metrics(request.font);
    PlotAxis axis;
    axis.requested = yScale(axisWish, nullptr, area).values();
    axis.standsOnLow = axisWish.standsOnLow;
    axis.scale = yScale(axisWish, asked, area);
    const int atMost =
        std::clamp(static_cast<int>(area.height() / (metrics.height() * 1.7)), 1, 10);
    const TickSet set = yTicks(axisWish, axis.scale, atMost);
    axis.ticks = set.ticks;
    axis.title = withExponent(axisWish.title, set.exponent);
    axis.titleColor = axisWish.color.isValid()
                          ? readableOn(request.colors.background, axisWish.color)
                          : request.colors.text;
    fitLabels(axis, {request.outer.top(), request.outer.bottom()}, metrics, true);
    return axis;
}

}  // namespace

PlotAxis layoutX(const PlotContent& content, const FrameWish& request, const QRectF& area)
{
    const QFontMetricsF metrics(request.font);
    const Range bounds{request.outer.left() + 2.0, request.outer.right() - 2.0};
    PlotAxis axis;
    axis.scale = xScale(request, area.left(), area.right());
    const bool isLog = request.xKind == ScaleKind::Log;
    const int most = std::clamp(static_cast<int>(area.width() / 70.0), 1, 14);
    for (int atMost = most; atMost >= 1; --atMost) {
        const TickSet set = isLog ? logXTicks(axis.scale, request.logX, atMost)
                                  : linearTicks(axis.scale.values(), atMost, content.xNumbers());
        axis.ticks = set.ticks;
        axis.title = withExponent(content.xTitle(), set.exponent);
        fitLabels(axis, bounds, metrics, false);
        if (isEveryLabelShown(set.ticks, axis))
            break;
    }
    axis.titleColor = request.colors.text;
    return axis;
}

std::vector<PlotAxis> layoutY(const PlotContent& content, const FrameWish& request,
                              const QRectF& room)
{
    const AxisScale x = xScale(request, 0.0, std::max(room.width() - request.leastLeft, 1.0));
    const std::vector<AxisWish> requestes =
        content.yAxes(x, room.size() - QSizeF(request.leastLeft, 0.0), QFontMetricsF(request.font));
    const bool isAsked = request.yShown.size() == requestes.size();
    std::vector<PlotAxis> axes;
    for (std::size_t axis = 0; axis < requestes.size(); ++axis)
        axes.push_back(
            yAxis(requestes[axis], isAsked ? &request.yShown[axis] : nullptr, request, room));
    return axes;
}

}  // namespace calibscope
