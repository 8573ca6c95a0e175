// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/learning_content.h"

#include "ui/plot/axis_scale.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace calibscope {

namespace {

constexpr double closeTo = 0.01;       // of the final threshold: how close is called converged
constexpr std::size_t mostDots = 80;   // beyond it points are joined only
constexpr double bandStrength = 0.22;  // of the curve's colour over the ground

QString bandText(const LearningPoint& point)
{
    if (!point.low)
        return {};
    return point.high ? tr(" (%1 … %2)").arg(valueLabel(*point.low), valueLabel(*point.high))
                      : tr(" (%1 or more)").arg(valueLabel(*point.low));
}

}  // namespace

void LearningContent::setCurves(std::vector<LearningMark> curves, const QString& unit)
{
    m_curves = std::move(curves);
    std::erase_if(m_curves, [](const LearningMark& curve) { return curve.points.empty(); });
    m_unit = unit;
    m_reason = tr("No candidate that is drawn has a learning curve.");
}

const LearningMark& LearningContent::inFocus() const
{
    const auto found = std::ranges::find(m_curves, true, &LearningMark::emphasised);
    return found == m_curves.end() ? m_curves.front() : *found;
}

QString LearningContent::numberTitle() const
{
    const auto widths = std::ranges::count(m_curves, true, &LearningMark::isWidth);
    return widths == 0                      ? tr("threshold")
           : widths == std::ssize(m_curves) ? tr("width of the range")
                                            : tr("threshold, or width of an affine range");
}

XAxis LearningContent::xAxis() const
{
    std::uint64_t most = 1;
    for (const LearningMark& curve : m_curves)
        most = std::max(most, curve.points.back().units);
    const double margin = 0.02 * static_cast<double>(most);
    return {.all = {1.0 - margin - 0.1, static_cast<double>(most) + margin + 0.1},
            .title = m_unit,
            .numbers = TickNumbers::Ordinals,
            .linearOnly = tr("Batches are counted; their axis is linear.")};
}

std::vector<YAxis> LearningContent::yAxes(const PlotRoom&) const
{
    constexpr double inf = std::numeric_limits<double>::infinity();
    Range range{inf, -inf};
    const auto widen = [&range](double value) {
        if (std::isfinite(value))
            range = {std::min(range.low, value), std::max(range.high, value)};
    };
    for (const LearningMark& curve : m_curves) {
        std::ranges::for_each(curve.points, widen, &LearningPoint::threshold);
        if (&curve != &inFocus())
            continue;
        const double last = curve.points.back().threshold;
        widen(last * (1.0 - 2.0 * closeTo));
        widen(last * (1.0 + 2.0 * closeTo));
        for (const LearningPoint& point : curve.points) {
            widen(point.low.value_or(last));
            widen(point.high.value_or(last));
        }
    }
    if (!(range.low <= range.high))
        range = {0.0, 1.0};
    range = drawableRange(range);
    const double margin = 0.06 * range.width();
    const bool hasWidths = std::ranges::any_of(m_curves, &LearningMark::isWidth);
    return {{.values = {range.low - margin, range.high + margin},
             .title = numberTitle(),
             .shorterTitles =
                 hasWidths ? QStringList{tr("threshold, width"), tr("width")} : QStringList()}};
}

std::vector<LegendEntry> LearningContent::legend() const
{
    std::vector<LegendEntry> entries;
    for (const LearningMark& curve : m_curves)
        entries.push_back({.text = curve.label, .color = curve.color, .style = curve.style});
    const bool hasBand = std::ranges::any_of(
        inFocus().points, [](const LearningPoint& point) { return point.low.has_value(); });
    if (hasBand)
        entries.push_back(
            {.text = tr("95 % band"), .color = inFocus().color, .sign = LegendEntry::Sign::Swatch});
    return entries;
}

void LearningContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const LearningMark& focus = inFocus();
    paintSampleBand(painter, frame, focus);
    paintClose(painter, frame, focus);
    for (const LearningMark& curve : m_curves)
        if (&curve != &focus)
            paintCurve(painter, frame, curve);
    paintCurve(painter, frame, focus);
}

/// Up to the upper edge where it is open above.
void LearningContent::paintSampleBand(QPainter& painter, const PlotFrame& frame,
                                      const LearningMark& curve) const
{
    const AxisScale& x = frame.x.scale;
    const AxisScale& y = frame.y.front().scale;
    QPolygonF upper;
    QPolygonF lower;
    for (const LearningPoint& point : curve.points) {
        if (!point.low)
            continue;
        const double at = x.toPixel(static_cast<double>(point.units));
        upper << QPointF(at, point.high ? y.toPixel(*point.high) : frame.area.top());
        lower << QPointF(at, y.toPixel(*point.low));
    }
    if (upper.isEmpty())
        return;
    const QColor fill = blended(frame.colors.background, curve.color, bandStrength);
    if (upper.size() == 1) {
        constexpr double halfWidth = 4.0;
        return painter.fillRect(QRectF(upper.front() - QPointF(halfWidth, 0.0),
                                       lower.front() + QPointF(halfWidth, 0.0)),
                                fill);
    }
    std::ranges::reverse(lower);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(upper + lower);
}

