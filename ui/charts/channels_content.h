#pragma once

#include "ui/charts/marks.h"
#include "ui/charts/plot_content.h"

namespace calibscope {

/// The scale of each channel: dots, or from least to greatest in each pixel column where there are
/// more channels than pixels. The scale of the whole tensor is a dashed line. Scales
/// that are not positive and finite are left out.
class ChannelsContent : public PlotContent
{
public:
    void setScales(const ChannelScales& scales);
    void setEmpty(const QString& reason);

    [[nodiscard]] bool isEmpty() const override { return m_isEmpty; }
    [[nodiscard]] QString emptyText() const override { return m_reason; }
    [[nodiscard]] Range fullRange() const override;
    [[nodiscard]] QString xTitle() const override;
    [[nodiscard]] QString linearOnlyText() const override;
    [[nodiscard]] TickNumbers xNumbers() const override { return TickNumbers::Ordinals; }
    [[nodiscard]] std::vector<AxisWish> yAxes(const AxisScale& x, const QSizeF& size,
                                              const QFontMetricsF& metrics) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double x, const PlotFrame& frame) const override;
    [[nodiscard]] QString summary() const override;
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    void paintDots(QPainter& painter, const PlotFrame& frame) const;
    void paintBars(QPainter& painter, const PlotFrame& frame) const;
    [[nodiscard]] Range extent() const;  ///< of the scales that can be drawn

    ChannelScales m_channels;
    QString m_reason;
    bool m_isEmpty = true;
};

}  // namespace calibscope
