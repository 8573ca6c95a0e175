// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scale_rows_content.h"

#include "ui/plot/decimate.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

constexpr double binsPerBit = 4.0;
constexpr double mostBits = 64.0;  // beyond it bins grow, so that no plot has thousands of them

bool isDrawable(double scale)
{
    return std::isfinite(scale) && scale > 0.0;
}

/// Ends of the axis where nothing can be drawn.
constexpr Range anyScales{0.5, 2.0};

constexpr std::size_t mostChannelDots = 1000;  // in view; beyond it bars are drawn
constexpr double leastTriangle = 3.5;          // radius of a channel far off the axis
constexpr int labelSteps = 16;                 // places along x that are tried for a label

/// "channel 72", "72, 154 and 3 more".
QString namesOf(const std::vector<std::size_t>& channels)
{
    constexpr std::size_t most = 4;
    if (channels.size() == 1)
        return tr("channel %1").arg(channels.front());
    QStringList names;
    for (std::size_t place = 0; place < std::min(most, channels.size()); ++place)
        names += QString::number(channels[place]);
    const QString listed = names.join(QStringLiteral(", "));
    return channels.size() > most ? tr("%1 and %2 more").arg(listed).arg(channels.size() - most)
                                  : listed;
}

double dotRadius(const PlotFrame& frame)
{
    const double spacing = frame.area.width() / frame.x.scale.values().width();
    return std::clamp(spacing * 0.35, 1.5, 4.0);
}

}  // namespace

void SpreadContent::setScales(std::span<const double> scales)
{
    std::vector<double> bits;
    for (const double scale : scales)
        if (std::isfinite(scale) && scale > 0.0)
            bits.push_back(std::log2(scale));
    if (bits.empty())
        return setEmpty(tr("There are no per-channel scales to show."));
    const auto [least, most] = std::ranges::minmax(bits);
    const double step = std::max(1.0, (most - least) / mostBits) / binsPerBit;
    Histogram histogram;
    histogram.spec.domain = Domain::Signed;
    histogram.low = std::floor(least / step) * step;
    const auto bins = static_cast<std::size_t>(std::floor((most - histogram.low) / step)) + 1;
    histogram.high = histogram.low + static_cast<double>(bins) * step;
    histogram.spec.bins = static_cast<int>(bins);
    histogram.counts.assign(bins, 0);
    for (const double value : bits)
        ++histogram.counts[histogram.binOf(value)];
    setHistogram(histogram);
}

XAxis SpreadContent::xAxis() const
{
    XAxis axis = HistogramContent::xAxis();
    axis.title = tr("log₂ of the scale");
    return axis;
}

std::vector<YAxis> SpreadContent::yAxes(const PlotRoom& room) const
{
    std::vector<YAxis> wishes = HistogramContent::yAxes(room);
    wishes.front().title = tr("channels");
    return wishes;
}

ScaleRowsMark inIndexOrder(std::vector<ScaleRowMark> rows, const QString& xTitle)
{
    ScaleRowsMark mark{.rows = std::move(rows), .order = {}, .xTitle = xTitle};
    for (const ScaleRowMark& row : mark.rows)
        mark.order.resize(std::max(mark.order.size(), row.scales.size()));
    std::iota(mark.order.begin(), mark.order.end(), std::size_t{0});
    return mark;
}

void ScaleRowsContent::setRows(ScaleRowsMark mark)
{
    m_mark = std::move(mark);
    m_xTitle = m_mark.xTitle;
    setOrder(m_mark.order);
    m_isEmpty = std::ranges::none_of(m_mark.rows, [](const ScaleRowMark& row) {
        return std::ranges::any_of(row.scales, isDrawable);
    });
    m_bands = bands();
    m_reason = tr("No channel has a scale of its own: all values are zero or not finite.");
}

void ScaleRowsContent::clear()
{
    m_mark = {};
    setOrder({});
    m_isEmpty = true;
}

