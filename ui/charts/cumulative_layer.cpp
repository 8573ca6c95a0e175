#include "ui/charts/cumulative_layer.h"

#include "ui/plot/decimate.h"
#include "ui/plot/number_label.h"
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

AxisWish cumulativeAxisWish(std::uint64_t total, CumulativeAxis axis, const QString& xTitle)
{
    AxisWish request;
    if (axis == CumulativeAxis::UpTo) {
        request.title = tr("share of values up to %1").arg(xTitle);
        request.values = {0.0, 1.0};
        request.endsAtHigh = true;
        request.standsOnLow = true;
        return request;
    }
    // Half a value, as a histogram's logarithmic axis begins at half a count.
    const double floor = 0.5 / static_cast<double>(std::max<std::uint64_t>(total, 1));
    request.title = tr("share of values above %1").arg(xTitle);
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
    return tr("%1 %2   percentile %3%4   above %3%5 values (%3%6 %)")
        .arg(xTitle, valueLabel(x, 5), sign, percent(below / total),
             countLabel(static_cast<std::uint64_t>(std::llround(total - below))),
             percent(1.0 - below / total));
}

}  // namespace calibscope
