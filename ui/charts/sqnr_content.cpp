// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/sqnr_content.h"

#include "ui/plot/decimate.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope {

namespace {

constexpr double sqnrDotRadius = 4.5;

QString dotText(const SqnrDot& dot)
{
    QString position = valueLabel(dot.place);
    if (dot.otherEnd)
        position = *dot.otherEnd < 0.0 ? tr("%1 … %2").arg(valueLabel(*dot.otherEnd), position)
                                       : tr("%1 … %2").arg(position, valueLabel(*dot.otherEnd));
    QString text = tr("%1 at %2: %3%4 dB")
                       .arg(dot.label, position, dot.isEstimate ? QStringLiteral("≈") : QString(),
                            fixedLabel(dot.sqnrDb, 2));
    if (dot.isPerChannel)
        text += tr(", a scale for each channel");
    return text;
}

}  // namespace

void SqnrContent::setMark(SqnrMark mark)
{
    m_mark = std::move(mark);
    std::erase_if(m_mark.dots, [](const SqnrDot& dot) {
        return !std::isfinite(dot.sqnrDb) || !std::isfinite(dot.place);
    });
    // The open one covers others.
    std::stable_partition(m_mark.dots.begin(), m_mark.dots.end(),
                          [](const SqnrDot& dot) { return !dot.emphasised; });
    m_reason = tr("No value differs from 0: there is nothing to lose.");
}

bool SqnrContent::hasSide(bool isNegative) const
{
    if (m_mark.domain == Domain::Magnitude)
        return !isNegative;
    if (m_mark.isAffine)
        return isNegative == (-m_mark.dataEnds.low > m_mark.dataEnds.high);
    return isNegative ? m_mark.dataEnds.low < 0.0 : m_mark.dataEnds.high > 0.0;
}

std::vector<SqnrContent::Point> SqnrContent::points() const
{
    std::vector<Point> points;
    const ThresholdRatio& line = m_mark.line;
    if (hasSide(true))
        for (std::size_t point = line.threshold.size(); point-- > 0;)
            points.push_back({-line.threshold[point], line.sqnrDb[point]});
    if (hasSide(false))
        for (std::size_t point = 0; point < line.threshold.size(); ++point)
            points.push_back({line.threshold[point], line.sqnrDb[point]});
    return points;
}

std::optional<SqnrContent::Point> SqnrContent::highest() const
{
    std::optional<Point> most;
    for (std::size_t point = 0; point < m_mark.line.threshold.size(); ++point)
        if (!most || m_mark.line.sqnrDb[point] > most->sqnrDb)
            most = Point{m_mark.line.threshold[point], m_mark.line.sqnrDb[point]};
    return most;
}

std::optional<double> SqnrContent::lineAt(double x) const
{
    const ThresholdRatio& line = m_mark.line;
    const double threshold = std::abs(x);
    if (line.threshold.empty() || threshold < line.threshold.front() ||
        threshold > line.threshold.back() || (m_mark.isAffine && !hasSide(x < 0.0)))
        return std::nullopt;
    const auto next = std::ranges::lower_bound(line.threshold, threshold);
    const auto place = static_cast<std::size_t>(next - line.threshold.begin());
    if (place == 0 || *next == threshold)
        return line.sqnrDb[place];
    const double share = (threshold - line.threshold[place - 1]) /
                         (line.threshold[place] - line.threshold[place - 1]);
    return line.sqnrDb[place - 1] + share * (line.sqnrDb[place] - line.sqnrDb[place - 1]);
}

XAxis SqnrContent::xAxis() const
{
    if (isEmpty() || m_mark.domain == Domain::Signed)
        return {.all = drawableRange(m_mark.dataEnds),
                .title = tr("threshold, x"),
                .linearOnly = negativeText()};
    const Range thresholds{m_mark.line.threshold.front(), m_mark.line.threshold.back()};
    return {.all = {0.0, thresholds.high},
            .title = tr("threshold, |x|"),
            .log = LogX{thresholds.low, thresholds.low}};
}

std::vector<YAxis> SqnrContent::yAxes(const PlotRoom& room) const
{
    const AxisScale& x = room.x;
    constexpr double padding = 0.08;
    constexpr double inf = std::numeric_limits<double>::infinity();
    Range seen{inf, -inf};
    const auto widen = [&](double place, double sqnrDb) {
        if (std::isfinite(sqnrDb) && x.values().contains(place))
            seen = {std::min(seen.low, sqnrDb), std::max(seen.high, sqnrDb)};
    };
    for (const Point& point : points())
        widen(point.x, point.sqnrDb);
    for (const double end : {x.values().low, x.values().high})
        if (const std::optional<double> there = lineAt(end))
            widen(end, *there);
    YAxis request;
    request.title = tr("SQNR, dB");
    request.shorterTitles = {tr("dB")};
    // The folded legend lies over the corner where the best are.
    if (room.size.height() < 5.0 * room.metrics.height())
        request.freePixels = room.metrics.height();
    request.endsAtHigh = true;
    if (seen.low <= seen.high) {
        // Far below its best the line is of no interest; a calibrator that is there is shown.
        constexpr double mostShown = 24.0;
        seen.low = std::max(seen.low, seen.high - mostShown);
        for (const SqnrDot& dot : m_mark.dots)
            widen(dot.place, dot.sqnrDb);
        seen = drawableRange(seen);
        request.values = {seen.low - padding * seen.width(), seen.high + padding * seen.width()};
    } else {
        request.values = {0.0, 1.0};
    }
    return {request};
}

