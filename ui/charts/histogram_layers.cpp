// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/histogram_layers.h"

#include "ui/charts/column_bins.h"
#include "ui/plot/decimate.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// Digits enough that a share next to all is not rounded to all.
QString percent(double share)
{
    int digits = 4;
    while (digits < 12 && valueLabel(100.0 * share, digits) == QStringLiteral("100") && share < 1.0)
        ++digits;
    return valueLabel(100.0 * share, digits);
}

constexpr double leastLevelSpacing = 4.0;  // pixels

/// A triangle that stands on the x axis and points at a value.
void paintEnd(QPainter& painter, const PlotFrame& frame, double value)
{
    if (!frame.x.scale.values().contains(value))
        return;
    constexpr double halfWidth = 4.5;
    constexpr double height = 8.0;
    const double x = frame.x.scale.toPixel(value);
    const double bottom = frame.area.bottom();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(frame.colors.background, 1.0));
    painter.setBrush(frame.colors.text);
    painter.drawPolygon(
        QPolygonF{{x - halfWidth, bottom}, {x, bottom - height}, {x + halfWidth, bottom}});
    painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace

std::vector<double> cumulativeShares(std::span<const std::uint64_t> countBefore,
                                     CumulativeAxis axis)
{
    std::vector<double> shares;
    if (countBefore.empty() || countBefore.back() == 0)
        return shares;
    const std::uint64_t total = countBefore.back();
    shares.reserve(countBefore.size());
    for (const std::uint64_t before : countBefore)
        shares.push_back(
            static_cast<double>(axis == CumulativeAxis::UpTo ? before : total - before) /
            static_cast<double>(total));
    return shares;
}

YAxis cumulativeAxisWish(std::uint64_t total, CumulativeAxis axis, const QString& xTitle)
{
    YAxis request;
    if (axis == CumulativeAxis::UpTo) {
        request.title = tr("CDF of %1").arg(xTitle);
        request.shorterTitles = {tr("CDF")};
        request.values = {0.0, 1.0};
        request.endsAtHigh = true;
        request.standsOnLow = true;
        return request;
    }
    // Half a value, as a histogram's logarithmic axis begins at half a count.
    const double floor = 0.5 / static_cast<double>(std::max<std::uint64_t>(total, 1));
    request.title = tr("1 − CDF of %1").arg(xTitle);
    request.shorterTitles = {tr("1 − CDF")};
    request.kind = ScaleKind::Log;
    request.endsAtHigh = true;
    request.values = {floor, 1.0};
    request.zeroAt = floor;
    request.standsOnLow = true;
    return request;
}

