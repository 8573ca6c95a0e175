// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_handle.h"
#include "ui/theme/chart_colors.h"

#include <QPolygonF>

#include <functional>
#include <span>
#include <vector>

class QPainter;

namespace calibscope {

/// Draws a point of a series with the painter's pen and brush. All shapes look about as large as a
/// circle of that radius.
void drawMarker(QPainter& painter, SeriesMarker marker, const QPointF& centre, double radius);

/// Fills with a colour under thin diagonal lines in the ground's, so that hue is not the only cue.
void fillHatched(QPainter& painter, const QRectF& rect, const QColor& color, const QColor& ground);

/// Draws a whole plot: background, grid, content, axes, texts. Where the content is empty, its
/// sentence in the middle.
void paintPlot(QPainter& painter, const PlotContent& content, const PlotFrame& frame);

/// Device pixels for one logical pixel.
[[nodiscard]] double deviceRatio(const QPainter& painter);
/// A logical coordinate moved to the nearest edge between device pixels.
[[nodiscard]] double snapped(double coordinate, double ratio);

/// The same as drawVerticalLine() between two lines of the ground, one pixel wide, that keep it
/// apart from what it is drawn over.
void drawHaloedLine(QPainter& painter, double x, const Range& topToBottom, const QColor& color,
                    double width, Qt::PenStyle style, const QColor& ground);

/// The signs and texts of a legend, one below the other, from the corner (0, 0).
void paintLegendList(QPainter& painter, const std::vector<LegendEntry>& entries, const QFont& font,
                     const ChartColors& colors);
/// Input of paintLegendList().
[[nodiscard]] QSizeF legendListSize(const std::vector<LegendEntry>& entries, const QFont& font);

/// A vertical line of whole device pixels from `top` to `bottom`; other dash patterns than solid by
/// the pen.
void drawVerticalLine(QPainter& painter, double x, const Range& topToBottom, const QColor& color,
                      double width, Qt::PenStyle style);

/// Something drawn over a plot's picture, and where: only there is painted when it changes.
struct OverlayPiece
{
    QRectF bounds;  ///< empty: nothing is drawn
    std::function<void(QPainter&)> paint;
};

/// What a plot shows over its content for as long as something is looked at: not in pictures.
using GhostPaint = std::function<void(QPainter&, const PlotFrame&)>;

/// A vertical line at a pixel of x, with a text on the axis under it (blank: none).
[[nodiscard]] OverlayPiece crosshairPiece(const PlotFrame& frame, double x, const QString& text);

/// The box that a drag spans.
[[nodiscard]] OverlayPiece boxPiece(const PlotFrame& frame, const QRectF& box);

/// A few lines beside a point, inside the frame.
[[nodiscard]] OverlayPiece cardPiece(const PlotFrame& frame, const QPointF& point,
                                     const QString& text);

/// A grip on each handle in view; the chosen one has a ring, its line and its value.
[[nodiscard]] OverlayPiece handlesPiece(const PlotFrame& frame, std::span<const PlotHandle> handles,
                                        const PlotHandle* chosen, const QColor& ring);

/// A ring around the whole plot.
[[nodiscard]] OverlayPiece focusPiece(const QSizeF& size, const QColor& color);

}  // namespace calibscope
