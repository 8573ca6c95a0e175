// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/shares_content.h"

#include "ui/charts/histogram_painter.h"
#include "ui/charts/marks.h"
#include "ui/charts/threshold_layer.h"
#include "ui/plot/decimate.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

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

constexpr double leastRatioShown = 2.0;
constexpr double mostRatioShown = 1e4;
constexpr int sampleColumns = 256;  // enough to find the axis' ends

}  // namespace

QString binsText(const SharesInCommonBins& shares)
{
    const QString width = valueLabel(shares.width(), 3);
    if (shares.isResampledB)
        return tr("bins of A, %1 wide; B resampled, ≈").arg(width);
    if (shares.isResampledA)
        return tr("bins of B, %1 wide; A resampled, ≈").arg(width);
    return tr("the same bins in both, %1 wide").arg(width);
}

QString percentOf(double share)
{
    return valueLabel(100.0 * share, 3) + QStringLiteral(" %");
}

bool CommonBinsContent::isFilled(std::size_t bin) const
{
    return shares().a[bin] > 0.0 || shares().b[bin] > 0.0;
}

XAxis CommonBinsContent::xAxis() const
{
    constexpr double padding = 0.015;
    std::size_t first = 0;
    std::size_t end = shares().bins();
    while (first + 1 < end && !isFilled(first))
        ++first;
    while (end > first + 1 && !isFilled(end - 1))
        --end;
    const bool startsAtZero = m_mark.domain == Domain::Magnitude;
    const Range filled{startsAtZero ? 0.0 : shares().edge(first), shares().edge(end)};
    const double left = startsAtZero ? padding / 3.0 : padding;
    return {.all = {filled.low - left * filled.width(), filled.high + padding * filled.width()},
            .title = valueTitle(m_mark.domain),
            .log = logBins(),
            .linearOnly = negativeText()};
}

std::optional<LogX> CommonBinsContent::logBins() const
{
    if (shares().bins() < 2 || shares().range.low < 0.0)
        return std::nullopt;
    constexpr double zeroShare = 0.06;  // of the axis, for the bin at 0
    std::size_t bin = 1;
    while (bin + 1 < shares().bins() && !isFilled(bin))
        ++bin;
    const double least = shares().edge(bin);
    const double decades = std::max(std::log10(shares().range.high / least), 1.0);
    return LogX{least / std::pow(10.0, zeroShare * decades), least};
}

QString CommonBinsContent::readout(double x, const PlotFrame&) const
{
    if (!shares().range.contains(x))
        return xTitle() + u' ' + valueLabel(x) + tr("   no value here");
    const double place = (x - shares().range.low) / shares().range.width();
    const auto bin =
        std::min(static_cast<std::size_t>(place * static_cast<double>(shares().bins())),
                 shares().bins() - 1);
    return tr("%1 from %2 to %3")
               .arg(xTitle(), valueLabel(shares().edge(bin), 5),
                    valueLabel(shares().edge(bin + 1), 5)) +
           binReadout(bin);
}

PlotTable CommonBinsContent::tableOf(const Range& shown, std::vector<PlotColumn> columns) const
{
    return binTable([this](std::size_t bin) { return shares().edge(bin); }, shown,
                    std::move(columns));
}

void SharesContent::setShares(SharesMark mark)
{
    m_a = inUnits(mark.shares.a, mark);
    m_b = inUnits(mark.shares.b, mark);
    setMark(std::move(mark));
}

std::vector<YAxis> SharesContent::yAxes(const PlotRoom& room) const
{
    const double most =
        shareUnit * static_cast<double>(std::max(greatestCount(m_a, room.x.values()),
                                                 greatestCount(m_b, room.x.values())));
    YAxis request;
    request.title = tr("share per bin");
    request.shorterTitles = {tr("share")};
    request.standsOnLow = true;
    request.values = {0.0, most > 0.0 ? most : 1.0};
    if (m_axis == CountAxis::Log) {
        const double floor = mark().leastShare / 2.0;
        request.kind = ScaleKind::Log;
        request.values = {floor, std::max(most, 4.0 * floor)};
        request.zeroAt = floor;
    }
    request.freePixels = 4.0;
    return {request};
}