void paintCumulative(QPainter& painter, const PlotFrame& frame, const Histogram& histogram,
                     std::span<const double> shares)
{
    std::vector<double> edges;
    edges.reserve(shares.size());
    for (std::size_t bin = 0; bin < shares.size(); ++bin)
        edges.push_back(histogram.edge(bin));
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const QPolygonF& line : curveLines(edges, shares, frame.x.scale, frame.y.front().scale)) {
        QPolygonF area = line;
        area.append(QPointF(line.back().x(), frame.area.bottom()));
        area.append(QPointF(line.front().x(), frame.area.bottom()));
        QColor ground = frame.colors.fill;
        ground.setAlphaF(0.25F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ground);
        painter.drawPolygon(area);
        painter.setPen(QPen(frame.colors.fill, 2.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(line);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString percentileText(const Histogram& histogram, std::span<const std::uint64_t> countBefore,
                       double x, const QString& xTitle)
{
    const double total = static_cast<double>(countBefore.back());
    const double bins = static_cast<double>(histogram.counts.size());
    const double place = std::clamp((x - histogram.low) / histogram.width(), 0.0, bins);
    const auto bin = std::min(static_cast<std::size_t>(place), histogram.counts.size() - 1);
    const double inside = place - static_cast<double>(bin);
    const double below =
        static_cast<double>(countBefore[bin]) + inside * static_cast<double>(histogram.counts[bin]);
    const bool isExact = histogram.counts[bin] == 0 || inside == 0.0 || inside == 1.0;
    const QString sign = isExact ? QString() : QStringLiteral("≈");
    const QString above = countText(static_cast<std::uint64_t>(std::llround(total - below)),
                                    tr("1 value"), tr("%1 values"));
    return tr("%1 %2   percentile %3%4   above %3%5 (%3%6 %)")
        .arg(xTitle, valueLabel(x, 5), sign, percent(below / total), above,
             percent(1.0 - below / total));
}

void paintOutline(QPainter& painter, const PlotFrame& frame, const Range& range,
                  std::span<const double> counts, double unit, const QColor& color)
{
    if (counts.empty() || !(range.low < range.high))
        return;
    const double ratio = deviceRatio(painter);
    const PixelColumns columns{.left = snapped(frame.area.left(), ratio),
                               .width = 1.0 / ratio,
                               .count = static_cast<int>(std::ceil(frame.area.width() * ratio))};
    const auto spans = columnBins(range, counts.size(), frame.x.scale, columns);
    const AxisScale& y = frame.y.front().scale;
    QPolygonF line;
    for (std::size_t column = 0; column < spans.size(); ++column) {
        const BinSpan& span = spans[column];
        const double most =
            span.isEmpty()
                ? 0.0
                : *std::max_element(counts.begin() + static_cast<std::ptrdiff_t>(span.first),
                                    counts.begin() + static_cast<std::ptrdiff_t>(span.end));
        const double top = std::min(y.toPixel(most * unit), frame.area.bottom());
        const double left = columns.left + static_cast<double>(column) * columns.width;
        if (line.isEmpty() || line.back().y() != top) {
            if (!line.isEmpty())
                line.append(QPointF(left, line.back().y()));
            line.append(QPointF(left, top));
        }
    }
    if (!line.isEmpty())
        line.append(QPointF(frame.area.right(), line.back().y()));
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

bool areLevelsApart(const AxisScale& x, const Quantizer& quantizer)
{
    const double centre = x.toValue((x.pixelOfLow() + x.pixelOfHigh()) / 2.0);
    const double from = x.kind() == ScaleKind::Log ? x.values().high - quantizer.scale : centre;
    return std::abs(x.toPixel(from + quantizer.scale) - x.toPixel(from)) >= leastLevelSpacing;
}

void paintLevels(QPainter& painter, const PlotFrame& frame, const Quantizer& quantizer,
                 Domain domain, const QColor& color)
{
    const AxisScale& x = frame.x.scale;
    if (!areLevelsApart(x, quantizer))
        return;
    constexpr double shortTick = 10.0;
    constexpr double longTick = 22.0;
    double last = -leastLevelSpacing;
    const auto draw = [&](double value, bool isEnd) {
        if (!x.values().contains(value))
            return;
        const double pixel = x.toPixel(value);
        if (std::abs(pixel - last) < leastLevelSpacing)
            return;  // of the dense end of a logarithmic axis
        last = pixel;
        drawVerticalLine(
            painter, pixel,
            {frame.area.bottom() - (isEnd ? longTick : shortTick), frame.area.bottom()}, color, 1.0,
            Qt::SolidLine);
    };
    for (int level = quantizer.highLevel; level >= quantizer.lowLevel; --level) {
        const double value = quantizer.value(level);
        const bool isEnd = level == quantizer.lowLevel || level == quantizer.highLevel;
        if (domain == Domain::Magnitude && value < 0.0 && quantizer.fakeQuantize(-value) == -value)
            continue;  // where its mirror image stands
        draw(domain == Domain::Magnitude ? std::abs(value) : value, isEnd);
    }
}

Rug rugOf(const Extents& whole, std::span<const Extents> batches, Domain domain)
{
    const auto ends = [domain](const Extents& extents) {
        return domain == Domain::Magnitude ? Range{extents.absMin, extents.absMax()}
                                           : Range{extents.min, extents.max};
    };
    Rug rug{.whole = ends(whole), .parts = {}};
    for (const Extents& batch : batches)
        if (batch.finite > 0)
            rug.parts.push_back(ends(batch));
    return rug;
}

void paintRug(QPainter& painter, const PlotFrame& frame, const Rug& rug)
{
    constexpr double height = 5.0;
    const auto tick = [&](double value) {
        if (frame.x.scale.values().contains(value))
            drawVerticalLine(painter, frame.x.scale.toPixel(value),
                             {frame.area.bottom() - height, frame.area.bottom()}, frame.colors.text,
                             1.0, Qt::SolidLine);
    };
    if (rug.parts.size() > 1)
        for (const Range& part : rug.parts) {
            tick(part.low);
            tick(part.high);
        }
    paintEnd(painter, frame, rug.whole.low);
    paintEnd(painter, frame, rug.whole.high);
}

}  // namespace calibscope
