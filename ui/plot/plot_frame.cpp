// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_frame.h"

#include "ui/plot/label_layout.h"
#include "ui/plot/number_label.h"
#include "ui/theme/name_parts.h"
#include "ui/theme/translate.h"

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
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t tick) { return ticks[tick].isMajor; });
    return order;
}

/// Between labels in a row.
double labelGap(const QFontMetricsF& metrics)
{
    return metrics.averageCharWidth() * 2.0;
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
    const double gap = isVertical ? metrics.capHeight() * 0.6 : labelGap(metrics);
    const std::vector<bool> stays = withoutOverlaps(axis.labelCentres, sizes, labelled, gap);
    for (std::size_t tick = 0; tick < axis.ticks.size(); ++tick)
        if (!stays[tick] || sizes[tick] > bounds.width())
            axis.ticks[tick].label.clear();
}

QString powerText(int exponent)
{
    return exponent == 0 ? QString() : QStringLiteral("×%1").arg(powerOfTenLabel(exponent));
}

QString withExponent(const QString& title, int exponent)
{
    return exponent == 0 ? title : title + QStringLiteral(" (%1)").arg(powerText(exponent));
}

/// The longest title that has room, none rather than a part of one: but the power of ten is part of
/// what the labels say and stays.
QString fittingTitle(const YAxis& wish, int exponent, double room, const QFontMetricsF& metrics)
{
    QStringList titles = wish.shorterTitles;
    titles.prepend(wish.title);
    for (const QString& title : titles)
        if (const QString whole = withExponent(title, exponent);
            metrics.horizontalAdvance(whole) <= room)
            return whole;
    return powerText(exponent);
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

/// The scale of a y axis: what the content requests, or `asked` where the user zoomed.
AxisScale yScale(const YAxis& request, const Range* asked, const QRectF& area)
{
    if (request.isDownward)
        return {ScaleKind::Linear, asked ? *asked : request.values, area.top(), area.bottom()};
    const double free = std::min(request.freePixels, area.height() * 0.45);
    // Values end below the free strip; the scale goes on to the upper edge.
    const AxisScale used(request.kind, request.values, area.bottom(), area.top() + free);
    const Range whole{used.values().low, used.toValue(area.top())};
    if (asked == nullptr)
        return {request.kind, whole, area.bottom(), area.top()};
    constexpr double leastFloor = 1e-300;
    return {request.kind, *asked, area.bottom(), area.top(), request.zeroAt.value_or(leastFloor)};
}

TickSet yTicks(const YAxis& request, const AxisScale& scale, int atMost)
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
    if (!request.edgeTicks.empty())
        std::erase_if(set.ticks,
                      [&](const Tick& tick) { return !request.ticked.contains(tick.value); });
    for (const Tick& tick : request.edgeTicks)
        if (values.contains(tick.value))
            set.ticks.push_back(tick);
    return set;
}

PlotAxis yAxis(const YAxis& axisWish, const Range* asked, const FrameWish& request,
               const QRectF& area)
{
    const QFontMetricsF metrics(request.font);
    PlotAxis axis;
    axis.requested = yScale(axisWish, nullptr, area).values();
    axis.standsOnLow = axisWish.standsOnLow;
    axis.scale = yScale(axisWish, asked, area);
    const int roomy = static_cast<int>(area.height() / (metrics.height() * 1.7));
    const int close = std::min(static_cast<int>(area.height() / (metrics.height() * 1.1)), 4);
    const int atMost = std::clamp(std::max(roomy, close), 1, 10);
    const TickSet set = yTicks(axisWish, axis.scale, atMost);
    axis.ticks = set.ticks;
    const double room = yTitleRoom(area.height(), request.hasXLabels, metrics);
    axis.title = fittingTitle(axisWish, set.exponent, request.hasTitles ? room : 0.0, metrics);
    axis.titleColor = axisWish.color.isValid()
                          ? readableOn(request.colors.background, axisWish.color)
                          : request.colors.text;
    fitLabels(axis, {request.outer.top(), request.outer.bottom()}, metrics, true);
    return axis;
}

