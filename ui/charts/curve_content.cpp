// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_content.h"

#include "ui/plot/decimate.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/plot/svg_device.h"
#include "ui/theme/translate.h"

#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace calibscope {

namespace {

constexpr double chosenRadius = 4.5;

QPointF pointAt(const Curve& curve, std::size_t point, Domain domain, const PlotFrame& frame,
                const AxisScale& y)
{
    return {frame.x.scale.toPixel(placeOf(curve.threshold[point], domain)),
            y.toPixel(curve.value[point])};
}

void paintLines(QPainter& painter, const std::vector<QPolygonF>& lines, const QPen& pen)
{
    for (const QPolygonF& line : lines)
        if (line.size() > 1) {
            painter.setPen(pen);
            painter.drawPolyline(line);
        } else {
            painter.setPen(QPen(pen.color(), 1.4 * pen.widthF(), Qt::SolidLine, Qt::RoundCap));
            painter.drawPoint(line.front());
        }
}

/// A part of 0 has no place on a logarithmic axis: it is a gap.
std::vector<double> drawable(std::vector<double> values, const AxisScale& y)
{
    if (y.kind() == ScaleKind::Log)
        for (double& value : values)
            if (value <= 0.0)
                value = std::numeric_limits<double>::quiet_NaN();
    return values;
}

/// The steps of an iteration as a path with dots, its start as a square; dots that would cover each
/// other are left out.
void paintSteps(QPainter& painter, const CurveMark& mark, const AxisScale& x, const AxisScale& y)
{
    constexpr double leastDistance = 5.0;
    constexpr double stepRadius = 2.0;
    QPolygonF path;
    for (std::size_t step = 0; step < mark.stepThresholds.size(); ++step)
        if (std::isfinite(mark.stepValues[step]))
            path << QPointF(x.toPixel(mark.stepThresholds[step]), y.toPixel(mark.stepValues[step]));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(mark.color, 1.0));
    painter.drawPolyline(path);
    painter.setPen(QPen(mark.color, 1.5));
    std::optional<QPointF> last;
    for (const QPointF& here : path) {
        if (last && QLineF(*last, here).length() < leastDistance)
            continue;
        painter.setBrush(last ? QBrush(mark.color) : QBrush(Qt::NoBrush));
        if (last)
            painter.drawEllipse(here, stepRadius, stepRadius);
        else
            painter.drawRect(QRectF(here.x() - chosenRadius, here.y() - chosenRadius,
                                    2.0 * chosenRadius, 2.0 * chosenRadius));
        last = here;
    }
}

void paintPlateau(QPainter& painter, const CurveMark& mark, Domain domain, const PlotFrame& frame,
                  double y)
{
    const Range& plateau = mark.curve.plateau;
    if (!(plateau.width() > 0.0))
        return;
    QColor faint = mark.color;
    faint.setAlphaF(0.25F);
    const double one = frame.x.scale.toPixel(placeOf(plateau.low, domain));
    const double other = frame.x.scale.toPixel(placeOf(plateau.high, domain));
    painter.fillRect(
        QRectF(QPointF(std::min(one, other), y - 3.0), QPointF(std::max(one, other), y + 3.0)),
        faint);
}

bool hasFiniteValue(const Curve& curve)
{
    return std::ranges::any_of(curve.value, [](double value) { return std::isfinite(value); });
}

constexpr Range everything{-std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::infinity()};

/// Of an axis without room for the whole name: with the unit as long as that fits.
QStringList shorterNames(const std::string& objective, const std::string& unit)
{
    static const std::map<std::string, QString> names = {
        {"KL divergence", QStringLiteral("KL")},
        {"mean squared error", QStringLiteral("MSE")},
        {"root mean squared error", QStringLiteral("RMSE")}};
    const auto found = names.find(objective);
    if (found == names.end())
        return {tr("error")};
    if (unit.empty())
        return {found->second};
    return {QStringLiteral("%1, %2").arg(found->second, QString::fromStdString(unit)),
            found->second};
}

