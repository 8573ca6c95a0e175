#pragma once

#include "ui/charts/shares_content.h"

namespace calibscope {

/// What B has more or less than A, bin by bin: columns up from a line where both are equal, or
/// down.
class ChangeContent : public PlotContent
{
public:
    enum class Kind {
        Difference,  ///< share of B less that of A; equal at 0
        Ratio,       ///< share of B over that of A on a logarithmic axis; equal at 1
    };

    void setShares(SharesMark mark) { m_mark = std::move(mark); }
    void setEmpty(const QString& reason);
    void setKind(Kind kind) { m_kind = kind; }
    [[nodiscard]] Kind kind() const { return m_kind; }
    /// Whether the legend says in which bins; no need where the plot above does.
    void setSaysBins(bool says) { m_saysBins = says; }

    [[nodiscard]] bool isEmpty() const override { return m_mark.shares.bins() == 0; }
    [[nodiscard]] QString emptyText() const override { return m_reason; }
    [[nodiscard]] Range fullRange() const override { return filledRangeOf(m_mark); }
    [[nodiscard]] QString xTitle() const override { return domainTitle(m_mark.domain); }
    [[nodiscard]] std::optional<LogX> logX() const override { return logXOf(m_mark); }
    [[nodiscard]] std::vector<AxisWish> yAxes(const AxisScale& x, const QSizeF& size,
                                              const QFontMetricsF& metrics) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    /// Of some bins that share a pixel.
    struct Change
    {
        double a = 0.0;
        double b = 0.0;
        double largest = 0.0;  ///< of the differences, by magnitude
    };
    [[nodiscard]] std::vector<Change> changes(const AxisScale& x, double left, double width,
                                              int count) const;
    [[nodiscard]] double ratioLimit(const AxisScale& x) const;
    void paintColumn(QPainter& painter, const PlotFrame& frame, const QRectF& column,
                     const Change& change) const;

    SharesMark m_mark;
    Kind m_kind = Kind::Difference;
    bool m_saysBins = true;
    QString m_reason;
};

}  // namespace calibscope
