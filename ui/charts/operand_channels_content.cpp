// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/operand_channels_content.h"

#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace calibscope {

namespace {

constexpr int inputSeries = 0;
constexpr int weightSeries = 1;

}  // namespace

void OperandChannelsContent::setChannels(OperandChannels channels)
{
    m_channels = std::move(channels);
    m_order.resize(m_channels.input.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    std::ranges::stable_sort(m_order, std::ranges::greater(),
                             [this](std::size_t channel) { return m_channels.input[channel]; });
    m_xTitle = tr("channels of the input, loudest first");
}

double OperandChannelsContent::inputAt(std::size_t channel, bool isScaled) const
{
    const double own = m_channels.input[channel];
    return isScaled ? own / static_cast<double>(m_channels.factors[channel]) : own;
}

double OperandChannelsContent::weightAt(std::size_t channel, bool isScaled) const
{
    const double own = m_channels.weight[channel];
    return isScaled ? own * static_cast<double>(m_channels.factors[channel]) : own;
}

std::vector<YAxis> OperandChannelsContent::yAxes(const PlotRoom&) const
{
    Range values{std::numeric_limits<double>::infinity(), 0.0};
    const auto add = [&](double value) {
        if (value > 0.0)
            values = {std::min(values.low, value), std::max(values.high, value)};
    };
    for (const std::size_t channel : m_order)
        for (const bool isScaled : {false, true})
            if (!isScaled || !m_channels.factors.empty()) {
                add(inputAt(channel, isScaled));
                add(weightAt(channel, isScaled));
            }
    if (!(values.high > 0.0))
        values = {0.1, 1.0};
    return {{.values = {values.low / 1.5, values.high * 1.5},
             .kind = ScaleKind::Log,
             .title = tr("largest magnitude"),
             .shorterTitles = {tr("max")}}};
}

std::vector<LegendEntry> OperandChannelsContent::legend() const
{
    const bool isScaled = !m_channels.factors.empty();
    const auto entry = [](const QString& text, int series) {
        return LegendEntry{.text = text,
                           .color = seriesStyle(series, lightChartColors()).color,
                           .colorOnDark = seriesStyle(series, darkChartColors()).color};
    };
    return {entry(isScaled ? tr("input / s") : tr("input"), inputSeries),
            entry(isScaled ? tr("weight s") : tr("weight"), weightSeries)};
}

void OperandChannelsContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    const auto line = [&](bool isInput, bool isScaled) {
        QPolygonF points;
        for (std::size_t index = 0; index < m_order.size(); ++index) {
            const double value =
                isInput ? inputAt(m_order[index], isScaled) : weightAt(m_order[index], isScaled);
            if (value > 0.0)
                points << QPointF(frame.x.scale.toPixel(static_cast<double>(index)),
                                  frame.y.front().scale.toPixel(value));
        }
        return points;
    };
    const bool hasFactors = !m_channels.factors.empty();
    for (const bool isScaled : {false, true})
        for (const bool isInput : {true, false}) {
            if (isScaled && !hasFactors)
                continue;
            QColor color = seriesStyle(isInput ? inputSeries : weightSeries, frame.colors).color;
            if (hasFactors && !isScaled)
                color.setAlphaF(0.35F);
            painter.setPen(QPen(color, 1.5));
            painter.drawPolyline(line(isInput, isScaled));
        }
}

QString OperandChannelsContent::readout(double x, const PlotFrame&) const
{
    const std::optional<std::size_t> index = placeAt(x);
    if (!index)
        return {};
    const std::size_t channel = m_order[*index];
    const bool isScaled = !m_channels.factors.empty();
    QString text = tr("channel %1: input %2, weight %3")
                       .arg(countLabel(channel), valueLabel(inputAt(channel, false)),
                            valueLabel(weightAt(channel, false)));
    if (isScaled)
        text += tr("; with s = %1: %2 and %3")
                    .arg(valueLabel(static_cast<double>(m_channels.factors[channel])),
                         valueLabel(inputAt(channel, true)), valueLabel(weightAt(channel, true)));
    return text;
}

std::optional<PlotTable> OperandChannelsContent::table(const Range& shown) const
{
    const bool isScaled = !m_channels.factors.empty();
    PlotTable table{.columns = {{tr("channel")},
                                {tr("largest of the input")},
                                {tr("largest of the weight")},
                                {tr("factor")}}};
    const Places places = placesIn(shown);
    for (std::size_t index = places.first; index < places.second; ++index) {
        const std::size_t channel = m_order[index];
        table.addRow(static_cast<double>(channel), inputAt(channel, false),
                     weightAt(channel, false),
                     isScaled ? static_cast<double>(m_channels.factors[channel]) : 1.0);
    }
    return table;
}

QString OperandChannelsContent::sentences() const
{
    const std::size_t loudest = m_order.front();
    return tr("Largest magnitudes of %1 of the input and of the weights that meet them; the "
              "loudest is channel %2 with %3.")
        .arg(countText(m_order.size(), tr("1 channel"), tr("%1 channels")), countLabel(loudest),
             valueLabel(inputAt(loudest, false)));
}

}  // namespace calibscope