/// A little room above and below, so that dots stay whole.
Range padded(const Range& values, ScaleKind kind)
{
    constexpr double padding = 0.07;
    if (kind == ScaleKind::Log) {
        const double factor = std::pow(std::max(values.high / values.low, 1.2), padding);
        return {values.low / factor, values.high * factor};
    }
    const Range range = drawableRange(values);
    const double margin = padding * range.width();
    return {values.low >= 0.0 ? std::max(range.low - margin, 0.0) : range.low - margin,
            range.high + margin};
}

}  // namespace

double placeOf(double threshold, Domain domain)
{
    return domain == Domain::Magnitude ? std::abs(threshold) : threshold;
}

std::vector<CurveBranch> branchesOf(const Curve& curve, Domain domain)
{
    CurveBranch low{.isLow = true};
    CurveBranch high;
    for (std::size_t point = 0; point < curve.threshold.size(); ++point) {
        CurveBranch& branch = curve.threshold[point] < 0.0 ? low : high;
        branch.place.push_back(placeOf(curve.threshold[point], domain));
        branch.point.push_back(point);
    }
    if (domain == Domain::Magnitude) {
        std::ranges::reverse(low.place);
        std::ranges::reverse(low.point);
    }
    std::vector<CurveBranch> branches;
    for (CurveBranch* branch : {&low, &high})
        if (!branch->point.empty())
            branches.push_back(std::move(*branch));
    return branches;
}

std::vector<double> branchValues(const CurveBranch& branch, const std::vector<double>& values)
{
    std::vector<double> own;
    for (const std::size_t point : branch.point)
        own.push_back(values[point]);
    return own;
}

std::size_t nearestPoint(const Curve& curve, Domain domain, double x)
{
    std::size_t nearest = 0;
    double least = std::abs(placeOf(curve.threshold.at(0), domain) - x);
    for (std::size_t point = 1; point < curve.threshold.size(); ++point) {
        const double distance = std::abs(placeOf(curve.threshold[point], domain) - x);
        if (distance < least) {
            least = distance;
            nearest = point;
        }
    }
    return nearest;
}

Qt::PenStyle partPen(std::size_t part)
{
    return part % 2 == 0 ? Qt::DashDotLine : Qt::DotLine;
}

bool canBeDrawn(const Curve& curve, std::size_t point)
{
    return point < curve.value.size() && std::isfinite(curve.value[point]);
}

void paintCurve(QPainter& painter, const CurveMark& mark, Domain domain, const PlotFrame& frame,
                const AxisScale& y)
{
    const double width = mark.emphasised ? 2.0 : 1.4;
    const AxisScale& x = frame.x.scale;
    for (const CurveBranch& branch : branchesOf(mark.curve, domain)) {
        const bool isFolded = branch.isLow && domain == Domain::Magnitude;
        // Round joins would be an arc for each pixel of the line.
        const Qt::PenStyle lowEnd = mark.style == lowEndPen ? Qt::DotLine : lowEndPen;
        const QPen pen(mark.color, width, isFolded ? lowEnd : mark.style, Qt::FlatCap,
                       Qt::BevelJoin);
        paintLines(painter, curveLines(branch.place, branchValues(branch, mark.curve.value), x, y),
                   pen);
        if (!mark.showsParts)
            continue;
        for (std::size_t part = 0; part < mark.curve.parts.size(); ++part)
            paintLines(painter,
                       curveLines(branch.place,
                                  drawable(branchValues(branch, mark.curve.parts[part].value), y),
                                  x, y),
                       QPen(mark.color, 1.2, partPen(part)));
    }
    if (!mark.stepThresholds.empty())
        paintSteps(painter, mark, x, y);
}

