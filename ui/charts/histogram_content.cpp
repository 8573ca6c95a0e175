// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/histogram_content.h"

#include "ui/charts/histogram_painter.h"
#include "ui/charts/threshold_layer.h"
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

std::optional<BinFacts::Nearest> nearestTo(double x, Domain domain,
                                           std::span<const ThresholdMark> thresholds)
{
    std::optional<BinFacts::Nearest> nearest;
    for (const ThresholdMark& mark : thresholds)
        for (const double place : markPlaces(mark, domain))
            if (!nearest || std::abs(place - x) < std::abs(nearest->place - x))
                nearest =
                    BinFacts::Nearest{.label = mark.label,
                                      .place = place,
                                      .steps = mark.step > 0.0 ? (place - x) / mark.step : 0.0,
                                      .hasSteps = mark.step > 0.0};
    return nearest;
}

CumulativeAxis cumulativeAxis(CountAxis axis)
{
    return axis == CountAxis::Log ? CumulativeAxis::Above : CumulativeAxis::UpTo;
}

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

std::optional<BinFacts> binFacts(const Histogram& histogram,
                                 std::span<const std::uint64_t> countBefore, double x,
                                 std::span<const ThresholdMark> thresholds)
{
    if (histogram.counts.empty() || !(histogram.low < histogram.high) ||
        !histogram.range().contains(x))
        return std::nullopt;
    const double place = std::floor((x - histogram.low) / histogram.width());
    const auto bin = std::min(static_cast<std::size_t>(place), histogram.counts.size() - 1);
    return BinFacts{.bin = {histogram.edge(bin), histogram.edge(bin + 1)},
                    .count = histogram.counts[bin],
                    .left = countBefore[bin],
                    .right = countBefore.back() - countBefore[bin + 1],
                    .total = countBefore.back(),
                    .nearest = nearestTo(x, histogram.spec.domain, thresholds)};
}

QString shareText(std::uint64_t part, std::uint64_t whole)
{
    const double percent =
        whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
    int digits = percent > 99.0 ? 5 : 3;  // 99.978, not 100
    while (digits < 12 && part < whole && valueLabel(percent, digits) == QStringLiteral("100"))
        ++digits;
    return valueLabel(percent, digits) + QStringLiteral(" %");
}

QStringList factLines(const BinFacts& facts, const QString& xTitle)
{
    const auto line = [](const QString& name, const QString& value) {
        return name + u'\t' + value;
    };
    QStringList lines{line(xTitle, tr("%1 to %2")
                                       .arg(fineLabel(facts.bin.low, facts.bin.width(), 5),
                                            fineLabel(facts.bin.high, facts.bin.width(), 5))),
                      line(tr("count"), tr("%1 (%2)").arg(countLabel(facts.count),
                                                          shareText(facts.count, facts.total))),
                      line(tr("left"), shareText(facts.left, facts.total)),
                      line(tr("right"), shareText(facts.right, facts.total))};
    if (facts.nearest) {
        const BinFacts::Nearest& nearest = *facts.nearest;
        QString text = tr("%1 %2").arg(nearest.label, valueLabel(nearest.place));
        if (nearest.hasSteps)
            text += nearest.steps < 0.0
                        ? tr(", %1 LSB to the left").arg(valueLabel(-nearest.steps, 3))
                        : tr(", %1 LSB to the right").arg(valueLabel(nearest.steps, 3));
        lines += line(tr("nearest"), text);
    }
    return lines;
}

void HistogramContent::setHistogram(const Histogram& histogram)
{
    m_histogram = histogram;
    m_isReasonGiven = false;
    m_countBefore.assign(1, 0);
    for (const std::uint64_t count : histogram.counts)
        m_countBefore.push_back(m_countBefore.back() + count);
}

void HistogramContent::clear()
{
    m_histogram = {};
    m_countBefore.assign(1, 0);
    m_isReasonGiven = true;
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
    if (m_isReasonGiven)
        return m_reason;
    if (total == 0)
        return tr("There is no finite value to show.");
    if (m_histogram.low == 0.0)
        return countText(total, tr("The only value is zero."), tr("All %1 values are zero."));
    return domain() == Domain::Magnitude
               ? countText(total, tr("The only value has the magnitude %1."),
                           tr("All %1 values have the magnitude %2."))
                     .arg(valueLabel(m_histogram.low, 6))
               : countText(total, tr("The only value is %1."), tr("All %1 values are %2."))
                     .arg(valueLabel(m_histogram.low, 6));
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
    const bool startsAtZero = domain() == Domain::Magnitude;
    return {startsAtZero ? std::min(m_histogram.low, low) : low, high};
}

