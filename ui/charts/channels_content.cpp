#include "ui/charts/channels_content.h"

#include "ui/charts/decimate.h"
#include "ui/charts/number_label.h"
#include "ui/charts/plot_painter.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <span>

namespace calibscope {

namespace {

constexpr double leastDotSpacing = 1.0;  // pixels; below it bars are drawn

QString tr(const char* text)
{
    return QCoreApplication::translate("ChannelsContent", text);
}

bool canBeDrawn(double scale)
{
    return std::isfinite(scale) && scale > 0.0;
}

}  // namespace

void ChannelsContent::setScales(const ChannelScales& scales)
{
    m_channels = scales;
    m_isEmpty = std::ranges::none_of(scales.scales, canBeDrawn);
    m_reason = tr("There are no scales per channel to show.");
}

void ChannelsContent::setEmpty(const QString& reason)
{
    m_channels = {};
    m_reason = reason;
    m_isEmpty = true;
}

Range ChannelsContent::fullRange() const
{
    const auto count = static_cast<double>(std::max<std::size_t>(m_channels.scales.size(), 1));
    const double margin = 0.5 + 0.01 * count;
    return {-margin, count - 1.0 + margin};
}

QString ChannelsContent::xTitle() const
{
    return tr("channel");
}

QString ChannelsContent::linearOnlyText() const
{
    return tr("Channels are numbered: their order has no logarithm.");
}

Range ChannelsContent::extent() const
{
    Range range = columnExtents(m_channels.scales, 1).front();
    if (m_channels.tensorScale && canBeDrawn(*m_channels.tensorScale))
        range = unitedRange(range, {*m_channels.tensorScale, *m_channels.tensorScale});
    return range;
}

std::vector<AxisWish> ChannelsContent::yAxes(const AxisScale&, const QSizeF&,
                                             const QFontMetricsF&) const
{
    const Range range = extent();
    const double factor = std::max(std::pow(range.high / range.low, 0.04), 1.1);
    AxisWish wish;
    wish.values = {range.low / factor, range.high * factor};
    wish.kind = ScaleKind::Log;
    wish.title = tr("scale");
    return {wish};
}

std::vector<LegendEntry> ChannelsContent::legend() const
{
    std::vector<LegendEntry> entries{{tr("%1 per channel").arg(m_channels.label), m_channels.color,
                                      Qt::SolidLine, LegendEntry::Sign::Dot}};
    if (m_channels.tensorScale)
        entries.push_back(
            {tr("one scale for the tensor  %1").arg(valueLabel(*m_channels.tensorScale)),
             m_channels.color, Qt::DashLine});
    return entries;
}

void ChannelsContent::paintDots(QPainter& painter, const PlotFrame& frame) const
{
    const double spacing = frame.area.width() / frame.x.scale.values().width();
    const double radius = std::clamp(spacing * 0.35, 2.0, 4.0);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_channels.color);
    for (std::size_t channel = 0; channel < m_channels.scales.size(); ++channel) {
        const double x = frame.x.scale.toPixel(static_cast<double>(channel));
        if (canBeDrawn(m_channels.scales[channel]) &&
            frame.area.adjusted(-9, 0, 9, 0).contains(QPointF(x, frame.area.center().y())))
            painter.drawEllipse(
                QPointF(x, frame.y.front().scale.toPixel(m_channels.scales[channel])), radius,
                radius);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void ChannelsContent::paintBars(QPainter& painter, const PlotFrame& frame) const
{
    const Range& shown = frame.x.scale.values();
    const auto count = static_cast<double>(m_channels.scales.size());
    const auto first = static_cast<std::size_t>(std::clamp(std::ceil(shown.low), 0.0, count));
    const auto last = static_cast<std::size_t>(std::clamp(std::ceil(shown.high), 0.0, count));
    if (first >= last)
        return;
    const std::span<const double> inView =
        std::span(m_channels.scales).subspan(first, last - first);
    const double left = frame.x.scale.toPixel(static_cast<double>(first) - 0.5);
    const double right = frame.x.scale.toPixel(static_cast<double>(last) - 0.5);
    const int columns = std::max(static_cast<int>(right - left), 1);
    const auto extents = columnExtents(inView, columns);
    constexpr double leastHeight = 3.0;
    for (std::size_t column = 0; column < extents.size(); ++column) {
        if (extents[column].high == 0.0)
            continue;
        const double top = frame.y.front().scale.toPixel(extents[column].high);
        const double bottom = frame.y.front().scale.toPixel(extents[column].low);
        painter.fillRect(QRectF(left + static_cast<double>(column), top - leastHeight / 2.0, 1.0,
                                bottom - top + leastHeight),
                         m_channels.color);
    }
}

void ChannelsContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const double spacing = frame.area.width() / frame.x.scale.values().width();
    if (spacing >= leastDotSpacing)
        paintDots(painter, frame);
    else
        paintBars(painter, frame);
    if (m_channels.tensorScale && canBeDrawn(*m_channels.tensorScale)) {
        const double y = std::round(frame.y.front().scale.toPixel(*m_channels.tensorScale));
        painter.setPen(QPen(m_channels.color, 2.0, Qt::DashLine, Qt::FlatCap));
        painter.drawLine(QPointF(frame.area.left(), y), QPointF(frame.area.right(), y));
    }
}

QString ChannelsContent::readout(double x, const PlotFrame&) const
{
    const double nearest = std::round(x);
    if (nearest < 0.0 || nearest >= static_cast<double>(m_channels.scales.size()))
        return {};
    const auto channel = static_cast<std::size_t>(nearest);
    return tr("channel %1   scale %2")
        .arg(QString::number(channel), valueLabel(m_channels.scales[channel], 5));
}

QString ChannelsContent::summary() const
{
    if (m_isEmpty)
        return m_reason;
    const Range range = columnExtents(m_channels.scales, 1).front();
    return tr("Scales of %1 for %2 channels, from %3 to %4, a spread of %5 bits.")
        .arg(m_channels.label, countLabel(m_channels.scales.size()), valueLabel(range.low),
             valueLabel(range.high), valueLabel(std::log2(range.high / range.low), 3));
}

std::optional<PlotTable> ChannelsContent::table(const Range& shown) const
{
    std::vector<std::uint64_t> channels;
    std::vector<double> scales;
    for (std::size_t channel = 0; channel < m_channels.scales.size(); ++channel)
        if (shown.contains(static_cast<double>(channel))) {
            channels.push_back(channel);
            scales.push_back(m_channels.scales[channel]);
        }
    return PlotTable{{{tr("channel"), std::move(channels)},
                      {tr("scale of %1").arg(m_channels.label), std::move(scales)}}};
}

}  // namespace calibscope
