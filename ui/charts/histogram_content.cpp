#include "ui/charts/histogram_content.h"

#include "ui/charts/decimate.h"
#include "ui/charts/number_label.h"
#include "ui/charts/plot_painter.h"
#include "ui/charts/threshold_layer.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double zeroCountFloor = 0.5;  // where log counts of 0 are drawn

QString tr(const char* text)
{
    return QCoreApplication::translate("HistogramContent", text);
}

QString percentLabel(std::uint64_t part, std::uint64_t whole)
{
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    const int digits = percent > 99.0 ? 5 : 3;  // 99.978, not 100
    return valueLabel(percent, digits) + QStringLiteral(" %");
}

}  // namespace

void HistogramContent::setHistogram(const Histogram& histogram)
{
    m_histogram = histogram;
    m_reason.reset();
    m_countBefore.assign(1, 0);
    for (const std::uint64_t count : histogram.counts)
        m_countBefore.push_back(m_countBefore.back() + count);
}

void HistogramContent::setEmpty(const QString& reason)
{
    m_histogram = {};
    m_countBefore.assign(1, 0);
    m_reason = reason;
}

void HistogramContent::setThresholds(std::vector<ThresholdMark> thresholds)
{
    m_thresholds = std::move(thresholds);
}

bool HistogramContent::isEmpty() const
{
    return m_countBefore.back() == 0 || !(m_histogram.low < m_histogram.high);
}

QString HistogramContent::emptyText() const
{
    const std::uint64_t total = m_countBefore.back();
    if (m_reason)
        return *m_reason;
    if (total == 0)
        return tr("There is no finite value to show.");
    if (m_histogram.low == 0.0)
        return tr("All %1 values are zero.").arg(countLabel(total));
    return m_histogram.spec.domain == Domain::Magnitude
               ? tr("All %1 values have the magnitude %2.")
                     .arg(countLabel(total), valueLabel(m_histogram.low, 6))
               : tr("All %1 values are %2.").arg(countLabel(total), valueLabel(m_histogram.low, 6));
}

Range HistogramContent::filledRange() const
{
    const auto isFilled = [](std::uint64_t count) { return count > 0; };
    const auto& counts = m_histogram.counts;
    const auto first = std::ranges::find_if(counts, isFilled);
    if (first == counts.end())
        return m_histogram.range();
    const auto last = std::find_if(counts.rbegin(), counts.rend(), isFilled).base();
    const double low = m_histogram.edge(static_cast<std::size_t>(first - counts.begin()));
    const double high = m_histogram.edge(static_cast<std::size_t>(last - counts.begin()));
    const bool startsAtZero = m_histogram.spec.domain == Domain::Magnitude;
    return {startsAtZero ? std::min(m_histogram.low, low) : low, high};
}

Range HistogramContent::fullRange() const
{
    constexpr double mostWidening = 0.25;  // as a share of the data, for thresholds outside
    constexpr double padding = 0.015;
    const bool startsAtZero = m_histogram.spec.domain == Domain::Magnitude;
    Range range = drawableRange(filledRange());
    // Symmetric clip ranges over skewed data need the other side of 0 too.
    const double farthest =
        (1.0 + mostWidening) * std::max(std::abs(range.low), std::abs(range.high));
    const Range allowed =
        unitedRange({-farthest, farthest}, {range.low - mostWidening * range.width(),
                                            range.high + mostWidening * range.width()});
    for (const ThresholdMark& mark : m_thresholds)
        for (const double place : markPlaces(mark, m_histogram.spec.domain))
            if (allowed.contains(place))
                range = unitedRange(range, {place, place});
    // A peak of exact zeros must stand free of the axis.
    const double left = startsAtZero ? padding / 3.0 : padding;
    return {range.low - left * range.width(), range.high + padding * range.width()};
}