void paintCurveChoice(QPainter& painter, const CurveMark& mark, Domain domain,
                      const PlotFrame& frame, const AxisScale& y)
{
    const Curve& curve = mark.curve;
    if (!canBeDrawn(curve, curve.chosen))
        return;
    std::vector<QPointF> chosen = {pointAt(curve, curve.chosen, domain, frame, y)};
    if (curve.chosenLow && canBeDrawn(curve, *curve.chosenLow))
        chosen.push_back(pointAt(curve, *curve.chosenLow, domain, frame, y));
    paintPlateau(painter, mark, domain, frame, chosen.front().y());
    for (const QPointF& dot : chosen)
        drawVerticalLine(painter, dot.x(), {frame.area.top(), dot.y()}, mark.color, 1.0,
                         Qt::DotLine);
    painter.setPen(QPen(mark.color, 1.5));
    painter.setBrush(frame.colors.background);
    for (const std::size_t tie : curve.ties)
        if (canBeDrawn(curve, tie))
            painter.drawEllipse(pointAt(curve, tie, domain, frame, y), chosenRadius - 1.0,
                                chosenRadius - 1.0);
    if (curve.runnerUp && canBeDrawn(curve, *curve.runnerUp))
        drawMarker(painter, mark.marker, pointAt(curve, *curve.runnerUp, domain, frame, y),
                   chosenRadius);
    painter.setPen(QPen(frame.colors.background, 1.5));
    painter.setBrush(mark.color);
    for (const QPointF& dot : chosen)
        drawMarker(painter, mark.marker, dot, chosenRadius);
}

PlotTable curveTable(std::span<const CurveMark> curves, const Range& shown)
{
    std::map<double, std::vector<double>> rows;
    const std::vector<double> blank(curves.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t curve = 0; curve < curves.size(); ++curve) {
        const Curve& points = curves[curve].curve;
        for (std::size_t point = 0; point < points.value.size(); ++point)
            if (shown.contains(points.threshold[point]))
                rows.try_emplace(points.threshold[point], blank).first->second[curve] =
                    points.value[point];
    }
    std::vector<double> thresholds;
    std::vector<std::vector<double>> columns(curves.size());
    for (const auto& [threshold, values] : rows) {
        thresholds.push_back(threshold);
        for (std::size_t curve = 0; curve < curves.size(); ++curve)
            columns[curve].push_back(values[curve]);
    }
    PlotTable table{{{tr("threshold"), std::move(thresholds)}}};
    for (std::size_t curve = 0; curve < curves.size(); ++curve)
        table.columns.push_back({curves[curve].label + QStringLiteral(": ") +
                                     QString::fromStdString(curves[curve].curve.objective),
                                 std::move(columns[curve])});
    return table;
}

void CurveContent::setCurves(std::vector<CurveMark> curves)
{
    m_curves = std::move(curves);
    const bool hadCurves = !m_curves.empty();
    std::erase_if(m_curves, [](const CurveMark& mark) { return !hasFiniteValue(mark.curve); });
    m_objectives.clear();
    for (const CurveMark& mark : m_curves)
        if (std::ranges::find(m_objectives, mark.curve.objective) == m_objectives.end())
            m_objectives.push_back(mark.curve.objective);
    m_reason = hadCurves ? tr("No trial threshold has a finite value.")
                         : tr("None of the calibrators shown searches along a curve.");
}

void CurveContent::clear()
{
    m_curves.clear();
    m_objectives.clear();
}

/// From its first to its last threshold, as they stand on the axis.
Range CurveContent::placesOf(const Curve& curve) const
{
    Range places{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const CurveBranch& branch : branchesOf(curve, m_domain))
        places = unitedRange(places, {branch.place.front(), branch.place.back()});
    return places;
}

/// Extremes of the finite values at thresholds in view; low > high where there is none.
Range CurveContent::valuesInView(const Curve& curve, const Range& shown) const
{
    Range values{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t point = 0; point < curve.value.size(); ++point)
        if (std::isfinite(curve.value[point]) &&
            shown.contains(placeOf(curve.threshold[point], m_domain)))
            values = unitedRange(values, {curve.value[point], curve.value[point]});
    return values;
}

