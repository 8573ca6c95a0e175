// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/ghost_layer.h"

#include "ui/charts/threshold_layer.h"
#include "ui/plot/plot_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// One step for each pixel: the largest of its bins. `sign` is -1 on the mirrored side.
QPolygonF outlineOf(const PlotFrame& frame, const EntropyTrial& trial,
                    const std::vector<double>& counts, double unit, double sign)
{
    const AxisScale& x = frame.x.scale;
    const AxisScale& y = frame.y.front().scale;
    const double bottom = frame.area.bottom();
    const auto top = [&](double count) { return std::min(y.toPixel(count * unit), bottom); };
    QPolygonF line;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const double from = x.toPixel(sign * trial.edges[bin]);
        const double to = x.toPixel(sign * trial.edges[bin + 1]);
        const double height = counts[bin] > 0.0 ? top(counts[bin]) : bottom;
        // Bins narrower than a pixel share it.
        if (!line.isEmpty() && std::abs(to - line[line.size() - 2].x()) < 1.0) {
            const double highest = std::min(line.back().y(), height);
            line[line.size() - 2].setY(highest);
            line.back() = {to, highest};
            continue;
        }
        line << QPointF(from, height) << QPointF(to, height);
    }
    if (!line.isEmpty())
        line << QPointF(line.back().x(), bottom);
    return line;
}

}  // namespace

void paintGhost(QPainter& painter, const PlotFrame& frame, const EntropyTrial& given,
                const Histogram& histogram, const QColor& color)
{
    if (frame.y.empty() || given.edges.size() < 2)
        return;
    const bool isOfMagnitudes = histogram.spec.domain == Domain::Magnitude;
    const EntropyTrial trial = isOfMagnitudes ? asMagnitudes(given) : given;
    const bool isMirrored = !isOfMagnitudes && !trial.isSigned;
    const double width = trial.edges[1] - trial.edges[0];
    // A magnitude's count is shared by both of its signs.
    const double unit = histogram.width() / width / (isMirrored ? 2.0 : 1.0);
    const QPen solid(frame.colors.text, 1.4);
    const QPen dashed(color, 1.8, Qt::DashLine);
    for (const double sign : {1.0, -1.0}) {
        if (sign < 0.0 && !isMirrored)
            continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(solid);
        painter.drawPolyline(outlineOf(frame, trial, trial.truncated, unit, sign));
        painter.setPen(dashed);
        painter.drawPolyline(outlineOf(frame, trial, trial.coarse, unit, sign));
    }
}

void paintClipGhost(QPainter& painter, const PlotFrame& frame, const ThresholdMark& mark,
                    Domain domain)
{
    const AxisScale& x = frame.x.scale;
    constexpr float veil = 0.62F;
    QColor ground = frame.colors.background;
    ground.setAlphaF(veil);
    const double left = frame.area.left();
    const double right = frame.area.right();
    const auto clamped = [&](double value) { return std::clamp(x.toPixel(value), left, right); };
    const double low = domain == Domain::Signed ? clamped(mark.clip.low) : left;
    const double high = clamped(
        domain == Domain::Signed ? mark.clip.high : std::max(-mark.clip.low, mark.clip.high));
    painter.fillRect(QRectF(left, frame.area.top(), low - left, frame.area.height()), ground);
    painter.fillRect(QRectF(high, frame.area.top(), right - high, frame.area.height()), ground);
    for (const double place : markPlaces(mark, domain))
        if (x.values().contains(place))
            drawHaloedLine(painter, x.toPixel(place), {frame.area.top(), frame.area.bottom()},
                           mark.color, 2.0, Qt::DashLine, frame.colors.background);
}

}  // namespace calibscope