std::vector<LegendEntry> SqnrContent::legend() const
{
    std::vector<LegendEntry> entries;
    LegendEntry line{.text = tr("≈ %1").arg(m_mark.scheme), .color = {}, .usesTextColor = true};
    if (const std::optional<Point> most = highest(); most && std::isfinite(most->sqnrDb)) {
        line.brief = tr("≈ max %1 dB").arg(fixedLabel(most->sqnrDb, 1));
        line.text +=
            tr(": max %1 dB at %2").arg(fixedLabel(most->sqnrDb, 1), valueLabel(most->x, 3));
    }
    entries.push_back(line);
    for (const SqnrDot& dot : m_mark.dots) {
        const QString result = tr("%1%2 dB").arg(dot.isEstimate ? QStringLiteral("≈") : QString(),
                                                 fixedLabel(dot.sqnrDb, 1));
        if (dot.emphasised)
            entries.push_back({.text = tr("%1: %2").arg(dot.label, result),
                               .color = dot.color,
                               .marker = dot.marker,
                               .brief = result});
    }
    const auto ring = [&](bool isThere, const QString& text, const QString& brief) {
        if (isThere)
            entries.push_back({.text = text,
                               .color = {},
                               .sign = LegendEntry::Sign::Ring,
                               .usesTextColor = true,
                               .brief = brief});
    };
    ring(std::ranges::any_of(m_mark.dots,
                             [](const SqnrDot& dot) { return dot.otherEnd.has_value(); }),
         tr("small: the other end of an affine range"), tr("small: other end"));
    ring(std::ranges::any_of(m_mark.dots, &SqnrDot::isPerChannel),
         tr("hollow: a scale for each channel"), tr("hollow: per channel"));
    return entries;
}

void SqnrContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const AxisScale& x = frame.x.scale;
    const AxisScale& y = frame.y.front().scale;
    std::vector<double> places;
    std::vector<double> values;
    for (const Point& point : points()) {
        places.push_back(point.x);
        values.push_back(point.sqnrDb);
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(frame.colors.text, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::BevelJoin));
    for (const QPolygonF& line : curveLines(places, values, x, y))
        painter.drawPolyline(line);
    for (const SqnrDot& dot : m_mark.dots) {
        if (dot.otherEnd && x.values().contains(*dot.otherEnd)) {
            painter.setPen(QPen(dot.color, 1.2));
            painter.setBrush(Qt::NoBrush);
            drawMarker(painter, dot.marker,
                       QPointF(x.toPixel(*dot.otherEnd), y.toPixel(dot.sqnrDb)),
                       sqnrDotRadius - 1.0);
        }
        if (!x.values().contains(dot.place))
            continue;
        const QPointF centre(x.toPixel(dot.place), y.toPixel(dot.sqnrDb));
        const double radius = dot.emphasised ? sqnrDotRadius + 1.5 : sqnrDotRadius;
        painter.setPen(QPen(frame.colors.background, 1.0));
        painter.setBrush(dot.isPerChannel ? frame.colors.background : dot.color);
        drawMarker(painter, dot.marker, centre, radius + (dot.isPerChannel ? 1.0 : 0.0));
        if (!dot.isPerChannel)
            continue;
        painter.setPen(QPen(dot.color, 1.6));
        painter.setBrush(Qt::NoBrush);
        drawMarker(painter, dot.marker, centre, radius - 0.8);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString SqnrContent::readout(double x, const PlotFrame&) const
{
    const std::optional<double> there = lineAt(x);
    if (m_mark.isAffine && !hasSide(x < 0.0))
        return x < 0.0 ? tr("the line moves the high end and holds the low one")
                       : tr("the line moves the low end and holds the high one");
    return there ? tr("threshold %1   SQNR ≈%2 dB (%3)")
                       .arg(valueLabel(std::abs(x), 5), fixedLabel(*there, 2), m_mark.scheme)
                 : tr("threshold %1   beyond all values").arg(valueLabel(std::abs(x), 5));
}

QString SqnrContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    constexpr double reach = 9.0;
    QStringList lines;
    for (const SqnrDot& dot : m_mark.dots) {
        const auto isNear = [&](double x) {
            const QPointF centre(frame.x.scale.toPixel(x),
                                 frame.y.front().scale.toPixel(dot.sqnrDb));
            return QLineF(centre, point).length() <= reach;
        };
        if (isNear(dot.place) || (dot.otherEnd && isNear(*dot.otherEnd)))
            lines += dotText(dot);
    }
    return lines.join(u'\n');
}

QString SqnrContent::sentences() const
{
    QStringList sentences;
    if (const std::optional<Point> most = highest())
        sentences += tr("SQNR against the threshold (%1), estimated: highest %2 dB at %3.")
                         .arg(m_mark.scheme, fixedLabel(most->sqnrDb, 2), valueLabel(most->x));
    QStringList dots;
    for (const SqnrDot& dot : m_mark.dots)
        dots += dotText(dot);
    if (!dots.isEmpty())
        sentences += dots.join(QStringLiteral("; ")) + u'.';
    return sentences.join(u' ');
}

std::optional<PlotTable> SqnrContent::table(const Range& shown) const
{
    PlotTable table{
        .columns = {{tr("threshold")}, {tr("SQNR in dB, estimated (%1)").arg(m_mark.scheme)}}};
    for (const Point& point : points())
        if (shown.contains(point.x))
            table.addRow(point.x, point.sqnrDb);
    return table;
}

}  // namespace calibscope
