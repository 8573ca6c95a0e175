// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_frame.h"
#include "ui/theme/chart_colors.h"

#include <QPolygonF>

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

}  // namespace calibscope
