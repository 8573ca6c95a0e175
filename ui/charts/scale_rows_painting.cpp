#include "ui/charts/scale_rows_content.h"

#include "ui/charts/decimate.h"
#include "ui/charts/plot_painter.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr std::size_t mostDots = 1000;  // in view; beyond it bars are drawn

bool canBeDrawn(double scale)
{
    return std::isfinite(scale) && scale > 0.0;
}

double dotRadius(const PlotFrame& frame)
{
    const double spacing = frame.area.width() / frame.x.scale.values().width();
    return std::clamp(spacing * 0.35, 1.5, 4.0);
}

}  // namespace

void ScaleRowsContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const Places places = placesIn(frame.x.scale.values());
    paintBand(painter, frame);
    paintTensorScales(painter, frame);
    if (places.end - places.first <= mostDots) {
        paintConnectors(painter, frame, places);
        for (const ScaleRowMark& row : m_mark.rows)
            paintDots(painter, frame, places, row);
        paintMissing(painter, frame, places);
    } else {
        for (const ScaleRowMark& row : m_mark.rows)
            paintBars(painter, frame, places, row);
    }
    paintChosen(painter, frame);
}

void ScaleRowsContent::paintBand(QPainter& painter, const PlotFrame& frame) const
{
    if (!canBeDrawn(m_mark.median))
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
    painter.setFont(frame.font);
    const QFontMetricsF metrics(frame.font);
    const QString name = QCoreApplication::translate("ScaleRowsContent", "median");
    const QString factor = QStringLiteral("×%1").arg(m_mark.outlierFactor);
    const QString part = QStringLiteral("÷%1").arg(m_mark.outlierFactor);
    const auto label = [&](const QString& text, double baseline) {
        const QPointF place(frame.area.left() + 6.0, baseline);
        if (frame.area.contains(place - QPointF(0.0, metrics.ascent())))
            painter.drawText(place, text);
    };
    // Beside the lines only where the band is high enough for three lines of text.
    if (bottom - top < 3.2 * metrics.height())
        return;
    label(factor, top + metrics.ascent() + 1.0);
    label(name, middle - metrics.descent());
    label(part, bottom - metrics.descent());
}

void ScaleRowsContent::paintConnectors(QPainter& painter, const PlotFrame& frame,
                                       const Places& places) const
{
    if (m_mark.rows.size() < 2)
        return;
    const AxisScale& y = frame.y.front().scale;
    painter.setPen(QPen(frame.colors.axis, 1.0));
    for (std::size_t place = places.first; place < places.end; ++place) {
        const double one = scaleAt(m_mark.rows[0], place);
        const double other = scaleAt(m_mark.rows[1], place);
        if (!canBeDrawn(one) || !canBeDrawn(other))
            continue;
        const double x = frame.x.scale.toPixel(static_cast<double>(place));
        painter.drawLine(QPointF(x, y.toPixel(one)), QPointF(x, y.toPixel(other)));
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
    for (std::size_t place = places.first; place < places.end; ++place)
        if (const double scale = scaleAt(row, place); canBeDrawn(scale))
            painter.drawEllipse(QPointF(frame.x.scale.toPixel(static_cast<double>(place)),
                                        frame.y.front().scale.toPixel(scale)),
                                radius, radius);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void ScaleRowsContent::paintBars(QPainter& painter, const PlotFrame& frame, const Places& places,
                                 const ScaleRowMark& row) const
{
    std::vector<double> inView;
    for (std::size_t place = places.first; place < places.end; ++place)
        inView.push_back(scaleAt(row, place));
    const double left = frame.x.scale.toPixel(static_cast<double>(places.first) - 0.5);
    const double right = frame.x.scale.toPixel(static_cast<double>(places.end) - 0.5);
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
    for (std::size_t place = places.first; place < places.end; ++place) {
        if (canBeDrawn(scaleAt(m_mark.rows.front(), place)))
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
        if (!row.tensorScale || !canBeDrawn(*row.tensorScale))
            continue;
        const double y = std::round(frame.y.front().scale.toPixel(*row.tensorScale));
        painter.setPen(
            QPen(row.color, 2.0, row.isHollow ? Qt::DotLine : Qt::DashLine, Qt::FlatCap));
        painter.drawLine(QPointF(frame.area.left(), y), QPointF(frame.area.right(), y));
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
            if (const double scale = scaleAt(row, m_placeOf[chosen.channel]); canBeDrawn(scale))
                painter.drawEllipse(QPointF(x, frame.y.front().scale.toPixel(scale)), radius,
                                    radius);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

}  // namespace calibscope
