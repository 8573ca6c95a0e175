// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/threshold_ratio.h"
#include "ui/charts/marks.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"

#include <optional>
#include <vector>

namespace calibscope {

/// A calibrator's SQNR, at the position of its clip range.
struct SqnrDot
{
    QString label;
    QColor color;
    SeriesMarker marker = SeriesMarker::Circle;
    double place = 0.0;                   ///< along x
    std::optional<double> otherEnd = {};  ///< likewise, of an affine range among signed values
    double sqnrDb = 0.0;
    bool isEstimate = false;
    bool isPerChannel = false;  ///< not at one threshold: drawn hollow
    bool emphasised = false;
    QString id = {};
};

/// Signal to noise against the threshold, and what calibrators reached on it.
struct SqnrMark
{
    ThresholdRatio line;
    QString scheme;  ///< that the line is of: "symmetric, 8 bits"
    Domain domain = Domain::Magnitude;
    Range dataEnds;         ///< in x
    bool isAffine = false;  ///< the line moves the end that is farther from 0, and holds the other
    std::vector<SqnrDot> dots;
};

/// SQNR against the threshold as a line, by one scheme; calibrators as their markers, beside the
/// line where their scheme or granularity is another one. Among signed values the line has both
/// sides, as the threshold is a magnitude; under an affine scheme that of the farther end alone,
/// and dots mark both ends.
class SqnrContent : public PlotContent
{
public:
    void setMark(SqnrMark mark);

    [[nodiscard]] const SqnrMark& mark() const { return m_mark; }
    /// The line at a place along x, straight between its points; nothing beyond its ends.
    [[nodiscard]] std::optional<double> lineAt(double x) const;

    [[nodiscard]] bool isEmpty() const override { return m_mark.line.threshold.empty(); }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    /// Of a dot near the pointer.
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override { m_mark = {}; }
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    struct Point
    {
        double x = 0.0;
        double sqnrDb = 0.0;
    };
    /// Whether the line has a side: that of negative x, or the other one.
    [[nodiscard]] bool hasSide(bool isNegative) const;
    [[nodiscard]] std::vector<Point> points() const;  ///< of the line, ascending along x
    [[nodiscard]] std::optional<Point> highest() const;

    SqnrMark m_mark;
};

class SqnrPlot : public ContentPlot<SqnrContent>
{
    Q_OBJECT

public:
    using ContentPlot::ContentPlot;

    void setMark(SqnrMark mark) { change(&SqnrContent::setMark, std::move(mark)); }
};

}  // namespace calibscope
