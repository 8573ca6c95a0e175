// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_table.h"
#include "ui/plot/plot_view.h"

#include <span>

namespace calibscope {

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
