// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/histogram.h"
#include "core/stats/strip.h"
#include "ui/charts/heat_content.h"
#include "ui/charts/side_by_side_content.h"

#include <QImage>

#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// Where the values of each channel lie: channels along x in a given order, the value along y,
/// colour by the logarithm of the count. Magnitudes have a logarithmic axis on which the first
/// column of the strip stands for 0. Where channels or columns of the strip are finer than pixels,
/// a pixel shows the largest count.
class ChannelHeatContent : public ChannelsContent
{
public:
    /// `order`: the channel at each place, one for each row of the strip.
    void setStrip(const Strip& strip, Domain domain, std::vector<std::size_t> order,
                  const QString& xTitle);
    /// Of one scale for the tensor: lines at its ends; nothing: none.
    void setTensorClip(std::optional<Range> clip) { m_tensorClip = clip; }

    [[nodiscard]] bool isEmpty() const override { return m_key.most() == 0; }
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    [[nodiscard]] QString valueTitle() const;
    [[nodiscard]] QImage picture(const PlotFrame& frame, const QSize& pixels, const AxisScale& x,
                                 const AxisScale& y) const;
    void paintTensorClip(QPainter& painter, const PlotFrame& frame) const;
    void paintChosen(QPainter& painter, const PlotFrame& frame) const;

    HeatGrid m_grid;  ///< rows: columns of the strip; columns: channels in their order
    HeatKey m_key;
    std::optional<Range> m_tensorClip;

    /// The last picture: choosing a channel draws lines over the same one.
    struct Drawn
    {
        QSize pixels;
        Range x;
        Range y;
        bool isDark = false;
        QImage image;
    };
    mutable std::optional<Drawn> m_drawn;
};

}  // namespace calibscope