std::optional<LogX> HistogramContent::logX() const
{
    const Range filled = filledRange();
    if (isEmpty() || filled.low < 0.0 || filled.high <= 0.0)
        return std::nullopt;
    if (filled.low > 0.0 && m_histogram.low > 0.0)
        return LogX{filled.low, filled.low};
    // The bin at 0 reaches as far to the left as one likes; it gets a place of its own.
    constexpr double zeroShare = 0.06;  // of the axis
    const auto& counts = m_histogram.counts;
    const auto first = std::find_if(counts.begin() + 1, counts.end(),
                                    [](std::uint64_t count) { return count > 0; });
    const auto bin = static_cast<std::size_t>(first - counts.begin());
    const double least = m_histogram.edge(bin < counts.size() ? bin : 1);
    const double decades = std::max(std::log10(filled.high / least), 1.0);
    return LogX{least / std::pow(10.0, zeroShare * decades), least};
}

QString HistogramContent::linearOnlyText() const
{
    return tr("Negative values have no logarithm: show magnitudes for a logarithmic axis.");
}

QString HistogramContent::xTitle() const
{
    return m_histogram.spec.domain == Domain::Magnitude ? QStringLiteral("|x|")
                                                        : QStringLiteral("x");
}

std::vector<AxisWish> HistogramContent::yAxes(const AxisScale& x, const QSizeF& size,
                                              const QFontMetricsF& metrics) const
{
    constexpr int samples = 64;  // enough to see wide bins that are partly in view
    const double length = x.pixelOfHigh() - x.pixelOfLow();
    const auto maxima = columnMaxima(
        m_histogram, x, {.left = x.pixelOfLow(), .width = length / samples, .count = samples});
    const double most = static_cast<double>(std::ranges::max(maxima));
    // Room for labels as the whole range needs it, so that zooming doesn't move the columns.
    const QRectF area(QPointF(), size);
    const bool isLog = x.kind() == ScaleKind::Log && logX();
    const Range all = isLog ? Range{logX()->floor, fullRange().high} : fullRange();
    const AxisScale whole(x.kind(), all, area.left(), area.right());
    const auto marks =
        placeMarks(m_thresholds, m_histogram.spec.domain, whole, area, fullRange(), metrics);
    AxisWish wish;
    wish.title = tr("count");
    wish.numbers = TickNumbers::Counts;
    wish.standsOnLow = true;
    wish.freePixels = labelHeight(marks, area) + 4.0;
    if (m_countAxis == CountAxis::Log) {
        wish.kind = ScaleKind::Log;
        wish.values = {zeroCountFloor, std::max(most, 2.0)};
        wish.zeroAt = zeroCountFloor;
    } else {
        wish.values = {0.0, std::max(most, 1.0)};
    }
    return {wish};
}

std::vector<LegendEntry> HistogramContent::legend() const
{
    std::vector<LegendEntry> entries;
    for (const ThresholdMark& mark : m_thresholds)
        if (!markPlaces(mark, m_histogram.spec.domain).empty())
            entries.push_back({markText(mark, m_histogram.spec.domain), mark.color, mark.style});
    return entries;
}

bool HistogramContent::isKeptByEmphasised(double value) const
{
    const auto mark = std::ranges::find_if(m_thresholds, &ThresholdMark::emphasised);
    return mark == m_thresholds.end() || isKept(*mark, m_histogram.spec.domain, value);
}

void HistogramContent::paintColumns(QPainter& painter, const PlotFrame& frame) const
{
    const double ratio = deviceRatio(painter);
    const AxisScale& y = frame.y.front().scale;
    const double left = snapped(frame.area.left(), ratio);
    const int columns = static_cast<int>(std::ceil(frame.area.width() * ratio));
    const AxisScale& x = frame.x.scale;
    const PixelColumns pixels{.left = left, .width = 1.0 / ratio, .count = columns};
    const auto maxima = columnMaxima(m_histogram, x, pixels);

    const auto colorOf = [&](std::size_t column) {
        return isKeptByEmphasised(x.toValue(pixels.centre(column))) ? frame.colors.fill
                                                                    : frame.colors.clipped;
    };
    std::size_t column = 0;
    while (column < maxima.size()) {
        std::size_t end = column + 1;
        const QColor color = colorOf(column);
        while (end < maxima.size() && maxima[end] == maxima[column] && colorOf(end) == color)
            ++end;
        const double top = std::min(snapped(y.toPixel(static_cast<double>(maxima[column])), ratio),
                                    frame.area.bottom() - 1.0 / ratio);
        if (maxima[column] > 0)
            painter.fillRect(QRectF(left + static_cast<double>(column) / ratio, top,
                                    static_cast<double>(end - column) / ratio,
                                    frame.area.bottom() - top),
                             color);
        column = end;
    }
}