XAxis HistogramContent::xAxis() const
{
    constexpr double mostWidening = 0.25;  // as a share of the data, for thresholds outside
    constexpr double padding = 0.015;
    const bool startsAtZero = domain() == Domain::Magnitude;
    Range range = drawableRange(filledRange());
    // Symmetric clip ranges over skewed data need the other side of 0 too.
    const double farthest =
        (1.0 + mostWidening) * std::max(std::abs(range.low), std::abs(range.high));
    const Range allowed =
        unitedRange({-farthest, farthest}, {range.low - mostWidening * range.width(),
                                            range.high + mostWidening * range.width()});
    for (const ThresholdMark& mark : m_thresholds)
        for (const double place : markPlaces(mark, domain()))
            if (allowed.contains(place))
                range = unitedRange(range, {place, place});
    // A peak of exact zeros must stand free of the axis.
    const double left = startsAtZero ? padding / 3.0 : padding;
    return {.all = {range.low - left * range.width(), range.high + padding * range.width()},
            .title = valueTitle(domain()),
            .log = logBins(),
            .linearOnly = negativeText()};
}

std::optional<LogX> HistogramContent::logBins() const
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
        most = std::max(most, m_histogram.counts.front());  // at 0
    return static_cast<double>(most);
}

YAxis HistogramContent::columnsAxis(const AxisScale& x) const
{
    constexpr int samples = 64;  // enough to see wide bins that are partly in view
    const double length = x.pixelOfHigh() - x.pixelOfLow();
    const PixelColumns columns{.left = x.pixelOfLow(), .width = length / samples, .count = samples};
    double most = mostInView(x);
    if (m_quantized)
        most = std::max(most, largestIn(m_histogram.range(), m_quantized->counts, x, columns));
    YAxis request;
    request.title = m_quantity == Quantity::Density ? tr("density") : tr("count");
    request.shorterTitles = {m_quantity == Quantity::Density ? tr("dens.") : tr("n")};
    request.numbers = m_quantity == Quantity::Density ? TickNumbers::Values : TickNumbers::Counts;
    request.standsOnLow = true;
    scaleToCounts(request, most, m_countAxis == CountAxis::Log, unit());
    return request;
}

std::vector<YAxis> HistogramContent::yAxes(const PlotRoom& room) const
{
    YAxis request =
        m_quantity == Quantity::Cumulative
            ? cumulativeAxisWish(m_countBefore.back(), cumulativeAxis(m_countAxis), xTitle())
            : columnsAxis(room.x);
    request.freePixels = 4.0;
    return {request};
}

std::vector<LegendEntry> HistogramContent::legend() const
{
    std::vector<LegendEntry> entries;
    for (const OutlineMark& mark : m_outlines)
        entries.push_back({mark.label, mark.color, mark.style});
    for (const ThresholdMark& mark : m_thresholds)
        if (!markPlaces(mark, domain()).empty())
            entries.push_back({markText(mark, domain()), mark.color, mark.style});
    if (m_quantized)
        entries.push_back({tr("quantized by %1, ≈").arg(m_quantized->label), m_quantized->color});
    return entries;
}

bool HistogramContent::isKeptByEmphasised(double value) const
{
    const auto mark = std::ranges::find_if(m_thresholds, &ThresholdMark::emphasised);
    return mark == m_thresholds.end() || isKept(*mark, domain(), value);
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
        paintLevels(painter, frame, m_quantized->quantizer, domain(), m_quantized->color);
    paintMarkLines(painter, placedMarks(frame), frame);
}

std::vector<PlotHandle> HistogramContent::handles() const
{
    if (!m_areMovable)
        return {};
    return thresholdHandles(m_thresholds, m_histogram);
}

std::optional<BinFacts> HistogramContent::factsAt(double x) const
{
    return isEmpty() ? std::nullopt : binFacts(m_histogram, m_countBefore, x, m_thresholds);
}

QString HistogramContent::factsText(double x) const
{
    const auto facts = factsAt(x);
    return facts ? factLines(*facts, xTitle()).join(u'\n') : QString();
}

QString HistogramContent::readout(double x, const PlotFrame&) const
{
    const auto facts = factsAt(x);
    if (!facts)
        return xTitle() + u' ' + valueLabel(x) + tr("   no value here");
    if (m_quantity == Quantity::Cumulative)
        return percentileText(m_histogram, m_countBefore, x, xTitle());
    return tr("%1 from %2 to %3   count %4 (%5)   left %6   right %7")
        .arg(xTitle(), fineLabel(facts->bin.low, facts->bin.width(), 5),
             fineLabel(facts->bin.high, facts->bin.width(), 5), countLabel(facts->count),
             shareText(facts->count, facts->total), shareText(facts->left, facts->total),
             shareText(facts->right, facts->total));
}

QString HistogramContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    QStringList lines{factsText(frame.x.scale.toValue(point.x()))};
    if (m_rug)
        lines.prepend(rugText(*m_rug, point, frame));
    lines.removeAll(QString());
    return lines.join(u'\n').replace(u'\t', QStringLiteral("  "));
}

QString HistogramContent::sentences() const
{
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

std::optional<PlotTable> HistogramContent::table(const Range& shown) const
{
    std::vector<double> upTo = cumulativeShares(m_countBefore, CumulativeAxis::UpTo);
    if (!upTo.empty())
        upTo.erase(upTo.begin());  // what lies before the first bin
    upTo.resize(m_histogram.counts.size());
    return binTable([this](std::size_t bin) { return m_histogram.edge(bin); }, shown,
                    {{tr("count"), m_histogram.counts}, {tr("CDF"), upTo}});
}

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
    scaleToCounts(request, most, m_countAxis == CountAxis::Log);
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
