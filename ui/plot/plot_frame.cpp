#include "ui/plot/plot_frame.h"

#include "ui/plot/legend_layout.h"
#include "ui/plot/plot_axes.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double outerMargin = 8.0;
constexpr double tickGap = 6.0;   // between the area and its tick labels
constexpr double titleGap = 4.0;  // between tick labels and the axis title

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
    const double title = axis.title.isEmpty() ? 0.0 : metrics.height() + titleGap;
    return std::ceil(outerMargin + title + widest + tickGap);
}

void placeTitle(PlotFrame& frame, const FrameWish& request, QRectF& rest)
{
    if (request.title.isEmpty())
        return;
    const QFontMetricsF bold(titleFont(request.font));
    const QFontMetricsF plain(request.font);
    frame.titleBox = takeTop(rest, std::ceil(bold.height() * 1.25));
    frame.title = bold.elidedText(request.title, Qt::ElideMiddle, frame.titleBox.width());
    frame.titleBox.setWidth(bold.horizontalAdvance(frame.title));
    if (request.subtitle.isEmpty())
        return;
    frame.subtitleBox = QRectF(QPointF(frame.titleBox.right() + 14.0, frame.titleBox.top()),
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

void placeFooter(PlotFrame& frame, const FrameWish& request, QRectF& rest)
{
    if (request.footer.isEmpty())
        return;
    const QFontMetricsF metrics(request.font);
    const QStringList lines = request.footer.split(u'\n');
    const double height = metrics.height() * (0.4 + static_cast<double>(lines.size()));
    frame.footerBox = takeBottom(rest, std::ceil(height));
    QStringList shown;
    for (const QString& line : lines)
        shown += metrics.elidedText(line, Qt::ElideMiddle, frame.footerBox.width());
    frame.footer = shown.join(u'\n');
}

/// What is left between the texts above and the labels of x below, over the whole width.
QRectF roomForAxes(const FrameWish& request, QRectF rest)
{
    const QFontMetricsF metrics(request.font);
    const double labels = std::ceil(2.0 * metrics.height() + titleGap);
    takeBottom(rest, request.hasXLabels ? tickGap + labels : tickGap);
    takeTop(rest, std::ceil(metrics.capHeight() / 2.0));  // of the uppermost label
    return rest;
}

void placeLegend(PlotFrame& frame, const FrameWish& request, const PlotContent& content,
                 QRectF& rest)
{
    if (!request.hasLegend || content.isEmpty())
        return;
    const double share = content.isLegendNeeded() ? 0.25 : 0.13;  // of the height, at most
    const QRectF room(rest.topLeft(), QSizeF(rest.width(), request.outer.height() * share));
    frame.legend = layoutLegend(content.legend(), room, QFontMetricsF(request.font));
    if (frame.legend.empty())
        return;
    QRectF below = rest;
    below.setTop(frame.legend.back().box.bottom() + 4.0);
    if (roomForAxes(request, below).height() < 3.0 * QFontMetricsF(request.font).height())
        frame.legend.clear();
    else
        rest = below;
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
    PlotFrame frame;
    frame.outer = request.outer;
    frame.font = request.font;
    frame.colors = request.colors;
    frame.hasXLabels = request.hasXLabels;
    frame.leastX = request.logX.least;

    QRectF rest = request.outer.adjusted(outerMargin, outerMargin, -outerMargin, -2.0);
    placeTitle(frame, request, rest);
    placeFooter(frame, request, rest);
    placeLegend(frame, request, content, rest);
    // Heights are settled; the margins follow from the labels of y.
    const QRectF room = roomForAxes(request, rest);
    if (!content.isEmpty())
        frame.y = layoutY(content, request, room);
    frame.area = areaBetween(frame, request, room);
    frame.x = layoutX(content, request, frame.area);
    alignLegend(frame);
    return frame;
}

}  // namespace calibscope
