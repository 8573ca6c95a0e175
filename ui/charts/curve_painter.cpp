// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_painter.h"

#include "ui/plot/decimate.h"
#include "ui/plot/plot_painter.h"

#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
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

}  // namespace calibscope
