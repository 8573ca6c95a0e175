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

/// The channels of which part lies in that range of places.
std::pair<std::size_t, std::size_t> channelsIn(const Range& shown, std::size_t count)
{
    const auto most = static_cast<double>(count);
    const auto first = static_cast<std::size_t>(std::clamp(std::floor(shown.low), 0.0, most));
    const auto end = static_cast<std::size_t>(std::clamp(std::ceil(shown.high) + 1.0, 0.0, most));
    return {first, std::max(first, end)};
}

double rootOf(double meanSquare)
{
    return std::isfinite(meanSquare) && meanSquare > 0.0 ? std::sqrt(meanSquare) : 0.0;
}

}  // namespace

void LayerChannelsContent::setEmpty(const QString& reason)
{
    m_mark = {};
    m_reason = reason;
}

Range LayerChannelsContent::fullRange() const
{
    return {-0.7, static_cast<double>(std::max<std::size_t>(m_mark.channels.size(), 1)) - 0.3};
}

QString LayerChannelsContent::xTitle() const
{
    return tr("output channel");
}

QString LayerChannelsContent::linearOnlyText() const
{
    return tr("Channels are shown side by side; their axis is linear.");
}

std::vector<AxisWish> LayerChannelsContent::yAxes(const AxisScale&, const QSizeF&,
                                                  const QFontMetricsF&) const
{
    double most = 0.0;
    for (std::size_t channel = 0; channel < m_mark.channels.size(); ++channel) {
        most = std::max(most, rootOf(m_mark.channels.noise[channel]));
        if (const double mean = std::abs(m_mark.channels.meanError[channel]); std::isfinite(mean))
            most = std::max(most, mean);
    }
    if (!(most > 0.0))
        most = 1.0;
    AxisWish wish;
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
    const auto [first, end] = channelsIn(frame.x.scale.values(), m_mark.channels.size());
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
    const double place = std::round(x);
    const LayerChannels& channels = m_mark.channels;
    if (!(place >= 0.0) || place >= static_cast<double>(channels.size()))
        return {};
    const auto channel = static_cast<std::size_t>(place);
    QString text = tr("channel %1   mean error %2   root mean square %3")
                       .arg(channel)
                       .arg(valueLabel(channels.meanError[channel]),
                            valueLabel(rootOf(channels.noise[channel])));
    if (channels.isDead[channel])
        return text + tr("   no signal");
    return text + tr("   correcting it gains %1 dB").arg(valueLabel(channels.gainDb[channel], 3));
}

QString LayerChannelsContent::summary() const
{
    if (isEmpty())
        return m_reason;
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
    const auto [first, end] = channelsIn(shown, m_mark.channels.size());
    std::vector<std::uint64_t> places;
    std::vector<double> means;
    std::vector<double> roots;
    std::vector<double> signals;
    std::vector<double> gains;
    for (std::size_t channel = first; channel < end; ++channel) {
        places.push_back(channel);
        means.push_back(m_mark.channels.meanError[channel]);
        roots.push_back(rootOf(m_mark.channels.noise[channel]));
        signals.push_back(rootOf(m_mark.channels.signal[channel]));
        gains.push_back(m_mark.channels.gainDb[channel]);
    }
    return PlotTable{.columns = {{tr("channel"), places},
                                 {tr("mean error"), means},
                                 {tr("root mean square error"), roots},
                                 {tr("root mean square output"), signals},
                                 {tr("gain of correcting dB"), gains}}};
}

}  // namespace calibscope
