#pragma once

#include "core/compare/common_bins.h"
#include "ui/charts/marks.h"
#include "ui/charts/plot_content.h"

#include <vector>

namespace calibscope {

/// A tensor in two recordings, in bins that both have.
struct SharesMark
{
    SharesInCommonBins shares;
    Domain domain = Domain::Magnitude;
    double leastShare = 0.0;  ///< of one value in the longer recording
    QColor colorOfA;          ///< of its columns
    QColor colorOfB;          ///< of its outline
};

/// "|x|" or "x".
[[nodiscard]] QString domainTitle(Domain domain);
/// In whose bins both are: "bins of A, 0.0132 wide; B resampled, ≈".
[[nodiscard]] QString binsText(const SharesInCommonBins& shares);
/// Where a logarithmic x begins; nothing where there are negative values.
[[nodiscard]] std::optional<LogX> logXOf(const SharesMark& mark);
/// The bins that are not empty in both, with some room.
[[nodiscard]] Range filledRangeOf(const SharesMark& mark);

/// Both recordings over each other: A as columns, B as a dashed outline, each as shares of its own
/// values, so that recordings of different length compare.
class SharesContent : public PlotContent
{
public:
    void setShares(SharesMark mark);
    void setEmpty(const QString& reason);
    void setThresholds(std::vector<ThresholdMark> thresholds);
    void setAxis(CountAxis axis) { m_axis = axis; }

    [[nodiscard]] bool isEmpty() const override { return m_mark.shares.bins() == 0; }
    [[nodiscard]] QString emptyText() const override { return m_reason; }
    [[nodiscard]] Range fullRange() const override { return filledRangeOf(m_mark); }
    [[nodiscard]] QString xTitle() const override { return domainTitle(m_mark.domain); }
    [[nodiscard]] std::optional<LogX> logX() const override { return logXOf(m_mark); }
    [[nodiscard]] QString linearOnlyText() const override;
    [[nodiscard]] std::vector<AxisWish> yAxes(const AxisScale& x, const QSizeF& size,
                                              const QFontMetricsF& metrics) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    SharesMark m_mark;
    Histogram m_a;  ///< the shares as counts of a very small unit
    Histogram m_b;
    std::vector<ThresholdMark> m_thresholds;
    CountAxis m_axis = CountAxis::Log;
    QString m_reason;
};

}  // namespace calibscope
