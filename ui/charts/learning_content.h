// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"
#include "ui/theme/chart_colors.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace calibscope {

/// A choice's result after so many units of a recording.
struct LearningPoint
{
    std::uint64_t units = 0;
    double threshold = 0.0;
    std::optional<double> low;   ///< of the band; nothing: there is none
    std::optional<double> high;  ///< nothing while there is a low end: it is open above
};

/// One candidate's learning curve.
struct LearningMark
{
    QString label;
    QColor color;
    Qt::PenStyle style = Qt::SolidLine;
    std::vector<LearningPoint> points;       ///< ascending units; the last one of all
    std::optional<std::uint64_t> converged;  ///< units after which it stays within 1 % of the last
    bool emphasised = false;                 ///< its band is drawn
    bool isWidth = false;  ///< numbers are widths of affine ranges, not thresholds
};

/// Thresholds, of affine schemes the widths of ranges, against the number of batches (or samples) that they were found on: a line for each
/// candidate, of the emphasised one the 95 % band, and how close 1 % is. A
/// vertical line stands where that one has converged.
class LearningContent : public PlotContent
{
public:
    /// `unit`: "batches" or "samples", translated.
    void setCurves(std::vector<LearningMark> curves, const QString& unit);

    [[nodiscard]] bool isEmpty() const override { return m_curves.empty(); }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override { m_curves.clear(); }
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    [[nodiscard]] const LearningMark& inFocus() const;
    [[nodiscard]] QString numberTitle() const;  ///< what the numbers are
    void paintSampleBand(QPainter& painter, const PlotFrame& frame,
                         const LearningMark& curve) const;
    void paintClose(QPainter& painter, const PlotFrame& frame, const LearningMark& curve) const;
    void paintCurve(QPainter& painter, const PlotFrame& frame, const LearningMark& curve) const;

    std::vector<LearningMark> m_curves;  ///< each has a point
    QString m_unit;
};

/// Thresholds by number of batches.
class LearningPlot : public ContentPlot<LearningContent>
{
    Q_OBJECT

public:
    using ContentPlot::ContentPlot;

    void setCurves(std::vector<LearningMark> curves, const QString& unit)
    {
        shown().setCurves(std::move(curves), unit);
        update(true);
    }
};

}  // namespace calibscope
