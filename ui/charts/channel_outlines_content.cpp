// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/channel_outlines_content.h"

#include "ui/charts/histogram_painter.h"
#include "ui/plot/decimate.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope {

namespace {

Range filledRange(const Histogram& histogram)
{
    constexpr double inf = std::numeric_limits<double>::infinity();
    Range range{inf, -inf};
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin)
        if (histogram.counts[bin] > 0)
            range = {std::min(range.low, histogram.edge(bin)),
                     std::max(range.high, histogram.edge(bin + 1))};
    return range;
}

}  // namespace

void ChannelOutlinesContent::setOutlines(std::vector<OutlineMark> outlines)
{
    m_outlines = std::move(outlines);
    m_most = 0;
    constexpr double inf = std::numeric_limits<double>::infinity();
    Range range{inf, -inf};
    for (const OutlineMark& outline : m_outlines) {
        const Histogram& histogram = outline.histogram;
        if (histogram.counts.empty() || !(histogram.low < histogram.high))
            continue;
        m_most = std::max(m_most, std::ranges::max(histogram.counts));
        const Range filled = filledRange(histogram);
        range = {std::min(range.low, filled.low), std::max(range.high, filled.high)};
    }
    if (!(range.low <= range.high))
        range = {0.0, 1.0};
    const bool isOfMagnitudes =
        !m_outlines.empty() && m_outlines.front().histogram.spec.domain == Domain::Magnitude;
    const double margin = 0.015 * range.width();
    m_range = {isOfMagnitudes ? 0.0 - margin / 3.0 : range.low - margin, range.high + margin};
}

XAxis ChannelOutlinesContent::xAxis() const
{
    return {.all = m_range,
            .title = valueTitle(m_outlines.empty() ? Domain::Magnitude
                                                   : m_outlines.front().histogram.spec.domain)};
}

std::vector<YAxis> ChannelOutlinesContent::yAxes(const PlotRoom&) const
{
    YAxis request;
    request.title = tr("count");
    request.numbers = TickNumbers::Counts;
    const double most = static_cast<double>(m_most) * 1.1;
    if (m_countAxis == CountAxis::Log) {
        request.kind = ScaleKind::Log;
        request.values = {zeroCountFloor, std::max(most, 2.0)};
        request.zeroAt = zeroCountFloor;
    } else {
        request.values = {0.0, std::max(most, 1.0)};
    }
    return {request};
}

std::vector<LegendEntry> ChannelOutlinesContent::legend() const
{
    std::vector<LegendEntry> entries;
    for (const OutlineMark& outline : m_outlines)
        entries.push_back({outline.label, outline.color, outline.style});
    return entries;
}

void ChannelOutlinesContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const AxisScale& y = frame.y.front().scale;
    const PixelColumns columns{.left = std::floor(frame.area.left()),
                               .width = 1.0,
                               .count = static_cast<int>(std::ceil(frame.area.width())) + 1};
    for (const OutlineMark& outline : m_outlines) {
        if (!(outline.histogram.low < outline.histogram.high))
            continue;
        const auto maxima = columnMaxima(outline.histogram, frame.x.scale, columns);
        QPolygonF steps;
        for (std::size_t column = 0; column < maxima.size(); ++column) {
            const double left = columns.left + static_cast<double>(column);
            const double top = y.toPixel(static_cast<double>(maxima[column]));
            steps << QPointF(left, top) << QPointF(left + 1.0, top);
        }
        painter.setPen(QPen(outline.color, 1.5, outline.style, Qt::FlatCap));
        painter.drawPolyline(steps);
    }
}

QString ChannelOutlinesContent::readout(double x, const PlotFrame&) const
{
    QString text = xTitle() + u' ' + valueLabel(x);
    for (const OutlineMark& outline : m_outlines) {
        const Histogram& histogram = outline.histogram;
        const bool isInside = !histogram.counts.empty() && histogram.range().contains(x);
        text += tr("   %1: %2")
                    .arg(outline.label,
                         countLabel(isInside ? histogram.counts[histogram.binOf(x)] : 0));
    }
    return text;
}

QString ChannelOutlinesContent::sentences() const
{
    QStringList names;
    for (const OutlineMark& outline : m_outlines)
        names += outline.label;
    return tr("Histograms of %1 from %2 to %3: %4.")
        .arg(xTitle(), valueLabel(m_range.low), valueLabel(m_range.high),
             names.join(QStringLiteral(", ")));
}

std::optional<PlotTable> ChannelOutlinesContent::table(const Range& shown) const
{
    PlotTable table{.columns = {{tr("channel")}, {tr("from")}, {tr("to")}, {tr("count")}}};
    for (const OutlineMark& outline : m_outlines) {
        const Histogram& histogram = outline.histogram;
        for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin)
            if (histogram.edge(bin + 1) >= shown.low && histogram.edge(bin) <= shown.high)
                table.addRow(outline.label, histogram.edge(bin), histogram.edge(bin + 1),
                             histogram.counts[bin]);
    }
    return table;
}

}  // namespace calibscope
