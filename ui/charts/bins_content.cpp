// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bins_content.h"

#include "ui/charts/histogram_content.h"
#include "ui/charts/histogram_painter.h"
#include "ui/plot/decimate.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

const LevelMark* BinsContent::levelAt(double x) const
{
    const auto nearest = std::ranges::min_element(
        m_mark.levels, {}, [x](const LevelMark& level) { return std::abs(level.x - x); });
    return nearest == m_mark.levels.end() ? nullptr : &*nearest;
}

XAxis BinsContent::xAxis() const
{
    return {.all = m_mark.all,
            .title = m_mark.title,
            .linearOnly = tr("Patterns and logarithms are shown on a linear axis.")};
}

std::vector<YAxis> BinsContent::yAxes(const PlotRoom& room) const
{
    const auto most = static_cast<double>(greatestCount(m_mark.bins, room.x.values()));
    YAxis request{.title = m_mark.counted,
                  .numbers = TickNumbers::Counts,
                  .freePixels = 4.0,
                  .standsOnLow = true,
                  .shorterTitles = {tr("n")}};
    scaleToCounts(request, most, m_isLogCount);
    return {request};
}

std::vector<LegendEntry> BinsContent::legend() const
{
    std::vector<LegendEntry> entries;
    for (const LimitMark& limit : m_mark.limits)
        entries.push_back(
            {.text = limit.text, .color = {}, .style = Qt::DashLine, .usesTextColor = true});
    return entries;
}

void BinsContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const AxisScale& x = frame.x.scale;
    if (m_mark.inside && m_mark.isBand) {
        QColor band = frame.colors.text;
        band.setAlphaF(0.1F);
        const QRectF reach(QPointF(x.toPixel(m_mark.inside->low), frame.area.top()),
                           QPointF(x.toPixel(m_mark.inside->high), frame.area.bottom()));
        painter.fillRect(reach.intersected(frame.area), band);
    }
    const ColumnsLook look{.colorOf = [&](double at) {
        return !m_mark.inside || m_mark.inside->contains(at) ? frame.colors.fill
                                                             : frame.colors.clipped;
    }};
    paintColumns(painter, frame, m_mark.bins, look);
    paintLevels(painter, frame);
    for (const LimitMark& limit : m_mark.limits)
        if (x.values().contains(limit.x))
            drawVerticalLine(painter, x.toPixel(limit.x), {frame.area.top(), frame.area.bottom()},
                             frame.colors.text, 1.0, Qt::DashLine);
}

/// Lines where neighbours are a few pixels apart, else a strip at the axis from the first to the last
/// of them.
void BinsContent::paintLevels(QPainter& painter, const PlotFrame& frame) const
{
    constexpr double least = 4.0;
    constexpr double strip = 8.0;
    const AxisScale& x = frame.x.scale;
    QColor faint = frame.colors.text;
    faint.setAlphaF(0.3F);
    const auto pixelOf = [&](std::size_t level) { return x.toPixel(m_mark.levels[level].x); };
    const std::size_t count = m_mark.levels.size();
    for (std::size_t level = 0; level < count; ++level) {
        const double pixel = pixelOf(level);
        if (!x.values().contains(m_mark.levels[level].x))
            continue;
        const bool hasLeft = level > 0 && pixel - pixelOf(level - 1) < least;
        const bool hasRight = level + 1 < count && pixelOf(level + 1) - pixel < least;
        if (hasLeft)
            painter.fillRect(QRectF(QPointF(pixelOf(level - 1), frame.area.bottom() - strip),
                                    QPointF(pixel, frame.area.bottom()))
                                 .intersected(frame.area),
                             faint);
        if (hasLeft || hasRight)
            continue;
        drawVerticalLine(painter, pixel, {frame.area.top(), frame.area.bottom()}, faint, 1.0,
                         Qt::SolidLine);
        drawVerticalLine(painter, pixel, {frame.area.bottom() - strip, frame.area.bottom()},
                         frame.colors.text, 1.0, Qt::SolidLine);
    }
}

QString BinsContent::binText(double x) const
{
    const Histogram& bins = m_mark.bins;
    if (!bins.range().contains(x))
        return {};
    const std::size_t bin = bins.binOf(x);
    const Range ends{bins.edge(bin), bins.edge(bin + 1)};
    const QString position = m_mark.at ? m_mark.at(ends) : valueLabel(x);
    return tr("%1: %2 %3, %4")
        .arg(position, countLabel(bins.counts[bin]), m_mark.counted,
             shareText(bins.counts[bin], bins.total()));
}

QString BinsContent::readout(double x, const PlotFrame&) const
{
    return binText(x);
}

/// Of a level under the pointer, else of the bin there.
QString BinsContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    const double x = frame.x.scale.toValue(point.x());
    constexpr double near = 12.0;  // pixels
    const LevelMark* level = levelAt(x);
    return level && std::abs(frame.x.scale.toPixel(level->x) - point.x()) <= near ? level->text
                                                                                  : binText(x);
}

std::optional<PlotTable> BinsContent::table(const Range& shown) const
{
    const Histogram& bins = m_mark.bins;
    return binTable([&bins](std::size_t bin) { return bins.edge(bin); }, shown,
                    {{m_mark.counted, bins.counts}});
}

std::vector<PlotHandle> BinsContent::handles() const
{
    return m_mark.handle && !isEmpty() ? std::vector{*m_mark.handle} : std::vector<PlotHandle>();
}

}  // namespace calibscope