std::vector<LegendEntry> SharesContent::legend() const
{
    return {{.text = tr("A"), .color = mark().colorOfA, .sign = LegendEntry::Sign::Swatch},
            {.text = m_a.counts == m_b.counts ? tr("B, the same in every bin")
                                              : tr("B, where it differs"),
             .color = mark().colorOfB},
            {.text = binsText(shares()), .color = Qt::transparent}};
}

void SharesContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    HistogramPainter columns(painter, frame, shareUnit);
    columns.fill(m_a, [this](double) { return mark().colorOfA; });
    columns.tops(m_b, m_a, mark().colorOfB, frame.colors.background);
    paintMarkLines(painter, placedMarks(frame), frame);
}

QString SharesContent::binReadout(std::size_t bin) const
{
    const auto text = [bin](const std::vector<double>& of, bool isResampled) {
        return (isResampled ? QStringLiteral("≈") : QString()) + percentOf(of[bin]);
    };
    return tr("   A %1   B %2")
        .arg(text(shares().a, shares().isResampledA), text(shares().b, shares().isResampledB));
}

QString SharesContent::sentences() const
{
    const Range range = fullRange();
    return tr("Shares of the values of A and B by bin of %1, from %2 to %3; %4.")
        .arg(xTitle(), valueLabel(range.low), valueLabel(range.high), binsText(shares()));
}

std::optional<PlotTable> SharesContent::table(const Range& shown) const
{
    return tableOf(shown, {{tr("share of A"), shares().a}, {tr("share of B"), shares().b}});
}

std::vector<ChangeContent::Change> ChangeContent::changes(const AxisScale& x, double left,
                                                          double width, int count) const
{
    std::vector<Change> all;
    for (const BinSpan& span : columnBins(shares().range, shares().bins(), x,
                                          {.left = left, .width = width, .count = count})) {
        Change change;
        for (std::size_t bin = span.first; bin < span.end; ++bin) {
            change.a += shares().a[bin];
            change.b += shares().b[bin];
            if (const double difference = shares().b[bin] - shares().a[bin];
                std::abs(difference) > std::abs(change.largest))
                change.largest = difference;
        }
        all.push_back(change);
    }
    return all;
}

/// The ratio at the ends of the axis: as far as both have values.
double ChangeContent::ratioLimit(const AxisScale& x) const
{
    const double length = x.pixelOfHigh() - x.pixelOfLow();
    double limit = leastRatioShown;
    for (const Change& change : changes(x, x.pixelOfLow(), length / sampleColumns, sampleColumns))
        if (change.a > 0.0 && change.b > 0.0)
            limit = std::max({limit, change.b / change.a, change.a / change.b});
    return std::min(limit * 1.3, mostRatioShown);
}

std::vector<YAxis> ChangeContent::yAxes(const PlotRoom& room) const
{
    YAxis request;
    if (m_kind == Kind::Ratio) {
        const double limit = ratioLimit(room.x);
        request.title = tr("B over A");
        request.kind = ScaleKind::Log;
        request.values = {1.0 / limit, limit};
        return {request};
    }
    const AxisScale& x = room.x;
    const double length = x.pixelOfHigh() - x.pixelOfLow();
    double most = 0.0;
    for (const Change& change : changes(x, x.pixelOfLow(), length / sampleColumns, sampleColumns))
        most = std::max(most, std::abs(change.largest));
    if (most == 0.0)
        most = mark().leastShare;
    request.title = tr("B − A");
    request.values = {-1.05 * most, 1.05 * most};
    return {request};
}