/// Places legend entries in rows from the top of `room`. Texts are elided to the room's width.
/// Nothing where they need more rows than the room has.
std::vector<PlacedLegendEntry> layoutLegend(const std::vector<LegendEntry>& entries,
                                            const QRectF& room, const QFontMetricsF& metrics)
{
    constexpr double entryGap = 16.0;
    const double rowHeight = std::ceil(metrics.height() * 1.2);
    std::vector<PlacedLegendEntry> placed;
    QPointF corner = room.topLeft();
    for (LegendEntry entry : entries) {
        entry.text = metrics.elidedText(entry.text, Qt::ElideRight, room.width() - legendSignWidth);
        const double width = legendSignWidth + metrics.horizontalAdvance(entry.text);
        if (corner.x() > room.left() && corner.x() + width > room.right())
            corner = QPointF(room.left(), corner.y() + rowHeight);
        if (corner.y() + rowHeight > room.bottom())
            return {};
        placed.push_back({entry, QRectF(corner, QSizeF(width, rowHeight))});
        corner.rx() += width + entryGap;
    }
    return placed;
}

bool isWhole(const std::vector<PlacedLegendEntry>& placed, const std::vector<LegendEntry>& entries)
{
    return std::ranges::equal(
        placed, entries, {},
        [](const PlacedLegendEntry& entry) -> const QString& { return entry.entry.text; },
        &LegendEntry::text);
}

std::vector<LegendEntry> briefly(std::vector<LegendEntry> entries)
{
    for (LegendEntry& entry : entries)
        if (!entry.brief.isEmpty())
            entry.text = entry.brief;
    return entries;
}

/// Of the names in view the widest.
double widestName(const PlotContent& content, const FrameWish& request)
{
    const QFontMetricsF metrics(request.font);
    double widest = 0.0;
    for (const PlaceName& name : content.xNames())
        if (request.shown.contains(name.at))
            widest = std::max(widest, metrics.horizontalAdvance(name.text));
    return widest;
}

/// Of the labels of x: a line's, or what names need that stand upright, where they have more room
/// so.
double xLabelHeight(const PlotContent& content, const FrameWish& request)
{
    constexpr double mostOfPlot = 0.26;
    constexpr double leftMargin = 60.0;  // about
    const double line = QFontMetricsF(request.font).height();
    const double most = std::max(mostOfPlot * request.outer.height(), line);
    const double widest = widestName(content, request);
    const double each =
        (request.outer.width() - leftMargin) / std::max(request.shown.width(), 1e-9) -
        labelGap(QFontMetricsF(request.font)) - 1.0;
    return each < std::min(widest, most) ? std::clamp(widest, line, most) : line;
}

/// Names instead of numbers.
void nameTicks(PlotAxis& axis, const PlotContent& content, const FrameWish& request, double width)
{
    if (content.xNames().empty())
        return;
    const QFontMetricsF metrics(request.font);
    const double room = width / std::max(request.shown.width(), 1e-9) - labelGap(metrics) - 1.0;
    const double height = xLabelHeight(content, request);
    axis.isUpright = height > metrics.height();
    for (const PlaceName& name : content.xNames())
        if (request.shown.contains(name.at))
            axis.ticks.push_back(
                {name.at,
                 elidedName(name.text, metrics, axis.isUpright ? height : room, name.needs),
                 false});
}