/// The axis proper holds what is within a factor of 10 000 of the median; a band is 1/12 of it.
ScaleBands ScaleRowsContent::bands() const
{
    constexpr double farFactor = 1e4;
    constexpr double bandShare = 1.0 / 12.0;
    constexpr double inf = std::numeric_limits<double>::infinity();
    const double median = m_mark.median;
    const bool hasMedian = isDrawable(median);
    ScaleBands bands{.inside = {inf, -inf}};
    const auto widen = [&](double scale) {
        if (!isDrawable(scale))
            return;
        if (hasMedian && scale < median / farFactor)
            bands.hasLow = true;
        else if (hasMedian && scale > median * farFactor)
            bands.hasHigh = true;
        else
            bands.inside = {std::min(bands.inside.low, scale), std::max(bands.inside.high, scale)};
    };
    for (const ScaleRowMark& row : m_mark.rows) {
        std::ranges::for_each(row.scales, widen);
        widen(row.tensorScale.value_or(0.0));
    }
    widen(median * m_mark.outlierFactor);
    widen(median / m_mark.outlierFactor);
    if (!(bands.inside.low <= bands.inside.high))
        bands.inside = anyScales;
    const double factor = std::max(std::pow(bands.inside.high / bands.inside.low, 0.05), 1.1);
    bands.inside = {bands.inside.low / factor, bands.inside.high * factor};
    const double half = std::pow(bands.inside.high / bands.inside.low, bandShare / 2.0);
    bands.low = bands.inside.low / half;
    bands.high = bands.inside.high * half;
    return bands;
}

std::size_t ScaleRowsContent::countFar(const ScaleBands& bands) const
{
    if (m_mark.rows.empty())
        return 0;
    return static_cast<std::size_t>(
        std::ranges::count_if(m_mark.rows.front().scales, [&](double scale) {
            return isDrawable(scale) && bands.placeOf(scale) != scale;
        }));
}

std::vector<YAxis> ScaleRowsContent::yAxes(const PlotRoom&) const
{
    const Range& inside = m_bands.inside;
    YAxis request;
    request.values = {m_bands.hasLow ? m_bands.low * m_bands.low / inside.low : inside.low,
                      m_bands.hasHigh ? m_bands.high * m_bands.high / inside.high : inside.high};
    request.kind = ScaleKind::Log;
    request.title = tr("scale");
    request.ticked = inside;
    if (m_bands.hasLow)
        request.edgeTicks.push_back({m_bands.low, QStringLiteral("<"), false});
    if (m_bands.hasHigh)
        request.edgeTicks.push_back({m_bands.high, QStringLiteral(">"), false});
    return {request};
}

std::vector<LegendEntry> ScaleRowsContent::legend() const
{
    std::vector<LegendEntry> entries;
    for (const ScaleRowMark& row : m_mark.rows) {
        entries.push_back({.text = tr("%1 per channel").arg(row.label),
                           .color = row.color,
                           .sign = row.isHollow ? LegendEntry::Sign::Ring : LegendEntry::Sign::Dot,
                           .brief = row.label});
        if (row.tensorScale)
            entries.push_back({.text = tr("for the tensor  %1").arg(valueLabel(*row.tensorScale)),
                               .color = row.color,
                               .style = row.isHollow ? Qt::DotLine : Qt::DashLine,
                               .brief = tr("tensor %1").arg(valueLabel(*row.tensorScale))});
    }
    if (m_bands.hasLow)
        entries.push_back({.text = tr("<  below 10⁻⁴ of the median"), .color = Qt::transparent});
    if (m_bands.hasHigh)
        entries.push_back({.text = tr(">  above 10⁴ times the median"), .color = Qt::transparent});
    std::vector<std::size_t> missing;
    for (std::size_t channel = 0; !m_mark.rows.empty() && channel < m_order.size(); ++channel)
        if (!isDrawable(scaleAt(m_mark.rows.front(), m_placeOf[channel])))
            missing.push_back(channel);
    if (!missing.empty())
        entries.push_back({.text = tr("×  without a scale: %1").arg(namesOf(missing)),
                           .color = Qt::transparent,
                           .brief = tr("×  no scale: %1").arg(namesOf(missing))});
    if (!m_mark.effectivelyDead.empty())
        entries.push_back({.text = tr("effectively dead: %1").arg(namesOf(m_mark.effectivelyDead)),
                           .color = Qt::transparent});
    return entries;
}

double ScaleRowsContent::scaleAt(const ScaleRowMark& row, std::size_t place) const
{
    const std::size_t channel = m_order[place];
    return channel < row.scales.size() ? row.scales[channel]
                                       : std::numeric_limits<double>::quiet_NaN();
}

