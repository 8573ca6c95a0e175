// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_overlay.h"

#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

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