/// The x axis of an area, with as many ticks as have room for their labels.
PlotAxis layoutX(const PlotContent& content, const FrameWish& request, const QRectF& area)
{
    const QFontMetricsF metrics(request.font);
    const Range bounds{request.outer.left() + 2.0, request.outer.right() - 2.0};
    PlotAxis axis;
    axis.scale = xScale(request, area.left(), area.right());
    const bool isLog = request.xKind == ScaleKind::Log;
    // Short labels stand closer; fewer ticks are tried until all labels fit.
    const int few = std::min(static_cast<int>(area.width() / 30.0), 5);
    const int most = std::clamp(std::max(static_cast<int>(area.width() / 70.0), few), 1, 14);
    const XAxis wanted = content.xAxis();
    axis.titleColor = request.colors.text;
    nameTicks(axis, content, request, area.width());
    if (!axis.ticks.empty()) {
        axis.title = wanted.title;
        fitLabels(axis, bounds, metrics, axis.isUpright);
        return axis;
    }
    for (int atMost = most; atMost >= 1; --atMost) {
        const TickSet set = isLog ? logXTicks(axis.scale, request.logX, atMost)
                                  : linearTicks(axis.scale.values(), atMost, wanted.numbers);
        axis.ticks = set.ticks;
        axis.title =
            request.hasTitles ? withExponent(wanted.title, set.exponent) : powerText(set.exponent);
        fitLabels(axis, bounds, metrics, false);
        if (isEveryLabelShown(set.ticks, axis))
            break;
    }
    return axis;
}

/// The y axes in the room that axes and area have together. What was asked for holds while there
/// are as many axes as then.
std::vector<PlotAxis> layoutY(const PlotContent& content, const FrameWish& request,
                              const QRectF& room)
{
    const AxisScale x = xScale(request, 0.0, std::max(room.width() - request.leastLeft, 1.0));
    const std::vector<YAxis> wishes = content.yAxes(
        {x, room.size() - QSizeF(request.leastLeft, 0.0), QFontMetricsF(request.font)});
    const bool isAsked = request.yShown.size() == wishes.size();
    std::vector<PlotAxis> axes;
    for (std::size_t axis = 0; axis < wishes.size(); ++axis)
        axes.push_back(
            yAxis(wishes[axis], isAsked ? &request.yShown[axis] : nullptr, request, room));
    return axes;
}

constexpr double outerMargin = 8.0;
constexpr double tickGap = 6.0;  // between the area and its tick labels

/// Cuts a strip off the top (or the bottom) of a rectangle.
QRectF takeTop(QRectF& rest, double height)
{
    const QRectF strip(rest.left(), rest.top(), rest.width(), height);
    rest.setTop(rest.top() + height);
    return strip;
}

QRectF takeBottom(QRectF& rest, double height)
{
    const QRectF strip(rest.left(), rest.bottom() - height, rest.width(), height);
    rest.setBottom(rest.bottom() - height);
    return strip;
}

double marginOf(const PlotAxis& axis, const QFontMetricsF& metrics)
{
    double widest = 0.0;
    for (const Tick& tick : axis.ticks)
        widest = std::max(widest, metrics.horizontalAdvance(tick.label));
    const double title = axis.title.isEmpty() ? 0.0 : metrics.height() + axisTitleGap;
    return std::ceil(outerMargin + title + widest + tickGap);
}

constexpr double titleGap = 14.0;  // before the subtitle

/// Of a path its end, of any other title both ends stay, unless its parts' needs are known.
QString elidedTitle(const FrameWish& request, const QFontMetricsF& metrics, double width)
{
    return request.titleNeeds.isEmpty() && !request.title.contains(u'/')
               ? metrics.elidedText(request.title, Qt::ElideMiddle, width)
               : elidedName(request.title, metrics, width, request.titleNeeds);
}

void placeTitle(PlotFrame& frame, const FrameWish& request, QRectF& rest)
{
    if (request.title.isEmpty())
        return;
    const QFontMetricsF bold(titleFont(request.font));
    const QFontMetricsF plain(request.font);
    frame.titleBox = takeTop(rest, std::ceil(bold.height() * 1.25));
    // A short number after it stays where a long title gives way.
    const double after = plain.horizontalAdvance(request.subtitle) + titleGap + 1.0;
    const bool isShort = !request.subtitle.isEmpty() && after <= frame.titleBox.width() / 2.0;
    frame.title = elidedTitle(request, bold, frame.titleBox.width() - (isShort ? after : 0.0));
    frame.titleBox.setWidth(bold.horizontalAdvance(frame.title));
    if (request.subtitle.isEmpty())
        return;
    frame.subtitleBox = QRectF(QPointF(frame.titleBox.right() + titleGap, frame.titleBox.top()),
                               QPointF(rest.right(), frame.titleBox.bottom()));
    if (plain.horizontalAdvance(request.subtitle) > frame.subtitleBox.width()) {
        constexpr double leastLines = 12.0;  // a row of its own is too dear for a lower plot
        if (request.outer.height() < leastLines * plain.height())
            return;
        frame.subtitleBox = takeTop(rest, std::ceil(plain.height()));
    }
    frame.subtitle = plain.elidedText(request.subtitle, Qt::ElideRight, frame.subtitleBox.width());
}

