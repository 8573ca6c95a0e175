// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/histogram_painter.h"

#include "ui/plot/decimate.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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

bool isVector(const QPainter& painter)
{
    const QPaintEngine::Type type = painter.paintEngine()->type();
    return type == QPaintEngine::SVG || type == QPaintEngine::Pdf;
}

/// Columns side by side that look the same.
struct Run
{
    double left = 0.0;
    double right = 0.0;
    double top = 0.0;
    QColor color;
};

/// One shape, so that no viewer shows seams between the columns.
void fillShape(QPainter& painter, std::span<const Run> runs, double bottom)
{
    if (runs.empty())
        return;
    QPolygonF shape{{runs.front().left, bottom}};
    for (const Run& run : runs)
        shape << QPointF(run.left, run.top) << QPointF(run.right, run.top);
    shape << QPointF(runs.back().right, bottom);
    painter.setPen(Qt::NoPen);
    painter.setBrush(runs.front().color);
    painter.drawPolygon(shape);
}

void fillShapes(QPainter& painter, std::span<const Run> runs, double bottom)
{
    std::size_t first = 0;
    for (std::size_t run = 1; run <= runs.size(); ++run)
        if (run == runs.size() || runs[run].left != runs[run - 1].right ||
            runs[run].color != runs[first].color) {
            fillShape(painter, runs.subspan(first, run - first), bottom);
            first = run;
        }
}

bool isNarrow(const Run& run)
{
    return run.right - run.left < 3.0;
}

/// Filling many narrow columns takes long: what neighbours have in common is filled at once.
void fillRuns(QPainter& painter, std::span<const Run> runs, double bottom)
{
    constexpr std::size_t mostNeighbours = 24;
    for (std::size_t first = 0; first < runs.size();) {
        std::size_t end = first + 1;
        double common = runs[first].top;  // lowest of the tops
        while (end < runs.size() && end - first < mostNeighbours && isNarrow(runs[first]) &&
               isNarrow(runs[end]) && runs[end].left == runs[end - 1].right &&
               runs[end].color == runs[first].color)
            common = std::max(common, runs[end++].top);
        const QColor& color = runs[first].color;
        painter.fillRect(
            QRectF(QPointF(runs[first].left, common), QPointF(runs[end - 1].right, bottom)), color);
        for (; first < end; ++first)
            if (runs[first].top < common)
                painter.fillRect(QRectF(QPointF(runs[first].left, runs[first].top),
                                        QPointF(runs[first].right, common)),
                                 color);
    }
}

/// Which columns of a dashed line have ink, by a pattern that repeats.
class Dashes
{
public:
    Dashes(Qt::PenStyle style, double columnWidth)
    {
        for (double place = columnWidth / 2.0; place < length(style); place += columnWidth)
            m_hasInk.push_back(hasInk(style, place));
        if (m_hasInk.empty())
            m_hasInk.push_back(true);
    }

    [[nodiscard]] bool at(std::size_t column) const { return m_hasInk[column % m_hasInk.size()]; }

private:
    static double length(Qt::PenStyle style)
    {
        switch (style) {
        case Qt::DashLine: return 10.0;
        case Qt::DotLine: return 5.0;
        case Qt::DashDotLine: return 14.0;
        default: return 0.0;
        }
    }

    static bool hasInk(Qt::PenStyle style, double place)
    {
        switch (style) {
        case Qt::DashLine: return place < 7.0;
        case Qt::DotLine: return place < 2.5;
        default: return place < 7.0 || (place >= 9.5 && place < 11.5);
        }
    }

    std::vector<bool> m_hasInk;
};

