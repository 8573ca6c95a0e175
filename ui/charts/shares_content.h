// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/common_bins.h"
#include "ui/charts/marks.h"
#include "ui/charts/threshold_layer.h"
#include "ui/plot/plot_content.h"

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

/// In whose bins both are: "bins of A, 0.0132 wide; B resampled, ≈".
[[nodiscard]] QString binsText(const SharesInCommonBins& shares);
/// "12.5 %" of 0.125.
[[nodiscard]] QString percentOf(double share);

/// Base of all plots of two recordings: x, over the bins that both have.
class CommonBinsContent : public ThresholdsContent
{
public:
    [[nodiscard]] bool isEmpty() const override { return m_mark.shares.bins() == 0; }
    /// Bins filled in one at least, and some room.
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;

protected:
    void setMark(SharesMark mark) { m_mark = std::move(mark); }
    void clear() override { m_mark = {}; }
    [[nodiscard]] Domain domain() const override { return m_mark.domain; }
    [[nodiscard]] const SharesMark& mark() const { return m_mark; }
    [[nodiscard]] const SharesInCommonBins& shares() const { return m_mark.shares; }
    /// Text for a bin, behind its position.
    [[nodiscard]] virtual QString binReadout(std::size_t bin) const = 0;
    [[nodiscard]] PlotTable tableOf(const Range& shown, std::vector<PlotColumn> columns) const;

private:
    [[nodiscard]] bool isFilled(std::size_t bin) const;
    [[nodiscard]] std::optional<LogX> logBins() const;

    SharesMark m_mark;
};

/// Both recordings over each other: A as columns, B as a thin line on its columns' tops where they
/// are others, each as shares of its own values, so that recordings of different length compare.
class SharesContent : public CommonBinsContent
{
public:
    void setShares(SharesMark mark);
    void setAxis(CountAxis axis) { m_axis = axis; }

    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

protected:
    [[nodiscard]] QString binReadout(std::size_t bin) const override;

private:
    Histogram m_a;  ///< the shares as counts of a very small unit
    Histogram m_b;
    CountAxis m_axis = CountAxis::Log;
};

/// Difference of B from A, bin by bin: columns up from a line where both are equal, or
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

    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
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