/// Starts the legend above the area's left edge, if its longest row has the room.
void alignLegend(PlotFrame& frame)
{
    double right = 0.0;
    for (const PlacedLegendEntry& placed : frame.legend)
        right = std::max(right, placed.box.right());
    const double wanted = frame.area.left() - frame.outer.left() - outerMargin;
    const double shift = std::clamp(frame.area.right() - right, 0.0, std::max(wanted, 0.0));
    for (PlacedLegendEntry& placed : frame.legend)
        placed.box.translate(shift, 0.0);
}

/// Lines that the box holds, broken between words; of a text that would take more of its height than
/// `most` each paragraph has one. What still has no room is elided.
QStringList brokenLines(const QString& text, const QFontMetricsF& metrics, double width,
                        double most)
{
    const QStringList paragraphs = text.split(u'\n');
    QStringList lines;
    for (const QString& paragraph : paragraphs) {
        QString line;
        for (const QString& word : paragraph.split(u' ')) {
            const QString longer = line.isEmpty() ? word : line + u' ' + word;
            const bool fits = line.isEmpty() || metrics.horizontalAdvance(longer) <= width;
            if (!fits)
                lines += line.trimmed();
            line = fits ? longer : word;
        }
        lines += line.trimmed();
    }
    if (static_cast<double>(lines.size()) * metrics.height() > most)
        lines = paragraphs;
    for (QString& line : lines)
        line = metrics.elidedText(line, Qt::ElideMiddle, width);
    return lines;
}

void placeFooter(PlotFrame& frame, const FrameWish& request, QRectF& rest)
{
    if (request.footer.isEmpty())
        return;
    const QFontMetricsF metrics(request.font);
    const QStringList lines =
        brokenLines(request.footer, metrics, rest.width(), request.outer.height() / 3.0);
    const double height = metrics.height() * (0.4 + static_cast<double>(lines.size()));
    frame.footerBox = takeBottom(rest, std::ceil(height));
    frame.footer = lines.join(u'\n');
}

/// What is left between the texts above and the labels of x below, over the whole width.
QRectF roomForAxes(const FrameWish& request, const PlotContent& content, QRectF rest)
{
    const QFontMetricsF metrics(request.font);
    const double labels =
        std::ceil(xLabelHeight(content, request) + metrics.height() + axisTitleGap);
    takeBottom(rest, request.hasXLabels ? tickGap + labels : tickGap);
    takeTop(rest, std::ceil(metrics.capHeight() / 2.0));  // of the uppermost label
    return rest;
}