std::vector<LegendEntry> ChangeContent::legend() const
{
    constexpr auto swatch = LegendEntry::Sign::Swatch;
    std::vector<LegendEntry> entries = {
        {.text = tr("more in B"), .color = mark().colorOfB, .sign = swatch},
        {.text = tr("less in B"), .color = mark().colorOfA, .sign = swatch}};
    if (m_saysBins)
        entries.push_back({.text = binsText(shares()), .color = Qt::transparent});
    return entries;
}

void ChangeContent::paintColumn(QPainter& painter, const PlotFrame& frame, const QRectF& column,
                                const Change& change) const
{
    const AxisScale& y = frame.y.front().scale;
    const double zero = y.toPixel(m_kind == Kind::Ratio ? 1.0 : 0.0);
    const bool isRatio = m_kind == Kind::Ratio;
    const double amount = isRatio ? change.b - change.a : change.largest;
    if (amount == 0.0)
        return;
    double end = amount > 0.0 ? frame.area.top() : frame.area.bottom();
    const bool isEndless = isRatio && (change.a == 0.0 || change.b == 0.0);
    if (!isEndless)
        end = std::clamp(y.toPixel(isRatio ? change.b / change.a : amount), frame.area.top(),
                         frame.area.bottom());
    const double least = 1.0 / deviceRatio(painter);
    const double height = std::max(std::abs(end - zero), least);
    const QRectF rect(column.left(), amount > 0.0 ? zero - height : zero, column.width(), height);
    const QColor& color = amount > 0.0 ? mark().colorOfB : mark().colorOfA;
    if (isEndless)
        fillHatched(painter, rect, color, frame.colors.background);
    else
        painter.fillRect(rect, color);
}

void ChangeContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const double ratio = deviceRatio(painter);
    const double left = snapped(frame.area.left(), ratio);
    const int count = static_cast<int>(std::ceil(frame.area.width() * ratio));
    const std::vector<Change> all = changes(frame.x.scale, left, 1.0 / ratio, count);
    for (std::size_t column = 0; column < all.size();) {
        std::size_t end = column + 1;
        while (end < all.size() && all[end].a == all[column].a && all[end].b == all[column].b &&
               all[end].largest == all[column].largest)
            ++end;
        paintColumn(painter, frame,
                    QRectF(left + static_cast<double>(column) / ratio, 0.0,
                           static_cast<double>(end - column) / ratio, 0.0),
                    all[column]);
        column = end;
    }
    const double zero =
        snapped(frame.y.front().scale.toPixel(m_kind == Kind::Ratio ? 1.0 : 0.0), ratio);
    painter.fillRect(QRectF(frame.area.left(), zero, frame.area.width(), 1.0 / ratio),
                     frame.colors.text);
}

QString ChangeContent::binReadout(std::size_t bin) const
{
    const double a = shares().a[bin];
    const double b = shares().b[bin];
    const bool isResampled = shares().isResampledA || shares().isResampledB;
    const QString sign = isResampled ? QStringLiteral("≈") : QString();
    QString text = tr("   B − A %1%2").arg(sign, percentOf(b - a));
    if (a > 0.0)
        text += tr("   B over A %1%2").arg(sign, valueLabel(b / a));
    return text;
}

QString ChangeContent::sentences() const
{
    double half = 0.0;
    for (std::size_t bin = 0; bin < shares().bins(); ++bin)
        half += std::abs(shares().b[bin] - shares().a[bin]) / 2.0;
    return tr("Difference B − A by bin of %1: %2 of the values lie in other bins; %3.")
        .arg(xTitle(), percentOf(half), binsText(shares()));
}

std::optional<PlotTable> ChangeContent::table(const Range& shown) const
{
    std::vector<double> change;
    for (std::size_t bin = 0; bin < shares().bins(); ++bin)
        change.push_back(shares().b[bin] - shares().a[bin]);
    return tableOf(shown, {{tr("share of B − share of A"), change}});
}

}  // namespace calibscope
