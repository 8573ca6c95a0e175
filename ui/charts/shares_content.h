#pragma once

#include "ui/charts/common_bins_content.h"
#include "ui/plot/marks.h"

#include <vector>

namespace calibscope {

/// Both recordings over each other: A as columns, B as a dashed outline, each as shares of its own
/// values, so that recordings of different length compare.
class SharesContent : public CommonBinsContent
{
public:
    void setShares(SharesMark mark);
    void setThresholds(std::vector<ThresholdMark> thresholds);
    void setAxis(CountAxis axis) { m_axis = axis; }

    [[nodiscard]] std::vector<AxisWish> yAxes(const AxisScale& x, const QSizeF& size,
                                              const QFontMetricsF& metrics) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

protected:
    [[nodiscard]] QString binReadout(std::size_t bin) const override;

private:
    Histogram m_a;  ///< the shares as counts of a very small unit
    Histogram m_b;
    std::vector<ThresholdMark> m_thresholds;
    CountAxis m_axis = CountAxis::Log;
};

}  // namespace calibscope