void drawSteps(QPainter& painter, const OutlineMark& mark, std::span<const Run> runs)
{
    constexpr double lineWidth = 1.5;
    QPolygonF steps;
    for (const Run& run : runs)
        steps << QPointF(run.left, run.top) << QPointF(run.right, run.top);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(mark.color, lineWidth, mark.style, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPolyline(steps);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// The steps as rectangles of device pixels: a stroked line of as many points takes ten times as
/// long.
std::vector<QRect> deviceSteps(std::span<const Run> runs, const Dashes& dashes, double left,
                               double ratio)
{
    const int thickness = std::max(static_cast<int>(std::lround(1.5 * ratio)), 1);
    const auto device = [ratio](double place) {
        return static_cast<int>(std::lround(place * ratio));
    };
    std::vector<QRect> rects;
    std::optional<int> before;
    for (const Run& run : runs) {
        const int top = device(run.top) - thickness / 2;
        const auto first = static_cast<std::size_t>(device(run.left) - device(left));
        const bool isRising = before && dashes.at(first);
        if (isRising)
            rects.emplace_back(device(run.left), std::min(top, *before), thickness,
                               std::abs(top - *before) + thickness);
        before = top;
        if (isRising && device(run.right) - device(run.left) <= thickness)
            continue;
        for (int from = device(run.left); from < device(run.right);) {
            const auto column = static_cast<std::size_t>(from - device(left));
            int to = from + 1;
            while (to < device(run.right) &&
                   dashes.at(static_cast<std::size_t>(to - device(left))) == dashes.at(column))
                ++to;
            if (dashes.at(column))
                rects.emplace_back(from, top, to - from, thickness);
            from = to;
        }
    }
    return rects;
}

/// Rectangles given in device pixels, all at once: one by one they cost several times as much.
void fillDeviceRects(QPainter& painter, const std::vector<QRect>& rects, const QColor& color,
                     double ratio)
{
    painter.save();
    painter.scale(1.0 / ratio, 1.0 / ratio);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRects(rects.data(), static_cast<int>(rects.size()));
    painter.restore();
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

QString rugLegend(const Rug& rug)
{
    return tr("▲ least, greatest value") +
           (rug.parts.size() > 1 ? tr("   | ends of each batch") : QString());
}

QString rugText(const Rug& rug, const QPointF& point, const PlotFrame& frame)
{
    constexpr double near = 5.0;
    constexpr double high = 12.0;  // of the triangles, and a little
    const auto isAt = [&](double value) {
        return frame.x.scale.values().contains(value) &&
               std::abs(frame.x.scale.toPixel(value) - point.x()) <= near;
    };
    if (frame.area.bottom() - point.y() > high)
        return {};
    if (isAt(rug.whole.high))
        return tr("greatest value %1").arg(valueLabel(rug.whole.high));
    if (isAt(rug.whole.low))
        return tr("least value %1").arg(valueLabel(rug.whole.low));
    for (std::size_t part = 0; rug.parts.size() > 1 && part < rug.parts.size(); ++part)
        for (const double end : {rug.parts[part].low, rug.parts[part].high})
            if (isAt(end))
                return tr("end of a batch's values, %1").arg(valueLabel(end));
    return {};
}

CountTops::CountTops(const PlotFrame& frame, double ratio, double unit)
    : m_y(frame.y.front().scale),
      m_bottom(frame.area.bottom()),
      m_ratio(ratio),
      m_unit(unit),
      m_tops(1024, std::numeric_limits<double>::quiet_NaN())
{}

double CountTops::compute(std::uint64_t count) const
{
    if (count == 0)
        return m_bottom;
    return std::min(snapped(m_y.toPixel(m_unit * static_cast<double>(count)), m_ratio),
                    m_bottom - 1.0 / m_ratio);
}

double CountTops::of(std::uint64_t count)
{
    if (count >= m_tops.size())
        return compute(count);
    double& top = m_tops[count];
    if (std::isnan(top))
        top = compute(count);
    return top;
}

HistogramPainter::HistogramPainter(QPainter& painter, const PlotFrame& frame, double unit)
    : m_painter(painter),
      m_frame(frame),
      m_ratio(isVector(painter) ? 2.0 : deviceRatio(painter)),
      m_tops(frame, m_ratio, unit)
{
    m_columns = {.left = snapped(frame.area.left(), m_ratio),
                 .width = 1.0 / m_ratio,
                 .count = static_cast<int>(std::ceil(frame.area.width() * m_ratio))};
}

std::vector<std::uint64_t> HistogramPainter::countsOf(const Histogram& histogram) const
{
    const AxisScale& x = m_frame.x.scale;
    std::vector<std::uint64_t> counts = columnMaxima(histogram, x, m_columns);
    if (x.kind() == ScaleKind::Log && histogram.low <= 0.0 && !histogram.counts.empty())
        for (std::size_t column = 0;
             column < counts.size() && x.toValue(m_columns.centre(column)) < m_frame.leastX;
             ++column)
            counts[column] = histogram.counts.front();
    return counts;
}

double HistogramPainter::leftOf(std::size_t column) const
{
    return m_columns.left + static_cast<double>(column) * m_columns.width;
}

void HistogramPainter::fill(const Histogram& histogram,
                            const std::function<QColor(double)>& colorAt)
{
    const auto counts = countsOf(histogram);
    std::vector<Run> runs;
    for (std::size_t column = 0; column < counts.size(); ++column) {
        if (counts[column] == 0)
            continue;
        const QColor color = colorAt(m_frame.x.scale.toValue(m_columns.centre(column)));
        if (column > 0 && counts[column] == counts[column - 1] && runs.back().color == color)
            runs.back().right = leftOf(column + 1);
        else
            runs.push_back({leftOf(column), leftOf(column + 1), m_tops.of(counts[column]), color});
    }
    if (isVector(m_painter))
        fillShapes(m_painter, runs, m_frame.area.bottom());
    else
        fillRuns(m_painter, runs, m_frame.area.bottom());
}

void HistogramPainter::outline(const OutlineMark& mark)
{
    const auto counts = countsOf(mark.histogram);
    std::vector<Run> runs;
    for (std::size_t column = 0; column < counts.size(); ++column) {
        if (column > 0 && counts[column] == counts[column - 1])
            runs.back().right = leftOf(column + 1);
        else
            runs.push_back(
                {leftOf(column), leftOf(column + 1), m_tops.of(counts[column]), mark.color});
    }
    if (isVector(m_painter))
        return drawSteps(m_painter, mark, runs);
    fillDeviceRects(m_painter,
                    deviceSteps(runs, Dashes(mark.style, m_columns.width), m_columns.left, m_ratio),
                    mark.color, m_ratio);
}

void HistogramPainter::tops(const Histogram& histogram, const Histogram& over, const QColor& color,
                            const QColor& ground)
{
    constexpr double pixel = 1.0;
    const double bottom = m_frame.area.bottom();
    const auto counts = countsOf(histogram);
    const auto filled = countsOf(over);
    std::vector<Run> runs;  // without a colour where both have the same top
    for (std::size_t column = 0; column < counts.size(); ++column) {
        const double top = m_tops.of(counts[column]);
        const Run run{.left = leftOf(column),
                      .right = leftOf(column + 1),
                      .top = std::min(top, bottom - pixel),
                      .color = top == m_tops.of(filled[column]) ? QColor() : color};
        if (!runs.empty() && runs.back().top == run.top && runs.back().color == run.color)
            runs.back().right = run.right;
        else
            runs.push_back(run);
    }
    std::vector<QRectF> lines;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const Run& here = runs[run];
        if (here.color.isValid())
            lines.emplace_back(here.left, here.top, here.right - here.left, pixel);
        const bool isStep = run > 0 && (here.color.isValid() || runs[run - 1].color.isValid());
        if (!isStep || isNarrow(here) || isNarrow(runs[run - 1]))
            continue;
        const double before = runs[run - 1].top;
        lines.emplace_back(here.left, std::min(before, here.top), pixel,
                           std::abs(here.top - before) + pixel);
    }
    for (const QRectF& line : lines)
        m_painter.fillRect(line.adjusted(0.0, -pixel, 0.0, pixel), ground);
    for (const QRectF& line : lines)
        m_painter.fillRect(line, color);
}

void paintColumns(QPainter& painter, const PlotFrame& frame, const Histogram& histogram,
                  const ColumnsLook& look)
{
    HistogramPainter(painter, frame, look.unit).fill(histogram, look.colorOf);
}

void paintSpikes(QPainter& painter, const PlotFrame& frame, const Histogram& histogram,
                 std::uint64_t total, const ColumnsLook& look)
{
    constexpr std::uint64_t share = 10;
    constexpr double leastWidth = 4.0;
    const double ratio = deviceRatio(painter);
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        const std::uint64_t count = histogram.counts[bin];
        if (count < total / share || count == 0)
            continue;
        const double centre = frame.x.scale.toPixel(histogram.centre(bin));
        const double width = frame.x.scale.toPixel(histogram.edge(bin + 1)) -
                             frame.x.scale.toPixel(histogram.edge(bin));
        if (width >= leastWidth)
            continue;
        const double left = snapped(centre - leastWidth / 2.0, ratio);
        const double top =
            snapped(frame.y.front().scale.toPixel(look.unit * static_cast<double>(count)), ratio);
        painter.fillRect(QRectF(left, top, leastWidth, frame.area.bottom() - top),
                         look.colorOf(histogram.centre(bin)));
    }
}

}  // namespace calibscope
