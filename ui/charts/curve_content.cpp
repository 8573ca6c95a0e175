#include "ui/charts/curve_content.h"

#include "ui/charts/decimate.h"
#include "ui/charts/number_label.h"
#include "ui/charts/plot_painter.h"

#include <QCoreApplication>
#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace calibscope {

namespace {

constexpr double dotRadius = 4.5;

QString tr(const char* text)
{
    return QCoreApplication::translate("CurveContent", text);
}

bool hasFiniteValue(const Curve& curve)
{
    return std::ranges::any_of(curve.value, [](double value) { return std::isfinite(value); });
}

/// Extremes of the finite values at thresholds in view; low > high where there is none.
Range valuesInView(const Curve& curve, const Range& shown)
{
    Range values{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (std::size_t point = 0; point < curve.value.size(); ++point)
        if (std::isfinite(curve.value[point]) && shown.contains(curve.threshold[point]))
            values = unitedRange(values, {curve.value[point], curve.value[point]});
    return values;
}

constexpr Range everything{-std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::infinity()};

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

QPointF pointAt(const Curve& curve, std::size_t point, const AxisScale& x, const AxisScale& y)
{
    return {x.toPixel(curve.threshold[point]), y.toPixel(curve.value[point])};
}

bool canBeDrawn(const Curve& curve, std::size_t point)
{
    return point < curve.value.size() && std::isfinite(curve.value[point]);
}

void paintLine(QPainter& painter, const CurveMark& mark, const AxisScale& x, const AxisScale& y)
{
    const double width = mark.emphasised ? 2.0 : 1.4;
    const QPen pen(mark.color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter.setPen(pen);
    for (const QPolygonF& line : curveLines(mark.curve.threshold, mark.curve.value, x, y)) {
        if (line.size() > 1) {
            painter.drawPolyline(line);
        } else {
            painter.setPen(QPen(mark.color, 1.4 * width, Qt::SolidLine, Qt::RoundCap));
            painter.drawPoint(line.front());
            painter.setPen(pen);
        }
    }
}

/// The steps of an iteration as dots, its start as a square; steps that would cover each other are
/// left out.
void paintSteps(QPainter& painter, const CurveMark& mark, const AxisScale& x, const AxisScale& y)
{
    constexpr double leastDistance = 5.0;
    constexpr double stepRadius = 2.0;
    std::optional<QPointF> last;
    painter.setPen(QPen(mark.color, 1.5));
    for (std::size_t step = 0; step < mark.stepThresholds.size(); ++step) {
        if (!std::isfinite(mark.stepValues[step]))
            continue;
        const QPointF here(x.toPixel(mark.stepThresholds[step]), y.toPixel(mark.stepValues[step]));
        if (last && QLineF(*last, here).length() < leastDistance)
            continue;
        painter.setBrush(last ? QBrush(mark.color) : QBrush(Qt::NoBrush));
        if (last)
            painter.drawEllipse(here, stepRadius, stepRadius);
        else
            painter.drawRect(QRectF(here.x() - dotRadius, here.y() - dotRadius, 2.0 * dotRadius,
                                    2.0 * dotRadius));
        last = here;
    }
}

/// Plateau, ties and chosen point of a curve.
void paintChoice(QPainter& painter, const CurveMark& mark, const PlotFrame& frame,
                 const AxisScale& y)
{
    const Curve& curve = mark.curve;
    if (!canBeDrawn(curve, curve.chosen))
        return;
    const AxisScale& x = frame.x.scale;
    const QPointF chosen = pointAt(curve, curve.chosen, x, y);
    if (curve.plateau.width() > 0.0) {
        QColor faint = mark.color;
        faint.setAlphaF(0.25F);
        painter.fillRect(QRectF(QPointF(x.toPixel(curve.plateau.low), chosen.y() - 3.0),
                                QPointF(x.toPixel(curve.plateau.high), chosen.y() + 3.0)),
                         faint);
    }
    drawVerticalLine(painter, chosen.x(), {frame.area.top(), chosen.y()}, mark.color, 1.0,
                     Qt::DotLine);
    painter.setPen(QPen(mark.color, 1.5));
    painter.setBrush(frame.colors.background);
    for (const std::size_t tie : curve.ties)
        if (canBeDrawn(curve, tie))
            painter.drawEllipse(pointAt(curve, tie, x, y), dotRadius - 1.0, dotRadius - 1.0);
    painter.setPen(QPen(frame.colors.background, 1.5));
    painter.setBrush(mark.color);
    painter.drawEllipse(chosen, dotRadius, dotRadius);
}

}  // namespace

void CurveContent::setCurves(std::vector<CurveMark> curves)
{
    m_curves = std::move(curves);
    const bool hadCurves = !m_curves.empty();
    std::erase_if(m_curves, [](const CurveMark& mark) { return !hasFiniteValue(mark.curve); });
    m_objectives.clear();
    for (const CurveMark& mark : m_curves)
        if (std::ranges::find(m_objectives, mark.curve.objective) == m_objectives.end())
            m_objectives.push_back(mark.curve.objective);
    m_reason = hadCurves ? tr("No candidate threshold has a finite value.")
                         : tr("None of the calibrators shown searches along a curve.");
}

void CurveContent::setEmpty(const QString& reason)
{
    m_curves.clear();
    m_objectives.clear();
    m_reason = reason;
}

Range CurveContent::fullRange() const
{
    if (m_curves.empty())
        return {0.0, 1.0};
    Range range{m_curves.front().curve.threshold.front(), m_curves.front().curve.threshold.back()};
    for (const CurveMark& mark : m_curves)
        range = unitedRange(range, {mark.curve.threshold.front(), mark.curve.threshold.back()});
    constexpr double padding = 0.015;  // a dot at the last threshold stays whole
    const Range whole = drawableRange({std::min(range.low, 0.0), range.high});
    return {whole.low, whole.high + padding * whole.width()};
}

QString CurveContent::xTitle() const
{
    return tr("threshold");
}

std::optional<LogX> CurveContent::logX() const
{
    double least = std::numeric_limits<double>::infinity();
    for (const CurveMark& mark : m_curves)
        for (const double threshold : mark.curve.threshold)
            if (threshold > 0.0)
                least = std::min(least, threshold);
    return std::isfinite(least) ? std::optional(LogX{least, least}) : std::nullopt;
}

QString CurveContent::linearOnlyText() const
{
    return tr("No threshold is above 0.");
}

std::size_t CurveContent::axisOf(const CurveMark& mark) const
{
    const auto found = std::ranges::find(m_objectives, mark.curve.objective);
    return static_cast<std::size_t>(found - m_objectives.begin());
}

AxisWish CurveContent::axisWish(const std::string& objective, const Range& shown) const
{
    constexpr double leastLogRatio = 20.0;
    Range all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    Range inView = all;
    AxisWish wish;
    int curves = 0;
    for (const CurveMark& mark : m_curves) {
        if (mark.curve.objective != objective)
            continue;
        all = unitedRange(all, valuesInView(mark.curve, everything));
        inView = unitedRange(inView, valuesInView(mark.curve, shown));
        wish.title = QString::fromStdString(objective);
        if (!mark.curve.unit.empty())
            wish.title += QStringLiteral(", ") + QString::fromStdString(mark.curve.unit);
        wish.color = ++curves == 1 && m_objectives.size() > 1 ? mark.color : QColor();
    }
    // Whatever is in view: the kind of axis must not change while zooming.
    wish.kind =
        all.low > 0.0 && all.high > leastLogRatio * all.low ? ScaleKind::Log : ScaleKind::Linear;
    wish.values = padded(inView.low <= inView.high ? inView : all, wish.kind);
    return wish;
}

std::vector<AxisWish> CurveContent::yAxes(const AxisScale& x, const QSizeF&,
                                          const QFontMetricsF&) const
{
    std::vector<AxisWish> wishes;
    for (const std::string& objective : m_objectives)
        wishes.push_back(axisWish(objective, x.values()));
    return wishes;
}

std::vector<LegendEntry> CurveContent::legend() const
{
    std::vector<LegendEntry> entries;
    for (const CurveMark& mark : m_curves) {
        QString text = mark.label;
        if (m_objectives.size() > 1)
            text += QStringLiteral(": ") + QString::fromStdString(mark.curve.objective);
        if (axisOf(mark) > 1)
            text += tr(" (own scale)");
        if (canBeDrawn(mark.curve, mark.curve.chosen))
            text +=
                (mark.stepThresholds.empty() ? tr("  least %1 at %2") : tr("  ends with %1 at %2"))
                    .arg(valueLabel(mark.curve.value[mark.curve.chosen], 3),
                         valueLabel(mark.curve.threshold[mark.curve.chosen]));
        entries.push_back({text, mark.color});
    }
    return entries;
}

void CurveContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const CurveMark& mark : m_curves)
        paintLine(painter, mark, frame.x.scale, frame.y[axisOf(mark)].scale);
    for (const CurveMark& mark : m_curves) {
        paintSteps(painter, mark, frame.x.scale, frame.y[axisOf(mark)].scale);
        paintChoice(painter, mark, frame, frame.y[axisOf(mark)].scale);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QString CurveContent::readout(double x, const PlotFrame&) const
{
    QStringList parts;
    for (const CurveMark& mark : m_curves) {
        const auto& thresholds = mark.curve.threshold;
        const auto above = std::ranges::lower_bound(thresholds, x);
        auto nearest = above == thresholds.end() ? above - 1 : above;
        if (nearest != thresholds.begin() && x - *(nearest - 1) < *nearest - x)
            --nearest;
        const auto point = static_cast<std::size_t>(nearest - thresholds.begin());
        parts += tr("%1: %2 at %3")
                     .arg(mark.label, valueLabel(mark.curve.value[point]), valueLabel(*nearest, 5));
    }
    return parts.join(QStringLiteral("   "));
}

QString CurveContent::summary() const
{
    if (m_curves.empty())
        return m_reason;
    QStringList parts;
    for (const CurveMark& mark : m_curves) {
        QString part = tr("%1 of %2 at %3 thresholds")
                           .arg(QString::fromStdString(mark.curve.objective), mark.label,
                                countLabel(mark.curve.threshold.size()));
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
