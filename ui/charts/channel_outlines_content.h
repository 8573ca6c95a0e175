// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"
#include "ui/charts/marks.h"
#include "ui/plot/plot_content.h"

#include <vector>

namespace calibscope {

/// Histograms of several channels over each other, all of |x| or all of x.
class ChannelOutlinesContent : public PlotContent
{
public:
    void setOutlines(std::vector<OutlineMark> outlines);
    void setCountAxis(CountAxis axis) { m_countAxis = axis; }

    [[nodiscard]] bool isEmpty() const override { return m_most == 0; }
    [[nodiscard]] QString emptyText() const override
    {
        return tr("These channels have no distinct values to show.");
    }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    std::vector<OutlineMark> m_outlines;
    Range m_range{0.0, 1.0};   ///< that holds all bins that are not empty
    std::uint64_t m_most = 0;  ///< the largest count
    CountAxis m_countAxis = CountAxis::Log;
};

}  // namespace calibscope