XAxis CurveContent::xAxis() const
{
    if (m_curves.empty())
        return {.all = {0.0, 1.0}, .title = tr("threshold")};
    Range range{0.0, 0.0};
    double least = std::numeric_limits<double>::infinity();
    for (const CurveMark& mark : m_curves) {
        range = unitedRange(range, placesOf(mark.curve));
        for (const double threshold : mark.curve.threshold)
            if (threshold > 0.0)
                least = std::min(least, threshold);
    }
    constexpr double padding = 0.015;  // a dot at the last threshold stays whole
    const Range whole = drawableRange(range);
    const double margin = padding * whole.width();
    return {.all = {whole.low < 0.0 ? whole.low - margin : whole.low, whole.high + margin},
            .title = tr("threshold"),
            .log = std::isfinite(least) ? std::optional(LogX{least, least}) : std::nullopt,
            .linearOnly = tr("No threshold is above 0.")};
}

std::size_t CurveContent::axisOf(const CurveMark& mark) const
{
    const auto found = std::ranges::find(m_objectives, mark.curve.objective);
    return static_cast<std::size_t>(found - m_objectives.begin());
}

YAxis CurveContent::axisWish(const std::string& objective, const Range& shown) const
{
    constexpr double leastLogRatio = 20.0;
    Range all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    Range inView = all;
    YAxis request;
    int curves = 0;
    for (const CurveMark& mark : m_curves) {
        if (mark.curve.objective != objective)
            continue;
        all = unitedRange(all, valuesInView(mark.curve, everything));
        inView = unitedRange(inView, valuesInView(mark.curve, shown));
        request.title = QString::fromStdString(objective);
        request.shorterTitles = shorterNames(objective, mark.curve.unit);
        if (!mark.curve.unit.empty())
            request.title += QStringLiteral(", ") + QString::fromStdString(mark.curve.unit);
        request.color = ++curves == 1 && m_objectives.size() > 1 ? mark.color : QColor();
    }
    // Whatever is in view: the kind of axis must not change while zooming.
    request.kind =
        all.low > 0.0 && all.high > leastLogRatio * all.low ? ScaleKind::Log : ScaleKind::Linear;
    request.values = padded(inView.low <= inView.high ? inView : all, request.kind);
    return request;
}

std::vector<YAxis> CurveContent::yAxes(const PlotRoom& room) const
{
    std::vector<YAxis> wishes;
    for (const std::string& objective : m_objectives)
        wishes.push_back(axisWish(objective, room.x.values()));
    return wishes;
}

QString CurveContent::labelOf(const CurveMark& mark) const
{
    QString text = mark.label;
    if (m_objectives.size() > 1)
        text += QStringLiteral(": ") + QString::fromStdString(mark.curve.objective);
    if (axisOf(mark) > 1)
        text += tr(" (own scale)");
    const Curve& curve = mark.curve;
    if (!canBeDrawn(curve, curve.chosen))
        return text;
    const QString high = valueLabel(curve.threshold[curve.chosen]);
    const QString place =
        curve.chosenLow ? tr("%1 … %2").arg(valueLabel(curve.threshold[*curve.chosenLow]), high)
                        : high;
    return text + (mark.stepThresholds.empty() ? tr("  min %1 @ %2") : tr("  ends with %1 @ %2"))
                      .arg(valueLabel(curve.value[curve.chosen], 3), place);
}