void placeLegend(PlotFrame& frame, const FrameWish& request, const PlotContent& content,
                 QRectF& rest)
{
    if (!request.hasLegend || content.isEmpty())
        return;
    // Of the height, at most. Nobody can click on a picture: its legend is there.
    const bool isNeeded = content.isLegendNeeded();
    const double share = !isNeeded ? 0.13 : request.canFold ? 0.45 : 0.6;
    const QRectF room(rest.topLeft(), QSizeF(rest.width(), request.outer.height() * share));
    std::vector<LegendEntry> entries = content.legend();
    for (LegendEntry& entry : entries)
        if (entry.heat)
            entry.color = heatColor(*entry.heat, request.colors.isDark);
        else if (entry.usesTextColor)
            entry.color = request.colors.text;
        else if (request.colors.isDark && entry.colorOnDark.isValid())
            entry.color = entry.colorOnDark;
    if (entries.empty())
        return;
    const QFontMetricsF metrics(request.font);
    const auto leavesRoom = [&](double bottom) {
        QRectF below = rest;
        below.setTop(bottom + 4.0);
        const bool isEnough =
            roomForAxes(request, content, below).height() >= 3.0 * metrics.height();
        if (isEnough)
            rest = below;
        return isEnough;
    };
    for (const bool isBrief : {false, true}) {
        frame.legend = layoutLegend(isBrief ? briefly(entries) : entries, room, metrics);
        if (frame.legend.empty())
            continue;
        const QRectF& last = frame.legend.back().box;
        const bool isLow = last.bottom() < room.top() + 2.5 * last.height();
        if ((isBrief || (isLow && isWhole(frame.legend, entries))) && leavesRoom(last.bottom()))
            return;
    }
    frame.legend.clear();
    if (!isNeeded)
        return;  // marks are labelled where they are
    if (!request.canFold) {
        frame.foldedText = tr("The picture is too small for its legend.");
        frame.foldedBox = QRectF(rest.topLeft(), QSizeF(rest.width(), std::ceil(metrics.height())));
        takeTop(rest, frame.foldedBox.height());
        return;
    }
    frame.folded = std::move(entries);
    frame.foldedText = metrics.elidedText(
        tr("%1 in the legend, click to see it").arg(frame.folded.size()) + QStringLiteral(" ▾"),
        Qt::ElideRight, rest.width());
    const QSizeF size(metrics.horizontalAdvance(frame.foldedText) + 4.0,
                      std::ceil(metrics.height() * 1.2));
    const QPointF corner = rest.topLeft();
    if (leavesRoom(corner.y() + size.height()))
        frame.foldedBox = QRectF(corner, size);
}

/// Where there is no room above the plot, next to the title of x, whole or as a text to click on;
/// over the plot's corner where there is no title.
void placeFoldedLegend(PlotFrame& frame)
{
    if (frame.folded.empty() || !frame.foldedBox.isEmpty())
        return;
    const QFontMetricsF metrics(frame.font);
    const double height = std::ceil(metrics.height() * 1.2);
    const QRectF band(frame.area.topLeft(), QSizeF(frame.area.width(), height));
    constexpr double gap = 12.0;
    const double nextToTitle = frame.area.width() - metrics.horizontalAdvance(frame.x.title) - gap;
    const double free = (nextToTitle - gap) / 2.0;  // the title stands in the middle
    const double bottom = frame.footer.isEmpty() ? frame.outer.bottom() : frame.footerBox.top();
    const double below = bottom - 2.0 - metrics.height();
    const bool hasRow = frame.hasXLabels && below >= frame.area.bottom() + frame.xLabelHeight;
    for (const std::vector<LegendEntry>& texts : {frame.folded, briefly(frame.folded)}) {
        std::vector<PlacedLegendEntry> row = layoutLegend(texts, band, metrics);
        const QRectF ground = row.empty() ? QRectF() : row.front().box.united(row.back().box);
        const bool isBelow = hasRow && ground.width() <= nextToTitle;
        if (!isWhole(row, texts) || !(isBelow || (!hasRow && frame.area.height() > 2.0 * height)))
            continue;
        frame.x.isTitleLeft = isBelow && ground.width() > free;
        const double down = below + metrics.height() / 2.0 - ground.center().y();
        const QPointF shift(band.right() - ground.right(), isBelow ? down : 0.0);
        for (PlacedLegendEntry& placed : row)
            placed.box.translate(shift);
        if (!isBelow)
            frame.legendGround = ground.translated(shift);
        frame.legend = std::move(row);
        frame.folded.clear();
        return;
    }
    const auto sizeOf = [&](const QString& text) {
        return QSizeF(metrics.horizontalAdvance(text) + 4.0, metrics.height());
    };
    const QString few = QString::number(frame.folded.size()) + QStringLiteral(" ▾");
    if (!hasRow || sizeOf(frame.foldedText).width() > nextToTitle)
        frame.foldedText = few;
    const QSizeF size = sizeOf(frame.foldedText);
    const bool hasRoom = hasRow && size.width() <= nextToTitle;
    frame.x.isTitleLeft = hasRoom && size.width() > free;
    // Of plots above each other, curves rise to the right.
    const double left = hasRow ? frame.area.right() - size.width() : frame.area.left() + 4.0;
    frame.foldedBox = QRectF(QPointF(left, hasRoom ? below : frame.area.top()), size);
}

