#include "ui/charts/shares_content.h"

#include "ui/charts/histogram_painter.h"
#include "ui/charts/threshold_layer.h"
#include "ui/plot/number_label.h"
#include "ui/plot/outline_mark.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double shareUnit = 0x1p-53;  // shares as counts lose nothing that a double holds near 1

Histogram inUnits(const std::vector<double>& shares, const SharesMark& mark)
{
    Histogram histogram;
    histogram.spec = {.bins = static_cast<int>(shares.size()), .domain = mark.domain};
    histogram.low = mark.shares.range.low;
    histogram.high = mark.shares.range.high;
    for (const double share : shares)
        histogram.counts.push_back(static_cast<std::uint64_t>(std::llround(share / shareUnit)));
    return histogram;
}

}  // namespace

void SharesContent::setShares(SharesMark mark)
{
    m_a = inUnits(mark.shares.a, mark);
    m_b = inUnits(mark.shares.b, mark);
    setMark(std::move(mark));
}

void SharesContent::setThresholds(std::vector<ThresholdMark> thresholds)
{
    m_thresholds = std::move(thresholds);
}

std::vector<AxisWish> SharesContent::yAxes(const AxisScale& x, const QSizeF& size,
                                           const QFontMetricsF& metrics) const
{
    const double most = shareUnit * static_cast<double>(std::max(greatestCount(m_a, x.values()),
                                                                 greatestCount(m_b, x.values())));
    AxisWish request;
    request.title = tr("share per bin");
    request.standsOnLow = true;
    request.values = {0.0, most > 0.0 ? most : 1.0};
    if (m_axis == CountAxis::Log) {
        const double floor = mark().leastShare / 2.0;
        request.kind = ScaleKind::Log;
        request.values = {floor, std::max(most, 4.0 * floor)};
        request.zeroAt = floor;
    }
    const QRectF area(QPointF(), size);
    const auto marks = placeMarks(m_thresholds, mark().domain, x, area, fullRange(), metrics);
    request.freePixels = labelHeight(marks, area) + 4.0;
    return {request};
}

std::vector<LegendEntry> SharesContent::legend() const
{
    return {{.text = tr("A"), .color = mark().colorOfA, .sign = LegendEntry::Sign::Swatch},
            {.text = tr("B"), .color = mark().colorOfB, .style = Qt::DashLine},
            {.text = binsText(shares()), .color = Qt::transparent}};
}

void SharesContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    HistogramPainter columns(painter, frame, shareUnit);
    columns.fill(m_a, [this](double) { return mark().colorOfA; });
    columns.outline(
        {.label = {}, .color = mark().colorOfB, .style = Qt::DashLine, .histogram = m_b});
    const auto marks = placeMarks(m_thresholds, mark().domain, frame.x.scale, frame.area,
                                  fullRange(), QFontMetricsF(frame.font));
    paintMarks(painter, marks, frame);
}

QString SharesContent::binReadout(std::size_t bin) const
{
    const auto text = [bin](const std::vector<double>& of, bool isResampled) {
        return (isResampled ? QStringLiteral("≈") : QString()) + percentOf(of[bin]);
    };
    return tr("   A %1   B %2")
        .arg(text(shares().a, shares().isResampledA), text(shares().b, shares().isResampledB));
}

QString SharesContent::summary() const
{
    if (isEmpty())
        return emptyText();
    const Range range = fullRange();
    return tr("Shares of the values of A and B by bin of %1, from %2 to %3; %4.")
        .arg(xTitle(), valueLabel(range.low), valueLabel(range.high), binsText(shares()));
}

std::optional<PlotTable> SharesContent::table(const Range& shown) const
{
    return tableOf(shown, {{tr("share of A"), shares().a}, {tr("share of B"), shares().b}});
}

}  // namespace calibscope
