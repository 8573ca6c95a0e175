// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/layer_results.h"
#include "ui/charts/side_by_side_content.h"
#include "ui/plot/plot_view.h"

namespace calibscope {

/// The error of a layer's output channel by channel.
struct LayerChannelsMark
{
    LayerChannels channels;
    QColor meanColor;
    QColor spreadColor;
};

/// Mean error of each output channel as a column up or down from 0, before the root of the mean
/// squared error as a fainter column to both sides: what correcting the bias removes, of what there
/// is. Where there are more channels than pixels, the largest of each pixel. x is the channel.
class LayerChannelsContent : public SideBySideContent
{
public:
    LayerChannelsContent() { m_xTitle = tr("output channel"); }
    void setChannels(LayerChannelsMark mark) { m_mark = std::move(mark); }

    [[nodiscard]] std::size_t count() const override { return m_mark.channels.size(); }
    [[nodiscard]] bool isEmpty() const override { return count() == 0; }
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override { m_mark = {}; }
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    LayerChannelsMark m_mark;
};

/// Errors by output channel.
class LayerChannelsPlot : public ContentPlot<LayerChannelsContent>
{
    Q_OBJECT

public:
    using ContentPlot::ContentPlot;

    void setChannels(LayerChannelsMark mark)
    {
        shown().setChannels(std::move(mark));
        update(true);
    }
};

}  // namespace calibscope
