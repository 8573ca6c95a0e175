// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/layer_channels_content.h"

#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

double rootOf(double meanSquare)
{
    return std::isfinite(meanSquare) && meanSquare > 0.0 ? std::sqrt(meanSquare) : 0.0;
}

}  // namespace

std::vector<YAxis> LayerChannelsContent::yAxes(const PlotRoom&) const
{
    double most = 0.0;
    for (std::size_t channel = 0; channel < m_mark.channels.size(); ++channel) {
        most = std::max(most, rootOf(m_mark.channels.noise[channel]));
        if (const double mean = std::abs(m_mark.channels.meanError[channel]); std::isfinite(mean))
            most = std::max(most, mean);
    }
    if (!(most > 0.0))
        most = 1.0;
    YAxis wish;
    wish.values = {-1.05 * most, 1.05 * most};
    wish.title = tr("error of the output");
    wish.shorterTitles = {tr("error")};
    return {wish};
}

std::vector<LegendEntry> LayerChannelsContent::legend() const
{
    constexpr auto swatch = LegendEntry::Sign::Swatch;
    return {{.text = tr("mean error"), .color = m_mark.meanColor, .sign = swatch},
            {.text = tr("± root mean square"), .color = m_mark.spreadColor, .sign = swatch}};
}

void LayerChannelsContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const AxisScale& y = frame.y.front().scale;
    const double ratio = deviceRatio(painter);
    const double zero = y.toPixel(0.0);
    const double room = frame.area.width() / frame.x.scale.values().width();
    const auto [first, end] = placesIn(frame.x.scale.values());
    const double width = std::max(room * 0.7, 1.0 / ratio);
    const auto column = [&](std::size_t channel, double from, double to, double share) {
        const double left = frame.x.scale.toPixel(static_cast<double>(channel)) - share * width / 2;
        const QRectF rect(QPointF(snapped(left, ratio), std::min(from, to)),
                          QSizeF(share * width, std::max(std::abs(to - from), 1.0 / ratio)));
        return rect.intersected(frame.area);
    };
    for (std::size_t channel = first; channel < end; ++channel) {
        const double root = rootOf(m_mark.channels.noise[channel]);
        painter.fillRect(column(channel, y.toPixel(-root), y.toPixel(root), 1.0),
                         m_mark.spreadColor);
    }
    for (std::size_t channel = first; channel < end; ++channel)
        if (const double mean = m_mark.channels.meanError[channel]; std::isfinite(mean))
            painter.fillRect(column(channel, zero, y.toPixel(mean), room > 4.0 ? 0.6 : 1.0),
                             m_mark.meanColor);
    painter.fillRect(
        QRectF(frame.area.left(), snapped(zero, ratio), frame.area.width(), 1.0 / ratio),
        frame.colors.text);
}

QString LayerChannelsContent::readout(double x, const PlotFrame&) const
{
    const LayerChannels& channels = m_mark.channels;
    const std::optional<std::size_t> place = placeAt(x);
    if (!place)
        return {};
    const std::size_t channel = *place;
    QString text = tr("channel %1   mean error %2   root mean square %3")
                       .arg(channel)
                       .arg(valueLabel(channels.meanError[channel]),
                            valueLabel(rootOf(channels.noise[channel])));
    if (channels.isDead[channel])
        return text + tr("   no signal");
    return text + tr("   correcting it gains %1 dB").arg(valueLabel(channels.gainDb[channel], 3));
}

QString LayerChannelsContent::sentences() const
{
    const LayerChannels& channels = m_mark.channels;
    const auto largest = std::ranges::max_element(channels.meanError, {}, [](double error) {
        return std::isfinite(error) ? std::abs(error) : 0.0;
    });
    return tr("Mean error of %1 output channels; the largest is %2 in channel %3.")
        .arg(countLabel(channels.size()), valueLabel(*largest))
        .arg(largest - channels.meanError.begin());
}

std::optional<PlotTable> LayerChannelsContent::table(const Range& shown) const
{
    PlotTable table{.columns = {{tr("channel")},
                                {tr("mean error")},
                                {tr("root mean square error")},
                                {tr("root mean square output")},
                                {tr("gain of correcting dB")}}};
    const LayerChannels& channels = m_mark.channels;
    const auto [first, end] = placesIn(shown);
    for (std::size_t channel = first; channel < end; ++channel)
        table.addRow(std::uint64_t{channel}, channels.meanError[channel],
                     rootOf(channels.noise[channel]), rootOf(channels.signal[channel]),
                     channels.gainDb[channel]);
    return table;
}

}  // namespace calibscope
