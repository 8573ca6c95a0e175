// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"
#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/plot/plot_frame.h"

#include <cstddef>
#include <vector>

class QPainter;

namespace calibscope {

/// One side of an objective's curve. An affine clip range has two ends, each with a curve of its
/// own: a line from one to the other would stand for nothing.
struct CurveBranch
{
    std::vector<double> place;       ///< along x, ascending
    std::vector<std::size_t> point;  ///< of the curve
    bool isLow = false;              ///< of the low end
};

/// Where a threshold stands on the x axis: low ends have their magnitude among magnitudes.
[[nodiscard]] double placeOf(double threshold, Domain domain);

/// The branches that have a point, the low one first.
[[nodiscard]] std::vector<CurveBranch> branchesOf(const Curve& curve, Domain domain);

/// Values of the branch's points, out of those of all points.
[[nodiscard]] std::vector<double> branchValues(const CurveBranch& branch,
                                               const std::vector<double>& values);

/// The point whose place is nearest to x; requires a point.
[[nodiscard]] std::size_t nearestPoint(const Curve& curve, Domain domain, double x);

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
