#include "ui/charts/histogram_content.h"

#include "ui/charts/column_bins.h"
#include "ui/charts/cumulative_layer.h"
#include "ui/charts/histogram_columns.h"
#include "ui/charts/threshold_handles.h"
#include "ui/charts/threshold_layer.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double zeroCountFloor = 0.5;  // where log counts of 0 are drawn

CumulativeAxis cumulativeAxis(CountAxis axis)
{
    return axis == CountAxis::Log ? CumulativeAxis::Above : CumulativeAxis::UpTo;
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

void HistogramContent::setQuantized(std::optional<QuantizedMark> quantized)
{
    m_quantized = std::move(quantized);
}

void HistogramContent::setOutlines(std::vector<OutlineMark> outlines)
{
    m_outlines = std::move(outlines);
    std::erase_if(m_outlines, [](const OutlineMark& mark) {
        return mark.histogram.counts.empty() || !(mark.histogram.low < mark.histogram.high);
    });
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
    if (filled.low > 0.0)
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

double HistogramContent::unit() const
{
    if (m_quantity != Quantity::Density)
        return 1.0;
    return 1.0 / (static_cast<double>(m_countBefore.back()) * m_histogram.width());
}

double HistogramContent::mostInView(const AxisScale& x) const
{
    std::uint64_t most = greatestCount(m_histogram, x.values());
    for (const OutlineMark& mark : m_outlines)
        most = std::max(most, greatestCount(mark.histogram, x.values()));
    if (x.kind() == ScaleKind::Log && m_histogram.low <= 0.0 && x.values().low <= x.floor())
        most = std::max(most, m_histogram.counts.front());  // in the place of 0
    return static_cast<double>(most);
}

AxisWish HistogramContent::columnsAxis(const AxisScale& x) const
{
    constexpr int samples = 64;  // enough to see wide bins that are partly in view
    const double length = x.pixelOfHigh() - x.pixelOfLow();
    const PixelColumns columns{.left = x.pixelOfLow(), .width = length / samples, .count = samples};
    double most = mostInView(x);
    if (m_quantized)
        most = std::max(most, largestIn(m_histogram.range(), m_quantized->counts, x, columns));
    AxisWish request;
    request.title =
        m_quantity == Quantity::Density ? tr("share per unit of %1").arg(xTitle()) : tr("count");
    request.numbers = m_quantity == Quantity::Density ? TickNumbers::Values : TickNumbers::Counts;
    request.standsOnLow = true;
    if (m_countAxis == CountAxis::Log) {
        request.kind = ScaleKind::Log;
        request.values = {zeroCountFloor * unit(), std::max(most, 2.0) * unit()};
        request.zeroAt = request.values.low;
    } else {
        request.values = {0.0, std::max(most, 1.0) * unit()};
    }
    return request;
}

std::vector<AxisWish> HistogramContent::yAxes(const AxisScale& x, const QSizeF& size,
                                              const QFontMetricsF& metrics) const
{
    // Room for labels as the whole range needs it, so that zooming doesn't move the columns.
    const QRectF area(QPointF(), size);
    const bool isLog = x.kind() == ScaleKind::Log && logX();
    const Range all = isLog ? Range{logX()->floor, fullRange().high} : fullRange();
    const AxisScale whole(x.kind(), all, area.left(), area.right());
    const auto marks =
        placeMarks(m_thresholds, m_histogram.spec.domain, whole, area, fullRange(), metrics);
    AxisWish request =
        m_quantity == Quantity::Cumulative
            ? cumulativeAxisWish(m_countBefore.back(), cumulativeAxis(m_countAxis), xTitle())
            : columnsAxis(x);
    request.freePixels = labelHeight(marks, area) + 4.0;
    return {request};
}

std::vector<LegendEntry> HistogramContent::legend() const
{
    std::vector<LegendEntry> entries;
    for (const OutlineMark& mark : m_outlines)
        entries.push_back({mark.label, mark.color, mark.style});
    for (const ThresholdMark& mark : m_thresholds)
        if (!markPlaces(mark, m_histogram.spec.domain).empty())
            entries.push_back({markText(mark, m_histogram.spec.domain), mark.color, mark.style});
    if (m_quantized)
        entries.push_back({tr("quantized by %1, ≈").arg(m_quantized->label), m_quantized->color});
    return entries;
}

bool HistogramContent::isKeptByEmphasised(double value) const
{
    const auto mark = std::ranges::find_if(m_thresholds, &ThresholdMark::emphasised);
    return mark == m_thresholds.end() || isKept(*mark, m_histogram.spec.domain, value);
}

void HistogramContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const ColumnsLook look{.unit = unit(), .colorOf = [&](double x) {
                               return !m_isPreliminary && isKeptByEmphasised(x)
                                          ? frame.colors.fill
                                          : frame.colors.clipped;
                           }};
    if (m_quantity == Quantity::Cumulative) {
        paintCumulative(painter, frame, m_histogram,
                        cumulativeShares(m_countBefore, cumulativeAxis(m_countAxis)));
    } else {
        paintColumns(painter, frame, m_histogram, look);
        paintSpikes(painter, frame, m_histogram, m_countBefore.back(), look);
        HistogramPainter outlines(painter, frame, unit());
        for (const OutlineMark& mark : m_outlines)
            outlines.outline(mark);
        if (m_quantized)
            paintOutline(painter, frame, m_histogram.range(), m_quantized->counts, unit(),
                         m_quantized->color);
    }
    if (m_rug)
        paintRug(painter, frame, *m_rug);
    if (m_quantized)
        paintLevels(painter, frame, m_quantized->quantizer, m_histogram.spec.domain,
                    m_quantized->color);
    const auto marks = placeMarks(m_thresholds, m_histogram.spec.domain, frame.x.scale, frame.area,
                                  fullRange(), QFontMetricsF(frame.font));
    paintMarks(painter, marks, frame);
}

std::vector<PlotHandle> HistogramContent::handles() const
{
    if (!m_areMovable)
        return {};
    return thresholdHandles(m_thresholds, m_histogram);
}

}  // namespace calibscope
