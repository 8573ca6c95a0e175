#include "ui/charts/shares_content.h"

#include "ui/charts/histogram_painter.h"
#include "ui/charts/number_label.h"
#include "ui/charts/outline_mark.h"
#include "ui/charts/threshold_layer.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double shareUnit = 0x1p-53;  // shares as counts lose nothing that a double holds near 1

QString tr(const char* text)
{
    return QCoreApplication::translate("SharesContent", text);
}

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

bool isFilled(const SharesInCommonBins& shares, std::size_t bin)
{
    return shares.a[bin] > 0.0 || shares.b[bin] > 0.0;
}

QString percent(double share)
{
    return valueLabel(100.0 * share, 3) + QStringLiteral(" %");
}

}  // namespace

QString domainTitle(Domain domain)
{
    return domain == Domain::Magnitude ? QStringLiteral("|x|") : QStringLiteral("x");
}

QString binsText(const SharesInCommonBins& shares)
{
    const QString width = valueLabel(shares.width(), 3);
    if (shares.isResampledB)
        return tr("bins of A, %1 wide; B resampled into them, ≈").arg(width);
    if (shares.isResampledA)
        return tr("bins of B, %1 wide; A resampled into them, ≈").arg(width);
    return tr("the same bins in both, %1 wide").arg(width);
}

Range filledRangeOf(const SharesMark& mark)
{
    constexpr double padding = 0.015;
    const SharesInCommonBins& shares = mark.shares;
    std::size_t first = 0;
    std::size_t end = shares.bins();
    while (first + 1 < end && !isFilled(shares, first))
        ++first;
    while (end > first + 1 && !isFilled(shares, end - 1))
        --end;
    const bool startsAtZero = mark.domain == Domain::Magnitude;
    const Range filled{startsAtZero ? 0.0 : shares.edge(first), shares.edge(end)};
    const double left = startsAtZero ? padding / 3.0 : padding;
    return {filled.low - left * filled.width(), filled.high + padding * filled.width()};
}

std::optional<LogX> logXOf(const SharesMark& mark)
{
    const SharesInCommonBins& shares = mark.shares;
    if (shares.bins() < 2 || shares.range.low < 0.0)
        return std::nullopt;
    constexpr double zeroShare = 0.06;  // of the axis, for the bin at 0
    std::size_t bin = 1;
    while (bin + 1 < shares.bins() && !isFilled(shares, bin))
        ++bin;
    const double least = shares.edge(bin);
    const double decades = std::max(std::log10(shares.range.high / least), 1.0);
    return LogX{least / std::pow(10.0, zeroShare * decades), least};
}

void SharesContent::setShares(SharesMark mark)
{
    m_mark = std::move(mark);
    m_a = inUnits(m_mark.shares.a, m_mark);
    m_b = inUnits(m_mark.shares.b, m_mark);
}

void SharesContent::setEmpty(const QString& reason)
{
    m_mark = {};
    m_a = {};
    m_b = {};
    m_reason = reason;
}

void SharesContent::setThresholds(std::vector<ThresholdMark> thresholds)
{
    m_thresholds = std::move(thresholds);
}

QString SharesContent::linearOnlyText() const
{
    return tr("Negative values have no logarithm: show magnitudes for a logarithmic axis.");
}

std::vector<AxisWish> SharesContent::yAxes(const AxisScale& x, const QSizeF& size,
                                           const QFontMetricsF& metrics) const
{
    const double most = shareUnit * static_cast<double>(std::max(greatestCount(m_a, x.values()),
                                                                 greatestCount(m_b, x.values())));
    AxisWish wish;
    wish.title = tr("share per bin");
    wish.standsOnLow = true;
    wish.values = {0.0, most > 0.0 ? most : 1.0};
    if (m_axis == CountAxis::Log) {
        const double floor = m_mark.leastShare / 2.0;
        wish.kind = ScaleKind::Log;
        wish.values = {floor, std::max(most, 4.0 * floor)};
        wish.zeroAt = floor;
    }
    const QRectF area(QPointF(), size);
    const auto marks = placeMarks(m_thresholds, m_mark.domain, x, area, fullRange(), metrics);
    wish.freePixels = labelHeight(marks, area) + 4.0;
    return {wish};
}

std::vector<LegendEntry> SharesContent::legend() const
{
    return {{.text = tr("A"), .color = m_mark.colorOfA, .sign = LegendEntry::Sign::Swatch},
            {.text = tr("B"), .color = m_mark.colorOfB, .style = Qt::DashLine},
            {.text = binsText(m_mark.shares), .color = Qt::transparent}};
}

void SharesContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    HistogramPainter columns(painter, frame, shareUnit);
    columns.fill(m_a, [this](double) { return m_mark.colorOfA; });
    columns.outline(
        {.label = {}, .color = m_mark.colorOfB, .style = Qt::DashLine, .histogram = m_b});
    const auto marks = placeMarks(m_thresholds, m_mark.domain, frame.x.scale, frame.area,
                                  fullRange(), QFontMetricsF(frame.font));
    paintMarks(painter, marks, frame);
}

QString SharesContent::readout(double x, const PlotFrame&) const
{
    const SharesInCommonBins& shares = m_mark.shares;
    if (!shares.range.contains(x))
        return xTitle() + u' ' + valueLabel(x) + tr("   no value here");
    const std::size_t bin = m_a.binOf(x);
    return tr("%1 from %2 to %3   A %4   B %5")
        .arg(xTitle(), valueLabel(shares.edge(bin), 5), valueLabel(shares.edge(bin + 1), 5),
             (shares.isResampledA ? QStringLiteral("≈") : QString()) + percent(shares.a[bin]),
             (shares.isResampledB ? QStringLiteral("≈") : QString()) + percent(shares.b[bin]));
}

QString SharesContent::summary() const
{
    if (isEmpty())
        return m_reason;
    const Range range = filledRangeOf(m_mark);
    return tr("Shares of the values of A and B by bin of %1, from %2 to %3; %4.")
        .arg(xTitle(), valueLabel(range.low), valueLabel(range.high), binsText(m_mark.shares));
}

std::optional<PlotTable> SharesContent::table(const Range& shown) const
{
    std::vector<double> from;
    std::vector<double> to;
    std::vector<double> a;
    std::vector<double> b;
    const SharesInCommonBins& shares = m_mark.shares;
    for (std::size_t bin = 0; bin < shares.bins(); ++bin) {
        if (shares.edge(bin + 1) < shown.low || shares.edge(bin) > shown.high)
            continue;
        from.push_back(shares.edge(bin));
        to.push_back(shares.edge(bin + 1));
        a.push_back(shares.a[bin]);
        b.push_back(shares.b[bin]);
    }
    return PlotTable{
        .columns = {
            {tr("from"), from}, {tr("to"), to}, {tr("share of A"), a}, {tr("share of B"), b}}};
}

}  // namespace calibscope
