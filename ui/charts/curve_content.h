// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/calibrators/calibrator.h"
#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_table.h"
#include "ui/plot/plot_view.h"

#include <cstddef>
#include <span>
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

/// Objectives by threshold: a row for each threshold of any curve in the range, blank cells where a
/// curve has no trial.
[[nodiscard]] PlotTable curveTable(std::span<const CurveMark> curves, const Range& shown);

/// Objectives against the threshold.
///
/// Curves of one objective share an axis, logarithmic where their values are positive and span more
/// than a factor of 20. A trial that can't be chosen (infinite or missing value) is a gap. The
/// chosen point is a dot on a dotted line, ties are rings, the next best is a diamond, the plateau
/// within 1 % is a bar. The steps of an iteration are a path of small dots, from a square at the
/// start. Low ends of affine clip ranges are below 0; among magnitudes they are dashed.
class CurveContent : public PlotContent
{
public:
    void setCurves(std::vector<CurveMark> curves);
    /// Quantity of the x axis: magnitudes by default.
    void setDomain(Domain domain) { m_domain = domain; }

    [[nodiscard]] bool isEmpty() const override { return m_curves.empty(); }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    /// Of a mark on a curve: its meaning.
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override;
    /// A row for each threshold of any curve.
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override
    {
        return curveTable(m_curves, shown);
    }

private:
    [[nodiscard]] std::size_t axisOf(const CurveMark& mark) const;
    [[nodiscard]] QString labelOf(const CurveMark& mark) const;
    [[nodiscard]] Range placesOf(const Curve& curve) const;
    [[nodiscard]] Range valuesInView(const Curve& curve, const Range& shown) const;
    [[nodiscard]] YAxis axisWish(const std::string& objective, const Range& shown) const;

    std::vector<CurveMark> m_curves;  ///< those with a finite value
    std::vector<std::string> m_objectives;
    Domain m_domain = Domain::Magnitude;
};

/// Objectives against the threshold: chosen points as dots, what is as good as the best within 1 %
/// as a bar.
class CurvePlot : public ContentPlot<CurveContent>
{
    Q_OBJECT

public:
    explicit CurvePlot(QWidget* parent = nullptr) : ContentPlot(parent) { setCurves({}); }

    /// The first objective has the axis on the left, a second one the axis on the right.
    void setCurves(std::vector<CurveMark> curves)
    {
        change(&CurveContent::setCurves, std::move(curves));
    }
    /// Magnitudes, unless it is said otherwise.
    void setDomain(Domain domain) { change(&CurveContent::setDomain, domain); }
};

}  // namespace calibscope
