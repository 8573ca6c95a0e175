// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/binned_error.h"
#include "ui/charts/marks.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"

namespace calibscope {

/// The squared error of a quantizer by bin, and whose it is.
struct ErrorMark
{
    BinnedError error;
    QString label;  ///< of the calibrator
    Range clip;
    QColor roundingColor;
    QColor clippingColor;
};

/// Squared error by bin as columns: rounding plain, clipping hatched on top of it. A pixel column
/// shows the largest of its bins. Everything shown is estimated, as BinnedError is.
class ErrorContent : public PlotContent
{
public:
    void setError(ErrorMark mark);
    void setErrorAxis(CountAxis axis) { m_axis = axis; }

    [[nodiscard]] bool isEmpty() const override { return m_isEmpty; }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    struct Split
    {
        double rounding = 0.0;
        double clipping = 0.0;
        [[nodiscard]] double total() const { return rounding + clipping; }
        bool operator==(const Split&) const = default;
    };
    [[nodiscard]] Split binSplit(std::size_t bin) const;
    [[nodiscard]] Split largest(std::size_t first, std::size_t end) const;
    [[nodiscard]] double edge(std::size_t bin) const;
    [[nodiscard]] std::size_t bins() const { return m_mark.error.rounding.size(); }

    ErrorMark m_mark;
    CountAxis m_axis = CountAxis::Linear;
    bool m_isEmpty = true;
};

/// Squared error of one quantizer by bin, rounding and clipping apart.
class ErrorPlot : public ContentPlot<ErrorContent>
{
    Q_OBJECT

public:
    using ContentPlot::ContentPlot;

    void setError(ErrorMark mark) { change(&ErrorContent::setError, std::move(mark)); }
    void setErrorAxis(CountAxis axis) { change(&ErrorContent::setErrorAxis, axis); }
};

}  // namespace calibscope
