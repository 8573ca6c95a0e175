#include "ui/charts/ghost_layer.h"

#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

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

/// At the right end, below the labels of thresholds: `line` is 0 or 1.
void paintName(QPainter& painter, const PlotFrame& frame, int line, const QString& text,
               const QPen& pen)
{
    constexpr double sample = 22.0;
    constexpr double margin = 6.0;
    painter.setFont(frame.font);
    const QFontMetricsF metrics(frame.font);
    const QSizeF size(sample + 10.0 + metrics.horizontalAdvance(text) + 4.0,
                      metrics.height() + 2.0);
    const QRectF box(QPointF(frame.area.right() - size.width() - margin,
                             frame.area.center().y() + line * size.height() - size.height()),
                     size);
    painter.fillRect(box, frame.colors.background);
    painter.setPen(pen);
    const double middle = box.center().y();
    painter.drawLine(QPointF(box.left() + 4.0, middle), QPointF(box.left() + 4.0 + sample, middle));
    painter.setPen(frame.colors.text);
    painter.drawText(box.adjusted(sample + 10.0, 0.0, 0.0, 0.0), Qt::AlignLeft | Qt::AlignVCenter,
                     text);
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
    paintName(painter, frame, 0, tr("P: cut here"), solid);
    paintName(painter, frame, 1, tr("Q: in %1 levels").arg(trial.levels), dashed);
}

}  // namespace calibscope