namespace {

QPolygonF lineOf(const LearningMark& curve, const PlotFrame& frame)
{
    QPolygonF line;
    for (const LearningPoint& point : curve.points)
        if (std::isfinite(point.threshold))
            line << QPointF(frame.x.scale.toPixel(static_cast<double>(point.units)),
                            frame.y.front().scale.toPixel(point.threshold));
    return line;
}

void paintNote(QPainter& painter, const PlotFrame& frame, const QRectF& box, const QString& text)
{
    painter.fillRect(box, frame.colors.background);
    painter.setFont(frame.font);
    painter.setPen(frame.colors.faintText);
    painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace

void LearningContent::paintClose(QPainter& painter, const PlotFrame& frame,
                                 const LearningMark& curve) const
{
    const AxisScale& y = frame.y.front().scale;
    const double last = curve.points.back().threshold;
    painter.setPen(QPen(frame.colors.faintText, 1.0, Qt::DotLine));
    for (const double end : {last * (1.0 - closeTo), last * (1.0 + closeTo)}) {
        const double at = std::round(y.toPixel(end)) + 0.5;
        painter.drawLine(QPointF(frame.area.left(), at), QPointF(frame.area.right(), at));
    }
    if (!curve.converged)
        return;
    const double x = frame.x.scale.toPixel(static_cast<double>(*curve.converged));
    drawVerticalLine(painter, x, {frame.area.top(), frame.area.bottom()}, frame.colors.faintText,
                     1.0, Qt::DashLine);
    const QFontMetricsF metrics(frame.font);
    const QString text = tr("within 1 % of the last from %1 on").arg(countLabel(*curve.converged));
    const double width = metrics.horizontalAdvance(text);
    const auto isCrossed = [&](const QRectF& box) {
        return std::ranges::any_of(m_curves, [&](const LearningMark& other) {
            const QPolygonF line = lineOf(other, frame);
            for (qsizetype point = 1; point < line.size(); ++point)
                if (box.intersects(QRectF(line[point - 1], line[point])
                                       .normalized()
                                       .adjusted(-1.0, -1.0, 1.0, 1.0)))
                    return true;
            return false;
        });
    };
    // Next to the line, as low as no curve is hidden.
    QRectF box(0.0, frame.area.bottom() - metrics.height() - 4.0, width, metrics.height());
    for (; box.top() >= frame.area.top(); box.translate(0.0, -metrics.height())) {
        for (const double left : {x + 6.0, x - 6.0 - width}) {
            box.moveLeft(left);
            if (frame.area.contains(box) && !isCrossed(box))
                return paintNote(painter, frame, box, text);
        }
    }
}

void LearningContent::paintCurve(QPainter& painter, const PlotFrame& frame,
                                 const LearningMark& curve) const
{
    const QPolygonF line = lineOf(curve, frame);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(curve.color, curve.emphasised ? 2.0 : 1.3, curve.style));
    painter.drawPolyline(line);
    if (std::size_t(line.size()) <= mostDots) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(curve.color);
        const double radius = curve.emphasised ? 3.0 : 2.0;
        for (const QPointF& point : line)
            painter.drawEllipse(point, radius, radius);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString LearningContent::readout(double x, const PlotFrame&) const
{
    QStringList facts;
    for (const LearningMark& curve : m_curves) {
        const auto nearest =
            std::ranges::min_element(curve.points, {}, [x](const LearningPoint& point) {
                return std::abs(static_cast<double>(point.units) - x);
            });
        if (facts.isEmpty())
            facts += tr("%1 %2").arg(countLabel(nearest->units), m_unit);
        facts += (curve.isWidth ? tr("%1 width %2%3") : tr("%1 %2%3"))
                     .arg(curve.label, valueLabel(nearest->threshold), bandText(*nearest));
    }
    return facts.join(QStringLiteral("   "));
}

QString LearningContent::sentences() const
{
    QStringList sentences;
    for (const LearningMark& curve : m_curves)
        sentences += curve.converged
                         ? tr("%1 stays within 1 % from %2 of %3 %4 on.")
                               .arg(curve.label, countLabel(*curve.converged),
                                    countLabel(curve.points.back().units), m_unit)
                         : tr("%1 still changes by more than 1 % at the end of %2 %3.")
                               .arg(curve.label, countLabel(curve.points.back().units), m_unit);
    return sentences.join(u' ');
}

std::optional<PlotTable> LearningContent::table(const Range& shown) const
{
    std::map<std::uint64_t, std::size_t> rowOf;
    for (const LearningMark& curve : m_curves)
        for (const LearningPoint& point : curve.points)
            if (shown.contains(static_cast<double>(point.units)))
                rowOf.emplace(point.units, 0);
    std::vector<std::uint64_t> units;
    for (auto& [unit, row] : rowOf) {
        row = units.size();
        units.push_back(unit);
    }
    PlotTable table{.columns = {{m_unit, units}}};
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (const LearningMark& curve : m_curves) {
        std::vector<double> thresholds(units.size(), none);
        std::vector<double> lows(units.size(), none);
        std::vector<double> highs(units.size(), none);
        for (const LearningPoint& point : curve.points) {
            const auto row = rowOf.find(point.units);
            if (row == rowOf.end())
                continue;
            thresholds[row->second] = point.threshold;
            lows[row->second] = point.low.value_or(none);
            highs[row->second] = point.high.value_or(none);
        }
        table.columns.push_back(
            {(curve.isWidth ? tr("width, %1") : tr("threshold, %1")).arg(curve.label), thresholds});
        table.columns.push_back({tr("band from, %1").arg(curve.label), lows});
        table.columns.push_back({tr("band to, %1").arg(curve.label), highs});
    }
    return table;
}

}  // namespace calibscope
