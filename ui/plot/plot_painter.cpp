// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_painter.h"

#include "ui/plot/number_label.h"
#include "ui/plot/plot_frame.h"
#include "ui/plot/svg_device.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <span>

namespace calibscope {

namespace {

using Corners = std::span<const QPointF>;

constexpr QPointF square[] = {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}};
constexpr QPointF diamond[] = {{0.0, -1.25}, {1.25, 0.0}, {0.0, 1.25}, {-1.25, 0.0}};
constexpr QPointF triangleUp[] = {{0.0, -1.2}, {1.15, 0.9}, {-1.15, 0.9}};
constexpr QPointF triangleDown[] = {{0.0, 1.2}, {1.15, -0.9}, {-1.15, -0.9}};
constexpr QPointF cross[] = {{0.0, -0.45}, {0.75, -1.2}, {1.2, -0.75},  {0.45, 0.0},
                             {1.2, 0.75},  {0.75, 1.2},  {0.0, 0.45},   {-0.75, 1.2},
                             {-1.2, 0.75}, {-0.45, 0.0}, {-1.2, -0.75}, {-0.75, -1.2}};

/// Around 0, of a circle of radius 1; none of a circle.
Corners cornersOf(SeriesMarker marker)
{
    switch (marker) {
    case SeriesMarker::Circle: return {};
    case SeriesMarker::Square: return square;
    case SeriesMarker::Diamond: return diamond;
    case SeriesMarker::TriangleUp: return triangleUp;
    case SeriesMarker::TriangleDown: return triangleDown;
    case SeriesMarker::Cross: return cross;
    }
    return {};
}

constexpr double majorTickLength = 4.0;
constexpr double minorTickLength = 2.0;

/// One device pixel wide, `length` long.
void fillHorizontal(QPainter& painter, double left, double y, double length, const QColor& color)
{
    const double ratio = deviceRatio(painter);
    painter.fillRect(
        QRectF(left, snapped(y, ratio), length, std::max(1.0, std::floor(ratio)) / ratio), color);
}

void fillVertical(QPainter& painter, double x, double top, double length, const QColor& color)
{
    const double ratio = deviceRatio(painter);
    painter.fillRect(
        QRectF(snapped(x, ratio), top, std::max(1.0, std::floor(ratio)) / ratio, length), color);
}

void paintGrid(QPainter& painter, const PlotFrame& frame)
{
    const QRectF& area = frame.area;
    for (const Tick& tick : frame.x.ticks)
        if (tick.isMajor)
            fillVertical(painter, frame.x.scale.toPixel(tick.value), area.top(), area.height(),
                         frame.colors.grid);
    if (frame.y.empty())
        return;
    for (const Tick& tick : frame.y.front().ticks)
        if (tick.isMajor)
            fillHorizontal(painter, area.left(), frame.y.front().scale.toPixel(tick.value),
                           area.width(), frame.colors.grid);
}

/// A text that reads upward from there.
void paintUpward(QPainter& painter, const QPointF& start, const QString& text)
{
    painter.save();
    painter.translate(start);
    painter.rotate(-90.0);
    painter.drawText(QPointF(), text);
    painter.restore();
}

void paintXAxis(QPainter& painter, const PlotFrame& frame)
{
    const QRectF& area = frame.area;
    const QFontMetricsF metrics(frame.font);
    fillHorizontal(painter, area.left(), area.bottom(), area.width(), frame.colors.axis);
    for (std::size_t index = 0; index < frame.x.ticks.size(); ++index) {
        const Tick& tick = frame.x.ticks[index];
        fillVertical(painter, frame.x.scale.toPixel(tick.value), area.bottom(),
                     tick.isMajor ? majorTickLength : minorTickLength, frame.colors.axis);
        if (!frame.hasXLabels || tick.label.isEmpty())
            continue;
        const double width = metrics.horizontalAdvance(tick.label);
        const double centre = frame.x.labelCentres[index];
        const double top = area.bottom() + majorTickLength + 2.0;
        painter.setPen(frame.colors.text);
        if (frame.x.isUpright)
            paintUpward(painter, {centre + metrics.capHeight() / 2.0, top + width}, tick.label);
        else
            painter.drawText(QPointF(centre - width / 2.0, top + metrics.ascent()), tick.label);
    }
    if (!frame.hasXLabels)
        return;
    const QString title =
        metrics.elidedText(frame.x.title, Qt::ElideRight, frame.outer.width() - 8.0);
    const double width = metrics.horizontalAdvance(title);
    const double wanted = frame.x.isTitleLeft ? area.left() + width / 2.0 : area.center().x();
    const double centre =
        std::clamp(wanted, frame.outer.left() + width / 2.0,
                   std::max(frame.outer.right() - width / 2.0, frame.outer.left() + width / 2.0));
    painter.setPen(frame.colors.text);
    painter.drawText(QPointF(centre - width / 2.0, area.bottom() + majorTickLength + 2.0 +
                                                       axisTitleGap + frame.xLabelHeight +
                                                       metrics.ascent()),
                     title);
}

/// A title that reads upward, centred beside the area.
void paintYTitle(QPainter& painter, const PlotFrame& frame, const PlotAxis& axis, double x)
{
    const QFontMetricsF metrics(frame.font);
    const QString title = metrics.elidedText(
        axis.title, Qt::ElideRight, yTitleRoom(frame.area.height(), frame.hasXLabels, metrics));
    const double length = metrics.horizontalAdvance(title);
    const double centre = std::max(frame.area.center().y(), frame.area.top() + length / 2.0);
    painter.setPen(axis.titleColor);
    paintUpward(painter, {x + metrics.ascent(), centre + length / 2.0}, title);
}

void paintYAxis(QPainter& painter, const PlotFrame& frame, const PlotAxis& axis, bool isLeft)
{
    const QRectF& area = frame.area;
    const QFontMetricsF metrics(frame.font);
    const double edge = isLeft ? area.left() : area.right();
    // Beside the area: what lies at its first pixel is seen.
    fillVertical(painter, isLeft ? edge - 1.0 : edge, area.top(), area.height() + 1.0,
                 frame.colors.axis);
    for (std::size_t index = 0; index < axis.ticks.size(); ++index) {
        const Tick& tick = axis.ticks[index];
        const double length = tick.isMajor ? majorTickLength : minorTickLength;
        fillHorizontal(painter, isLeft ? edge - length : edge, axis.scale.toPixel(tick.value),
                       length, frame.colors.axis);
        const double width = metrics.horizontalAdvance(tick.label);
        painter.setPen(frame.colors.text);
        const double gap = majorTickLength + 2.0;
        painter.drawText(QPointF(isLeft ? edge - gap - width : edge + gap,
                                 axis.labelCentres[index] + metrics.capHeight() / 2.0),
                         tick.label);
    }
    if (axis.title.isEmpty())
        return;
    const double x =
        isLeft ? frame.outer.left() + 4.0 : frame.outer.right() - 4.0 - metrics.height();
    paintYTitle(painter, frame, axis, x);
}

void paintSign(QPainter& painter, const LegendEntry& entry, const QPointF& start,
               const QColor& ground)
{
    const double width = legendSignWidth - 7.0;
    switch (entry.sign) {
    case LegendEntry::Sign::Dot:
    case LegendEntry::Sign::Ring:
        painter.setRenderHint(QPainter::Antialiasing, true);
        if (entry.sign == LegendEntry::Sign::Ring) {
            painter.setPen(QPen(entry.color, 1.3));
            painter.setBrush(Qt::NoBrush);
        } else {
            painter.setPen(Qt::NoPen);
            painter.setBrush(entry.color);
        }
        painter.drawEllipse(start + QPointF(legendSignWidth / 2.0 - 4.0, 0.0), 3.0, 3.0);
        painter.setRenderHint(QPainter::Antialiasing, false);
        return;
    case LegendEntry::Sign::Swatch: {
        const QRectF box(start - QPointF(0.0, 5.0), QSizeF(width, 10.0));
        if (entry.isHatched)
            fillHatched(painter, box, entry.color, ground);
        else
            painter.fillRect(box, entry.color);
        return;
    }
    case LegendEntry::Sign::Line: break;
    }
    painter.setPen(QPen(entry.color, 2.0, entry.style, Qt::FlatCap));
    painter.drawLine(start, start + QPointF(width, 0.0));
    if (!entry.marker)
        return;
    constexpr double markerRadius = 3.5;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(ground, 1.0));
    painter.setBrush(entry.color);
    drawMarker(painter, *entry.marker, start + QPointF(width / 2.0, 0.0), markerRadius);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintEntry(QPainter& painter, const LegendEntry& entry, const QRectF& box,
                const QFontMetricsF& metrics, const ChartColors& colors)
{
    const double middle = std::round(box.center().y());
    const QPointF start(box.left(), middle);
    paintSign(painter, entry, start, colors.background);
    painter.setPen(colors.text);
    painter.drawText(start + QPointF(legendSignWidth, metrics.capHeight() / 2.0), entry.text);
}

/// `names`: the same without elided texts.
void paintLegend(QPainter& painter, const PlotFrame& frame, const std::vector<LegendEntry>& names)
{
    const QFontMetricsF metrics(frame.font);
    if (!frame.legendGround.isEmpty())
        painter.fillRect(frame.legendGround, frame.colors.background);
    for (std::size_t index = 0; index < frame.legend.size(); ++index) {
        const auto& [entry, box] = frame.legend[index];
        const SeriesScope key(painter, names.at(index).text, SeriesScope::Part::Key);
        paintEntry(painter, entry, box, metrics, frame.colors);
    }
    if (frame.foldedBox.isEmpty())
        return;
    painter.fillRect(frame.foldedBox, frame.colors.background);
    painter.setPen(frame.colors.text);
    painter.drawText(frame.foldedBox, Qt::AlignLeft | Qt::AlignVCenter, frame.foldedText);
}

void paintTexts(QPainter& painter, const PlotFrame& frame)
{
    const auto draw = [&](const QRectF& box, const QString& text, const QFont& font,
                          const QColor& color) {
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    if (!frame.title.isEmpty())
        draw(frame.titleBox.adjusted(0, 0, 4, 0), frame.title, titleFont(frame.font),
             frame.colors.text);
    if (!frame.subtitle.isEmpty())
        draw(frame.subtitleBox, frame.subtitle, frame.font, frame.colors.faintText);
    if (!frame.footer.isEmpty())
        draw(frame.footerBox, frame.footer, frame.font, frame.colors.faintText);
    painter.setFont(frame.font);
}

void paintSentence(QPainter& painter, const PlotFrame& frame, const QString& text)
{
    painter.setPen(frame.colors.faintText);
    painter.drawText(frame.outer.adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                     text);
}

constexpr QSizeF gripSize(9.0, 15.0);

double leftInside(double left, double width, const Range& bounds)
{
    return std::round(std::max(std::min(left, bounds.high - width), bounds.low));
}

QRectF gripBox(const PlotFrame& frame, const PlotHandle& handle)
{
    const double centre = std::floor(frame.x.scale.toPixel(handle.value)) + 0.5;
    const double top = frame.area.bottom() - gripSize.height() - 4.0;
    return {QPointF(centre - gripSize.width() / 2.0, top), gripSize};
}

void paintGrip(QPainter& painter, const QRectF& box, const QColor& color, const QColor& edge)
{
    painter.setPen(QPen(edge, 1.0));
    painter.setBrush(color);
    painter.drawRoundedRect(box, 2.5, 2.5);
    for (const double place : {-1.5, 1.5})
        painter.drawLine(QPointF(box.center().x() + place, box.top() + 4.0),
                         QPointF(box.center().x() + place, box.bottom() - 4.0));
}

/// Of the chosen handle: beside its grip.
QRectF valueBox(const PlotFrame& frame, const PlotHandle& handle, const QString& text)
{
    const QFontMetricsF metrics(frame.font);
    const QSizeF size(std::ceil(metrics.horizontalAdvance(text) + 10.0),
                      std::ceil(metrics.height() + 4.0));
    const QRectF grip = gripBox(frame, handle);
    double left = grip.right() + 5.0;
    if (left + size.width() > frame.area.right())
        left = std::max(grip.left() - 5.0 - size.width(), frame.area.left());
    return {QPointF(left, grip.center().y() - size.height() / 2.0), size};
}

void paintChosen(QPainter& painter, const PlotFrame& frame, const PlotHandle& handle,
                 const QColor& ring)
{
    const QRectF grip = gripBox(frame, handle);
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawVerticalLine(painter, frame.x.scale.toPixel(handle.value),
                     {frame.area.top(), frame.area.bottom()}, handle.color, 3.0, Qt::SolidLine);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(ring, 2.0));
    painter.setBrush(frame.colors.background);
    painter.drawRoundedRect(grip.adjusted(-3.5, -3.5, 3.5, 3.5), 4.5, 4.5);
    const QString text = valueLabel(handle.value, 5);
    const QRectF box = valueBox(frame, handle, text);
    painter.setPen(QPen(handle.color, 1.0));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3.0, 3.0);
    painter.setFont(frame.font);
    painter.setPen(frame.colors.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace

void drawMarker(QPainter& painter, SeriesMarker marker, const QPointF& centre, double radius)
{
    QPolygonF shape;
    for (const QPointF& corner : cornersOf(marker))
        shape << centre + radius * corner;
    if (shape.isEmpty())
        painter.drawEllipse(centre, radius, radius);
    else
        painter.drawPolygon(shape);
}

void fillHatched(QPainter& painter, const QRectF& rect, const QColor& color, const QColor& ground)
{
    painter.fillRect(rect, color);
    painter.fillRect(rect, QBrush(ground, Qt::BDiagPattern));
}

double deviceRatio(const QPainter& painter)
{
    return std::max(std::abs(painter.deviceTransform().m11()), 0.1);
}

double snapped(double coordinate, double ratio)
{
    return std::round(coordinate * ratio) / ratio;
}

void drawVerticalLine(QPainter& painter, double x, const Range& topToBottom, const QColor& color,
                      double width, Qt::PenStyle style)
{
    const double ratio = deviceRatio(painter);
    const double devicePixels = std::max(std::round(width * ratio), 1.0);
    const double left = snapped(x - width / 2.0, ratio);
    if (style == Qt::SolidLine) {
        painter.fillRect(QRectF(left, topToBottom.low, devicePixels / ratio, topToBottom.width()),
                         color);
        return;
    }
    const double centre = left + devicePixels / ratio / 2.0;
    painter.setPen(QPen(color, devicePixels / ratio, style, Qt::FlatCap));
    painter.drawLine(QPointF(centre, topToBottom.high), QPointF(centre, topToBottom.low));
}

void drawHaloedLine(QPainter& painter, double x, const Range& topToBottom, const QColor& color,
                    double width, Qt::PenStyle style, const QColor& ground)
{
    const double ratio = deviceRatio(painter);
    const double devicePixels = std::max(std::round(width * ratio), 1.0);
    const double halo = std::max(std::round(ratio), 1.0) / ratio;
    painter.fillRect(QRectF(snapped(x - width / 2.0, ratio) - halo, topToBottom.low,
                            devicePixels / ratio + 2.0 * halo, topToBottom.width()),
                     ground);
    drawVerticalLine(painter, x, topToBottom, color, width, style);
}

namespace {

double legendRowHeight(const QFontMetricsF& metrics)
{
    return std::ceil(metrics.height() * 1.25);
}

}  // namespace

void paintLegendList(QPainter& painter, const std::vector<LegendEntry>& entries, const QFont& font,
                     const ChartColors& colors)
{
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    QRectF row(QPointF(), QSizeF(legendListSize(entries, font).width(), legendRowHeight(metrics)));
    for (const LegendEntry& entry : entries) {
        paintEntry(painter, entry, row, metrics, colors);
        row.translate(0.0, row.height());
    }
}

QSizeF legendListSize(const std::vector<LegendEntry>& entries, const QFont& font)
{
    const QFontMetricsF metrics(font);
    double widest = 0.0;
    for (const LegendEntry& entry : entries)
        widest = std::max(widest, metrics.horizontalAdvance(entry.text));
    return {legendSignWidth + std::ceil(widest),
            legendRowHeight(metrics) * static_cast<double>(entries.size())};
}

void paintPlot(QPainter& painter, const PlotContent& content, const PlotFrame& frame)
{
    painter.fillRect(frame.outer, frame.colors.background);
    painter.setFont(frame.font);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintTexts(painter, frame);
    if (content.isEmpty()) {
        paintSentence(painter, frame, content.emptyText());
        return;
    }
    paintGrid(painter, frame);
    painter.save();
    painter.setClipRect(frame.area.adjusted(0.0, 0.0, 1.0, 0.0));
    content.paint(painter, frame);
    painter.restore();
    if (!frame.band.isEmpty()) {
        painter.save();
        painter.setClipRect(frame.band);
        content.paintBand(painter, frame);
        painter.restore();
    }
    if (content.hasAxes())
        paintXAxis(painter, frame);
    for (std::size_t axis = 0; content.hasAxes() && axis < frame.y.size() && axis < 2; ++axis)
        paintYAxis(painter, frame, frame.y[axis], axis == 0);
    paintLegend(painter, frame, content.legend());
}

OverlayPiece crosshairPiece(const PlotFrame& frame, double x, const QString& text)
{
    const QRectF line(std::floor(x), frame.area.top(), 1.0, frame.area.height());
    const QColor color = frame.colors.crosshair;
    if (text.isEmpty())
        return {line, [line, color](QPainter& painter) { painter.fillRect(line, color); }};
    const QFontMetricsF metrics(frame.font);
    const double width = std::ceil(metrics.horizontalAdvance(text) + 8.0);
    const double left = leftInside(x - width / 2.0, width, {frame.area.left(), frame.area.right()});
    const QRectF box(left, frame.area.bottom() + 1.0, width, std::ceil(metrics.height() + 4.0));
    const auto paint = [line, box, color, text, font = frame.font,
                        background = frame.colors.background](QPainter& painter) {
        painter.fillRect(line, color);
        painter.fillRect(box, color);
        painter.setFont(font);
        painter.setPen(background);
        painter.drawText(box, Qt::AlignCenter, text);
    };
    return {line.united(box), paint};
}

OverlayPiece boxPiece(const PlotFrame& frame, const QRectF& box)
{
    const QRectF inside = box.normalized().intersected(frame.area);
    const auto paint = [inside, color = frame.colors.crosshair](QPainter& painter) {
        QColor faint = color;
        faint.setAlphaF(0.12F);
        painter.fillRect(inside, faint);
        painter.setPen(QPen(color, 1.0, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(inside.adjusted(0.5, 0.5, -0.5, -0.5));
    };
    return {inside.adjusted(-1.0, -1.0, 1.0, 1.0), paint};
}

OverlayPiece cardPiece(const PlotFrame& frame, const QPointF& point, const QString& text)
{
    if (text.isEmpty())
        return {};
    constexpr double distance = 14.0;
    constexpr double padding = 7.0;
    const QFontMetricsF metrics(frame.font);
    const QSizeF size = metrics.size(0, text) + QSizeF(2.0 * padding, 2.0 * padding);
    const QRectF& outer = frame.outer;
    double left = point.x() + distance;
    if (left + size.width() > outer.right())
        left = point.x() - distance - size.width();
    const QRectF box(leftInside(left, size.width(), {outer.left(), outer.right()}),
                     leftInside(point.y() + distance, size.height(), {outer.top(), outer.bottom()}),
                     std::ceil(size.width()), std::ceil(size.height()));
    const auto paint = [box, text, font = frame.font, colors = frame.colors](QPainter& painter) {
        painter.setPen(colors.axis);
        painter.setBrush(colors.background);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setFont(font);
        painter.setPen(colors.text);
        painter.drawText(box.adjusted(padding, padding, -padding, -padding), Qt::AlignLeft, text);
    };
    return {box, paint};
}

OverlayPiece handlesPiece(const PlotFrame& frame, std::span<const PlotHandle> handles,
                          const PlotHandle* chosen, const QColor& ring)
{
    std::vector<PlotHandle> inView;
    std::optional<PlotHandle> chosenInView;
    for (const PlotHandle& handle : handles)
        if (frame.x.scale.values().contains(handle.value)) {
            if (&handle == chosen)
                chosenInView = handle;
            inView.push_back(handle);
        }
    if (inView.empty())
        return {};
    const auto paint = [inView, chosenInView, frame, ring](QPainter& painter) {
        painter.setRenderHint(QPainter::Antialiasing, true);
        for (const PlotHandle& handle : inView)
            if (!chosenInView || handle.id != chosenInView->id)
                paintGrip(painter, gripBox(frame, handle), handle.color, frame.colors.background);
        if (chosenInView) {
            paintChosen(painter, frame, *chosenInView, ring);
            paintGrip(painter, gripBox(frame, *chosenInView), chosenInView->color,
                      frame.colors.background);
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
    };
    return {frame.area.adjusted(-10.0, 0.0, 10.0, 0.0), paint};
}

OverlayPiece focusPiece(const QSizeF& size, const QColor& color)
{
    const QRectF bounds(QPointF(), size);
    const auto paint = [bounds, color](QPainter& painter) {
        painter.setPen(QPen(color, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(bounds.adjusted(0.5, 0.5, -1.0, -1.0));
    };
    return {bounds, paint};
}

}  // namespace calibscope
