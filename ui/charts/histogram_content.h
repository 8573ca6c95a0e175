#pragma once

#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/charts/plot_content.h"

#include <cstdint>

namespace calibscope {

/// A histogram as columns, and clip ranges over it.
///
/// Counts of zero lie on the floor of a logarithmic axis, half a count high and labelled "0". The x
/// axis runs over the bins that are not empty and a little beyond for thresholds outside; a
/// threshold far outside has its label at the edge. A bin that holds a tenth of all values (exact
/// zeros, a constant) is drawn wide enough to be seen.
class HistogramContent : public PlotContent
{
public:
    void setHistogram(const Histogram& histogram);
    void setEmpty(const QString& reason);
    void setThresholds(std::vector<ThresholdMark> thresholds);
    void setCountAxis(CountAxis axis) { m_countAxis = axis; }
    [[nodiscard]] CountAxis countAxis() const { return m_countAxis; }

    [[nodiscard]] bool isEmpty() const override;
    [[nodiscard]] QString emptyText() const override;
    [[nodiscard]] Range fullRange() const override;
    [[nodiscard]] QString xTitle() const override;
    [[nodiscard]] std::optional<LogX> logX() const override;
    [[nodiscard]] QString linearOnlyText() const override;
    [[nodiscard]] std::vector<AxisWish> yAxes(const AxisScale& x, const QSizeF& size,
                                              const QFontMetricsF& metrics) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    [[nodiscard]] bool isLegendNeeded() const override { return false; }
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString summary() const override;

private:
    void paintColumns(QPainter& painter, const PlotFrame& frame) const;
    void paintSpikes(QPainter& painter, const PlotFrame& frame) const;
    [[nodiscard]] bool isKeptByEmphasised(double value) const;
    [[nodiscard]] Range filledRange() const;  ///< of the bins that are not empty

    Histogram m_histogram;
    std::vector<std::uint64_t> m_countBefore{
        0};  ///< of all bins before each bin; the total at last
    std::vector<ThresholdMark> m_thresholds;
    CountAxis m_countAxis = CountAxis::Log;
    std::optional<QString> m_reason;  ///< given by the caller
};

}  // namespace calibscope