void HistogramContent::paintSpikes(QPainter& painter, const PlotFrame& frame) const
{
    constexpr std::uint64_t share = 10;
    constexpr double leastWidth = 4.0;
    const double ratio = deviceRatio(painter);
    for (std::size_t bin = 0; bin < m_histogram.counts.size(); ++bin) {
        const std::uint64_t count = m_histogram.counts[bin];
        if (count < m_countBefore.back() / share || count == 0)
            continue;
        const double centre = frame.x.scale.toPixel(m_histogram.centre(bin));
        const double width = frame.x.scale.toPixel(m_histogram.edge(bin + 1)) -
                             frame.x.scale.toPixel(m_histogram.edge(bin));
        if (width >= leastWidth)
            continue;
        const double left = snapped(centre - leastWidth / 2.0, ratio);
        const double top =
            snapped(frame.y.front().scale.toPixel(static_cast<double>(count)), ratio);
        painter.fillRect(QRectF(left, top, leastWidth, frame.area.bottom() - top),
                         isKeptByEmphasised(m_histogram.centre(bin)) ? frame.colors.fill
                                                                     : frame.colors.clipped);
    }
}

void HistogramContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    paintColumns(painter, frame);
    paintSpikes(painter, frame);
    const auto marks = placeMarks(m_thresholds, m_histogram.spec.domain, frame.x.scale, frame.area,
                                  fullRange(), QFontMetricsF(frame.font));
    paintMarks(painter, marks, frame);
}

QString HistogramContent::readout(double x, const PlotFrame&) const
{
    const std::uint64_t total = m_countBefore.back();
    if (!m_histogram.range().contains(x))
        return xTitle() + u' ' + valueLabel(x) + tr("   no value here");
    const double place = std::floor((x - m_histogram.low) / m_histogram.width());
    const auto bin = std::min(static_cast<std::size_t>(place), m_histogram.counts.size() - 1);
    const std::uint64_t count = m_histogram.counts[bin];
    return tr("%1 from %2 to %3   count %4 (%5)   left %6   right %7")
        .arg(xTitle(), valueLabel(m_histogram.edge(bin), 5),
             valueLabel(m_histogram.edge(bin + 1), 5), countLabel(count),
             percentLabel(count, total), percentLabel(m_countBefore[bin], total),
             percentLabel(total - m_countBefore[bin + 1], total));
}

QString HistogramContent::summary() const
{
    if (isEmpty())
        return emptyText();
    const auto highest = std::ranges::max_element(m_histogram.counts);
    const auto bin = static_cast<std::size_t>(highest - m_histogram.counts.begin());
    QString text =
        tr("Histogram of %1: %2 values in %3 bins from %4 to %5, the fullest bin (%6) at %7.")
            .arg(xTitle(), countLabel(m_countBefore.back()), countLabel(m_histogram.counts.size()),
                 valueLabel(m_histogram.low), valueLabel(m_histogram.high), countLabel(*highest),
                 valueLabel(m_histogram.centre(bin)));
    QStringList marks;
    for (const LegendEntry& entry : legend())
        marks += entry.text.simplified();
    if (!marks.isEmpty())
        text += tr(" Thresholds: %1.").arg(marks.join(QStringLiteral(", ")));
    return text;
}

}  // namespace calibscope