QString ScaleRowsContent::readout(double x, const PlotFrame&) const
{
    const std::optional<std::size_t> channel = channelAt(x);
    if (!channel)
        return {};
    QString text = tr("channel %1").arg(*channel);
    for (const ScaleRowMark& row : m_mark.rows) {
        const double scale = scaleAt(row, m_placeOf[*channel]);
        text += isDrawable(scale) ? tr("   %1 %2").arg(row.label, valueLabel(scale, 5))
                                  : tr("   %1 has no scale").arg(row.label);
    }
    const double first =
        m_mark.rows.empty() ? 0.0 : scaleAt(m_mark.rows.front(), m_placeOf[*channel]);
    if (m_mark.median > 0.0 && isDrawable(first))
        text += tr("   %1 of the median")
                    .arg(QStringLiteral("×") + valueLabel(first / m_mark.median, 3));
    if (std::ranges::find(m_mark.effectivelyDead, *channel) != m_mark.effectivelyDead.end())
        text += tr("   effectively dead: below one step of the tensor's scale");
    return text;
}

QString ScaleRowsContent::sentences() const
{
    QStringList sentences;
    for (const ScaleRowMark& row : m_mark.rows) {
        std::vector<double> drawn;
        std::ranges::copy_if(row.scales, std::back_inserter(drawn), isDrawable);
        if (drawn.empty())
            continue;
        const auto [least, most] = std::ranges::minmax(drawn);
        sentences += tr("Scales of %1 for %2 channels, from %3 to %4, a spread of %5 bits.")
                         .arg(row.label, countLabel(drawn.size()), valueLabel(least),
                              valueLabel(most), valueLabel(std::log2(most / least), 3));
    }
    if (const std::size_t far = countFar(m_bands); far > 0)
        sentences += countText(far,
                               tr("1 channel is far off: below 10⁻⁴ of the median or above "
                                  "10⁴ times it."),
                               tr("%1 channels are far off: below 10⁻⁴ of the median or above 10⁴ "
                                  "times it."));
    return sentences.join(QLatin1Char(' '));
}

std::optional<PlotTable> ScaleRowsContent::table(const Range& shown) const
{
    const Places places = placesIn(shown);
    std::vector<std::uint64_t> channels;
    for (std::size_t place = places.first; place < places.second; ++place)
        channels.push_back(m_order[place]);
    PlotTable table{.columns = {{tr("channel"), channels}}};
    for (const ScaleRowMark& row : m_mark.rows) {
        std::vector<double> scales;
        for (std::size_t place = places.first; place < places.second; ++place)
            scales.push_back(scaleAt(row, place));
        table.columns.push_back({tr("scale, %1").arg(row.label), scales});
    }
    return table;
}

void ScaleRowsContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const Places places = placesIn(frame.x.scale.values());
    paintMedianBand(painter, frame);
    paintEdges(painter, frame);
    paintTensorScales(painter, frame);
    if (places.second - places.first <= mostChannelDots) {
        paintConnectors(painter, frame, places);
        for (const ScaleRowMark& row : m_mark.rows)
            paintDots(painter, frame, places, row);
        paintMissing(painter, frame, places);
    } else {
        for (const ScaleRowMark& row : m_mark.rows)
            paintBars(painter, frame, places, row);
    }
    paintBandLabels(painter, frame);
    paintChosen(painter, frame);
}

void ScaleRowsContent::paintMedianBand(QPainter& painter, const PlotFrame& frame) const
{
    if (!isDrawable(m_mark.median))
        return;
    const AxisScale& y = frame.y.front().scale;
    const double top = y.toPixel(m_mark.median * m_mark.outlierFactor);
    const double bottom = y.toPixel(m_mark.median / m_mark.outlierFactor);
    painter.fillRect(
        QRectF(frame.area.left(), top, frame.area.width(), bottom - top).intersected(frame.area),
        frame.colors.grid);
    const double middle = std::round(y.toPixel(m_mark.median)) + 0.5;
    painter.setPen(QPen(frame.colors.faintText, 1.0));
    painter.drawLine(QPointF(frame.area.left(), middle), QPointF(frame.area.right(), middle));
}

/// The lines behind which an axis' ends stand for all that is beyond.
void ScaleRowsContent::paintEdges(QPainter& painter, const PlotFrame& frame) const
{
    const AxisScale& y = frame.y.front().scale;
    painter.setPen(QPen(frame.colors.axis, 1.0, Qt::DotLine));
    for (const auto& [isThere, scale] : {std::pair(m_bands.hasLow, m_bands.inside.low),
                                         std::pair(m_bands.hasHigh, m_bands.inside.high)}) {
        const double line = std::round(y.toPixel(scale)) + 0.5;
        if (isThere && line > frame.area.top() && line < frame.area.bottom())
            painter.drawLine(QPointF(frame.area.left(), line), QPointF(frame.area.right(), line));
    }
}