/// Takes the band of labels off the top. How wide the area is to be is known only roughly.
void placeBand(PlotFrame& frame, const FrameWish& request, const PlotContent& content, QRectF& rest)
{
    const QRectF room = roomForAxes(request, content, rest);
    const AxisScale x = xScale(request, 0.0, std::max(room.width() - request.leastLeft, 1.0));
    const double height = content.bandHeight(
        {x, {request.outer.width(), room.height()}, QFontMetricsF(request.font)});
    constexpr double leastRoom = 6.0;  // of the area: in a stamp of a picture it comes first
    if (!(height > 0.0) || room.height() - height < leastRoom)
        return;
    frame.band = QRectF(request.outer.left(), rest.top(), request.outer.width(), height);
    takeTop(rest, height);
}

/// The area between the margins that the labels of y need.
QRectF areaBetween(const PlotFrame& frame, const FrameWish& request, const QRectF& room)
{
    const QFontMetricsF metrics(request.font);
    const double left = frame.y.empty() ? outerMargin : marginOf(frame.y.front(), metrics);
    const double right = frame.y.size() < 2 ? 2.0 * outerMargin : marginOf(frame.y[1], metrics);
    const double areaLeft = request.outer.left() + std::max(left, request.leastLeft);
    const double areaRight = request.outer.right() - std::max(right, request.leastRight);
    return {areaLeft, room.top(), std::max(areaRight - areaLeft, 1.0),
            std::max(room.height(), 1.0)};
}

}  // namespace

QString PlotContent::xText(double x, double step) const
{
    return xAxis().numbers == TickNumbers::Values ? fineLabel(x, step)
                                                  : fixedLabel(std::round(x), 0);
}

double yTitleRoom(double areaHeight, bool hasXLabels, const QFontMetricsF& metrics)
{
    return areaHeight + (hasXLabels ? 2.0 * metrics.height() : 0.0);
}

QFont titleFont(const QFont& font)
{
    QFont bold = font;
    bold.setBold(true);
    if (font.pixelSize() > 0)
        bold.setPixelSize(static_cast<int>(std::lround(font.pixelSize() * 1.2)));
    else
        bold.setPointSizeF(font.pointSizeF() * 1.2);
    return bold;
}

PlotFrame layoutPlot(const PlotContent& content, const FrameWish& request)
{
    if (!content.hasAxes() && request.hasXLabels) {
        auto bare = request;
        bare.hasXLabels = false;
        return layoutPlot(content, bare);
    }
    if (request.hasLegend && !request.repeatsLabels && !content.isEmpty() &&
        !content.isLegendNeeded()) {
        auto bare = request;
        bare.hasLegend = false;
        if (PlotFrame frame = layoutPlot(content, bare); content.isLabelled(frame))
            return frame;
    }
    PlotFrame frame;
    frame.outer = request.outer;
    frame.font = request.font;
    frame.colors = request.colors;
    frame.hasXLabels = request.hasXLabels;
    frame.leastX = request.logX.least;
    frame.xLabelHeight = xLabelHeight(content, request);

    QRectF rest = request.outer.adjusted(outerMargin, outerMargin, -outerMargin, -2.0);
    placeTitle(frame, request, rest);
    placeFooter(frame, request, rest);
    placeLegend(frame, request, content, rest);
    if (!content.isEmpty())
        placeBand(frame, request, content, rest);
    // Heights are known; the margins follow from the labels of y.
    const QRectF room = roomForAxes(request, content, rest);
    if (!content.isEmpty())
        frame.y = layoutY(content, request, room);
    frame.area = areaBetween(frame, request, room);
    if (!frame.band.isEmpty())
        frame.band.setBottom(frame.area.top());
    frame.x = layoutX(content, request, frame.area);
    alignLegend(frame);
    placeFoldedLegend(frame);
    return frame;
}

}  // namespace calibscope
