#pragma once

#include "ui/charts/common_bins_content.h"

namespace calibscope {

/// What B has more or less than A, bin by bin: columns up from a line where both are equal, or
/// down.
class ChangeContent : public CommonBinsContent
{
public:
    enum class Kind {
        Difference,  ///< share of B less that of A; equal at 0
        Ratio,       ///< share of B over that of A on a logarithmic axis; equal at 1
    };

    void setShares(SharesMark mark) { setMark(std::move(mark)); }
    void setKind(Kind kind) { m_kind = kind; }
    [[nodiscard]] Kind kind() const { return m_kind; }
    /// Whether the legend says in which bins; no need where the plot above does.
    void setSaysBins(bool says) { m_saysBins = says; }

    [[nodiscard]] std::vector<AxisWish> yAxes(const AxisScale& x, const QSizeF& size,
                                              const QFontMetricsF& metrics) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

protected:
    [[nodiscard]] QString binReadout(std::size_t bin) const override;

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

    Kind m_kind = Kind::Difference;
    bool m_saysBins = true;
};

}  // namespace calibscope
