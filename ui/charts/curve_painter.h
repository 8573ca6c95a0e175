#pragma once

#include "core/stats/histogram.h"
#include "ui/plot/marks.h"
#include "ui/plot/plot_frame.h"

class QPainter;

namespace calibscope {

/// How the low end of an affine clip range is drawn where both share a side.
constexpr Qt::PenStyle lowEndPen = Qt::DashLine;
/// Patterns of a curve's parts, in their order: rounding, clipping.
[[nodiscard]] Qt::PenStyle partPen(std::size_t part);

/// The line of the objective, its parts as thinner lines, the path of an iteration.
void paintCurve(QPainter& painter, const CurveMark& mark, Domain domain, const PlotFrame& frame,
                const AxisScale& y);

/// Chosen ends as the curve's markers, the next best as a hollow one, ties as rings, the plateau as
/// a bar.
void paintCurveChoice(QPainter& painter, const CurveMark& mark, Domain domain,
                      const PlotFrame& frame, const AxisScale& y);

/// The point is there and finite.
[[nodiscard]] bool canBeDrawn(const Curve& curve, std::size_t point);

}  // namespace calibscope