void ScaleRowsContent::paintConnectors(QPainter& painter, const PlotFrame& frame,
                                       const Places& places) const
{
    if (m_mark.rows.size() < 2)
        return;
    const AxisScale& y = frame.y.front().scale;
    painter.setPen(QPen(frame.colors.axis, 1.0));
    for (std::size_t place = places.first; place < places.second; ++place) {
        const double one = scaleAt(m_mark.rows[0], place);
        const double other = scaleAt(m_mark.rows[1], place);
        if (!isDrawable(one) || !isDrawable(other))
            continue;
        const double x = frame.x.scale.toPixel(static_cast<double>(place));
        painter.drawLine(QPointF(x, y.toPixel(m_bands.placeOf(one))),
                         QPointF(x, y.toPixel(m_bands.placeOf(other))));
    }
}

void ScaleRowsContent::paintDots(QPainter& painter, const PlotFrame& frame, const Places& places,
                                 const ScaleRowMark& row) const
{
    const double radius = dotRadius(frame);
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (row.isHollow) {
        painter.setPen(QPen(row.color, 1.3));
        painter.setBrush(Qt::NoBrush);
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(row.color);
    }
    for (std::size_t place = places.first; place < places.second; ++place)
        if (const double scale = scaleAt(row, place); isDrawable(scale)) {
            const double shown = m_bands.placeOf(scale);
            const QPointF centre(frame.x.scale.toPixel(static_cast<double>(place)),
                                 frame.y.front().scale.toPixel(shown));
            drawMarker(painter,
                       shown == scale  ? SeriesMarker::Circle
                       : shown > scale ? SeriesMarker::TriangleDown
                                       : SeriesMarker::TriangleUp,
                       centre, shown == scale ? radius : std::max(radius, leastTriangle));
        }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void ScaleRowsContent::paintBars(QPainter& painter, const PlotFrame& frame, const Places& places,
                                 const ScaleRowMark& row) const
{
    std::vector<double> inView;
    for (std::size_t place = places.first; place < places.second; ++place)
        inView.push_back(m_bands.placeOf(scaleAt(row, place)));
    const double left = frame.x.scale.toPixel(static_cast<double>(places.first) - 0.5);
    const double right = frame.x.scale.toPixel(static_cast<double>(places.second) - 0.5);
    const int columns = std::max(static_cast<int>(std::ceil(right - left)), 1);
    const double width = (right - left) / columns;
    const std::vector<Range> extents = columnExtents(inView, columns);
    constexpr double leastHeight = 3.0;
    constexpr double endHeight = 2.0;
    for (std::size_t column = 0; column < extents.size(); ++column) {
        if (extents[column].high == 0.0)
            continue;
        const double x = left + static_cast<double>(column) * width;
        const double top = frame.y.front().scale.toPixel(extents[column].high) - leastHeight / 2.0;
        const double bottom =
            frame.y.front().scale.toPixel(extents[column].low) + leastHeight / 2.0;
        if (row.isHollow) {  // its ends alone, so that the other row is seen behind it
            painter.fillRect(QRectF(x, top, width, endHeight), row.color);
            painter.fillRect(QRectF(x, bottom - endHeight, width, endHeight), row.color);
        } else {
            painter.fillRect(QRectF(x, top, width, bottom - top), row.color);
        }
    }
}

void ScaleRowsContent::paintMissing(QPainter& painter, const PlotFrame& frame,
                                    const Places& places) const
{
    if (m_mark.rows.empty())
        return;
    constexpr double arm = 3.0;
    const double y = frame.area.bottom() - arm - 2.0;
    painter.setPen(QPen(frame.colors.text, 1.0));
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t place = places.first; place < places.second; ++place) {
        if (isDrawable(scaleAt(m_mark.rows.front(), place)))
            continue;
        const double x = frame.x.scale.toPixel(static_cast<double>(place));
        painter.drawLine(QPointF(x - arm, y - arm), QPointF(x + arm, y + arm));
        painter.drawLine(QPointF(x - arm, y + arm), QPointF(x + arm, y - arm));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void ScaleRowsContent::paintTensorScales(QPainter& painter, const PlotFrame& frame) const
{
    for (const ScaleRowMark& row : m_mark.rows) {
        if (!row.tensorScale || !isDrawable(*row.tensorScale))
            continue;
        const double y =
            std::round(frame.y.front().scale.toPixel(m_bands.placeOf(*row.tensorScale)));
        painter.setPen(
            QPen(row.color, 2.0, row.isHollow ? Qt::DotLine : Qt::DashLine, Qt::FlatCap));
        painter.drawLine(QPointF(frame.area.left(), y), QPointF(frame.area.right(), y));
    }
}

bool ScaleRowsContent::isFree(const QRectF& box, const PlotFrame& frame) const
{
    const AxisScale& x = frame.x.scale;
    const AxisScale& y = frame.y.front().scale;
    const double radius = dotRadius(frame) + 1.0;
    const QRectF around = box.adjusted(-radius, -radius, radius, radius);
    const auto isInside = [&](double scale) {
        const double pixel = y.toPixel(m_bands.placeOf(scale));
        return pixel > around.top() && pixel < around.bottom();
    };
    const Places places = placesIn({x.toValue(around.left()), x.toValue(around.right())});
    for (const ScaleRowMark& row : m_mark.rows)
        for (std::size_t place = places.first; place < places.second; ++place)
            if (const double scale = scaleAt(row, place); isDrawable(scale) && isInside(scale))
                return false;
    return std::ranges::none_of(m_mark.rows, [&](const ScaleRowMark& row) {
        return row.tensorScale && isDrawable(*row.tensorScale) && isInside(*row.tensorScale);
    });
}

/// What the band's lines are, where no dot is; nowhere where dots are everywhere.
void ScaleRowsContent::paintBandLabels(QPainter& painter, const PlotFrame& frame) const
{
    const QFontMetricsF metrics(frame.font);
    const AxisScale& y = frame.y.front().scale;
    const double factor = m_mark.outlierFactor;
    if (!isDrawable(m_mark.median) ||
        y.toPixel(m_mark.median / factor) - y.toPixel(m_mark.median * factor) <
            3.2 * metrics.height())
        return;  // too low for three lines of text
    painter.setFont(frame.font);
    const std::array<std::pair<QString, double>, 3> labels = {
        std::pair(tr("%1 × median").arg(factor), m_mark.median * factor),
        std::pair(tr("median"), m_mark.median),
        std::pair(tr("median ÷ %1").arg(factor), m_mark.median / factor)};
    std::vector<QRectF> taken;
    const auto isApart = [&taken](const QRectF& box) {
        return std::ranges::none_of(taken,
                                    [&box](const QRectF& other) { return other.intersects(box); });
    };
    for (const auto& [text, scale] : labels) {
        const QSizeF size(metrics.horizontalAdvance(text) + 6.0, metrics.height());
        const double line = y.toPixel(scale);
        if (line < frame.area.top() || line > frame.area.bottom())
            continue;
        std::optional<QRectF> box;
        for (int step = 0; step < labelSteps && !box; ++step) {
            const double share = static_cast<double>(step) / (labelSteps - 1);
            const double right =
                frame.area.right() - 2.0 - share * (frame.area.width() - size.width() - 4.0);
            for (const double top : {line - size.height() - 1.0, line + 2.0})
                if (const QRectF tried(QPointF(right - size.width(), top), size);
                    !box && frame.area.contains(tried) && isApart(tried) && isFree(tried, frame))
                    box = tried;
        }
        if (!box)
            continue;
        taken.push_back(*box);
        painter.setPen(frame.colors.text);
        painter.drawText(*box, Qt::AlignCenter, text);
    }
}

void ScaleRowsContent::paintChosen(QPainter& painter, const PlotFrame& frame) const
{
    const double radius = dotRadius(frame) + 3.0;
    for (const ChosenChannel& chosen : m_chosen) {
        if (chosen.channel >= m_placeOf.size())
            continue;
        const double x = frame.x.scale.toPixel(static_cast<double>(m_placeOf[chosen.channel]));
        drawVerticalLine(painter, x, {frame.area.top(), frame.area.bottom()}, chosen.color, 1.0,
                         Qt::SolidLine);
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(chosen.color, 2.0));
        painter.setBrush(Qt::NoBrush);
        for (const ScaleRowMark& row : m_mark.rows)
            if (const double scale = scaleAt(row, m_placeOf[chosen.channel]); isDrawable(scale))
                painter.drawEllipse(
                    QPointF(x, frame.y.front().scale.toPixel(m_bands.placeOf(scale))), radius,
                    radius);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

}  // namespace calibscope