std::vector<LegendEntry> CurveContent::legend() const
{
    std::vector<LegendEntry> entries;
    for (const CurveMark& mark : m_curves) {
        entries.push_back({.text = labelOf(mark),
                           .color = mark.color,
                           .style = mark.style,
                           .marker = mark.marker});
        if (!mark.showsParts)
            continue;
        for (std::size_t part = 0; part < mark.curve.parts.size(); ++part)
            entries.push_back(
                {QString::fromStdString(mark.curve.parts[part].name), mark.color, partPen(part)});
    }
    const auto ring = [&](const QString& text) {
        entries.push_back(
            {.text = text, .color = {}, .sign = LegendEntry::Sign::Ring, .usesTextColor = true});
    };
    if (std::ranges::any_of(m_curves, [](const CurveMark& mark) {
            return mark.curve.runnerUp && canBeDrawn(mark.curve, *mark.curve.runnerUp);
        }))
        ring(tr("hollow: next best"));
    if (std::ranges::any_of(m_curves, [](const CurveMark& mark) {
            return std::ranges::any_of(
                mark.curve.ties, [&](std::size_t tie) { return canBeDrawn(mark.curve, tie); });
        }))
        ring(tr("ring: as low"));
    return entries;
}

QString CurveContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    QStringList lines;
    for (const CurveMark& mark : m_curves) {
        const Curve& curve = mark.curve;
        const auto tell = [&](const QString& text, std::size_t at) {
            const QPointF spot = canBeDrawn(curve, at) ? pointAt(curve, at, m_domain, frame,
                                                                 frame.y[axisOf(mark)].scale)
                                                       : QPointF();
            if (!spot.isNull() && QLineF(spot, point).length() <= 2.0 * chosenRadius)
                lines += text.arg(mark.label, valueLabel(curve.value[at], 3),
                                  valueLabel(curve.threshold[at]));
        };
        tell(tr("%1: chosen, %2 at %3"), curve.chosen);
        for (const std::size_t tie : curve.ties)
            tell(tr("%1: as good as the chosen one, %2 at %3"), tie);
        if (curve.runnerUp)
            tell(tr("%1: next best, %2 at %3"), *curve.runnerUp);
    }
    return lines.join(u'\n');
}

void CurveContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const auto paintPart : {&paintCurve, &paintCurveChoice})
        for (const CurveMark& mark : m_curves) {
            const SeriesScope series(painter, labelOf(mark));
            paintPart(painter, mark, m_domain, frame, frame.y[axisOf(mark)].scale);
        }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString CurveContent::readout(double x, const PlotFrame&) const
{
    QStringList parts;
    for (const CurveMark& mark : m_curves) {
        const std::size_t point = nearestPoint(mark.curve, m_domain, x);
        parts += tr("%1: %2 at %3")
                     .arg(mark.label, valueLabel(mark.curve.value[point]),
                          valueLabel(mark.curve.threshold[point], 5));
    }
    return parts.join(QStringLiteral("   "));
}

QString CurveContent::sentences() const
{
    QStringList parts;
    for (const CurveMark& mark : m_curves) {
        QString part = countText(mark.curve.threshold.size(), tr("%1 of %2 at 1 threshold"),
                                 tr("%2 of %3 at %1 thresholds"))
                           .arg(QString::fromStdString(mark.curve.objective), mark.label);
        if (canBeDrawn(mark.curve, mark.curve.chosen))
            part += tr(", chosen %1 with %2")
                        .arg(valueLabel(mark.curve.threshold[mark.curve.chosen]),
                             valueLabel(mark.curve.value[mark.curve.chosen]));
        if (mark.curve.runnerUp && canBeDrawn(mark.curve, *mark.curve.runnerUp))
            part += tr(", next best %1 with %2")
                        .arg(valueLabel(mark.curve.threshold[*mark.curve.runnerUp]),
                             valueLabel(mark.curve.value[*mark.curve.runnerUp]));
        if (mark.stepThresholds.size() > 1)
            part += tr(", in %1 steps from %2")
                        .arg(countLabel(mark.stepThresholds.size() - 1),
                             valueLabel(mark.stepThresholds.front()));
        parts += part + u'.';
    }
    return parts.join(u' ');
}

}  // namespace calibscope
