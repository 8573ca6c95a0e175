// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/running_content.h"

#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/theme/translate.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace calibscope {

namespace {

constexpr std::array figures = {&RunningMark::running, &RunningMark::own, &RunningMark::layer};

QColor lineColor(const ChartColors& colors)
{
    return seriesStyle(0, colors).color;
}

QColor dropColor(const ChartColors& colors)
{
    return sqnrColor(SqnrGrade::Poor, colors);
}

/// The colour of small drops.
QColor smallDropColor(const ChartColors& colors)
{
    return blended(colors.background, dropColor(colors), 0.45);
}

}  // namespace

void RunningContent::setTensors(std::vector<RunningMark> tensors)
{
    m_tensors = std::move(tensors);
    m_xTitle = tr("tensors in the order of the network");
    m_reason = tr("No tensor was compared.");
    setChosen({});
}

std::vector<YAxis> RunningContent::yAxes(const PlotRoom&) const
{
    Range range{0.0, 0.0};
    for (const RunningMark& tensor : m_tensors)
        for (const auto figure : figures)
            if (const std::optional<double>& db = tensor.*figure; db && std::isfinite(*db))
                range = {std::min(range.low, *db), std::max(range.high, *db)};
    return decibelAxis(range, tr("SQNR, dB"));
}

std::vector<LegendEntry> RunningContent::legend() const
{
    const ChartColors& light = lightChartColors();
    const ChartColors& dark = darkChartColors();
    return {
        {.text = tr("running"), .color = lineColor(light), .colorOnDark = lineColor(dark)},
        {.text = tr("own"), .color = light.faintText, .colorOnDark = dark.faintText},
        {.text = tr("layer"), .color = {}, .sign = LegendEntry::Sign::Ring, .usesTextColor = true},
        {.text = tr("drop"),
         .color = dropColor(light),
         .sign = LegendEntry::Sign::Swatch,
         .colorOnDark = dropColor(dark)},
        {.text = tr("small drop"),
         .color = smallDropColor(light),
         .sign = LegendEntry::Sign::Swatch,
         .colorOnDark = smallDropColor(dark)}};
}

QPointF RunningContent::pointOf(std::size_t index, double db, const PlotFrame& frame)
{
    return {frame.x.scale.toPixel(static_cast<double>(index) + 1.0), heightOf(db, frame)};
}

void RunningContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const Places places = placesIn(frame.x.scale.values());
    paintChosen(painter, frame);
    paintDrops(painter, frame, places);
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintMarks(painter, frame, places);
    paintLine(painter, frame);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintNames(painter, frame, places);
}

/// From what was to be expected down to the line; those that do not stand out are thin.
void RunningContent::paintDrops(QPainter& painter, const PlotFrame& frame,
                                const Places& places) const
{
    constexpr double leastDb = 1.0;
    const double widest = std::clamp(roomOf(frame) * 0.6, 3.0, 12.0);
    for (std::size_t index = places.first; index < places.second; ++index) {
        const RunningMark& tensor = m_tensors[index];
        const double drop = tensor.drop.value_or(0.0);
        if (!tensor.running || !std::isfinite(*tensor.running) || !(drop >= leastDb))
            continue;
        const QPointF end = pointOf(index, *tensor.running, frame);
        const double top =
            std::isfinite(drop) ? heightOf(*tensor.running + drop, frame) : frame.area.top();
        const double width = tensor.standsOut ? widest : 1.0;
        painter.fillRect(QRectF(end.x() - width / 2.0, top, width, end.y() - top),
                         tensor.standsOut ? dropColor(frame.colors) : smallDropColor(frame.colors));
    }
}

/// Over all tensors, as its parts reach beyond what is shown; pale and dashed across those without a
/// number.
void RunningContent::paintLine(QPainter& painter, const PlotFrame& frame) const
{
    constexpr double leastRoom = 6.0;  // of a tensor, for a dot
    std::vector<QPolygonF> parts(1);
    for (std::size_t index = 0; index < m_tensors.size(); ++index)
        if (m_tensors[index].running)
            parts.back() << pointOf(index, *m_tensors[index].running, frame);
        else if (!parts.back().isEmpty())
            parts.emplace_back();
    painter.setBrush(Qt::NoBrush);
    const QColor color = lineColor(frame.colors);
    painter.setPen(QPen(color, 2.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (const QPolygonF& part : parts)
        painter.drawPolyline(part);
    painter.setPen(QPen(blended(frame.colors.background, color, 0.5), 1.0, Qt::DashLine));
    for (std::size_t part = 1; part < parts.size(); ++part)
        if (!parts[part].isEmpty())
            painter.drawLine(parts[part - 1].back(), parts[part].front());
    painter.setPen(QPen(frame.colors.background, 1.0));
    painter.setBrush(color);
    for (const QPolygonF& part : parts)
        if (roomOf(frame) >= leastRoom || part.size() == 1)
            for (const QPointF& point : part)
                painter.drawEllipse(point, dotRadius(frame), dotRadius(frame));
}

void RunningContent::paintMarks(QPainter& painter, const PlotFrame& frame,
                                const Places& places) const
{
    const double half = std::clamp(roomOf(frame) * 0.4, 1.5, 8.0);
    painter.setBrush(Qt::NoBrush);
    for (std::size_t index = places.first; index < places.second; ++index) {
        const RunningMark& tensor = m_tensors[index];
        if (tensor.own) {
            const QPointF middle = pointOf(index, *tensor.own, frame);
            painter.setPen(QPen(frame.colors.faintText, 1.6, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(middle - QPointF(half, 0.0), middle + QPointF(half, 0.0));
        }
        if (tensor.layer) {
            painter.setPen(QPen(frame.colors.text, 1.1));
            painter.drawEllipse(pointOf(index, *tensor.layer, frame), dotRadius(frame),
                                dotRadius(frame));
        }
    }
}

/// Below what stands out, on a ground of their own; where two would meet, one below the other.
void RunningContent::paintNames(QPainter& painter, const PlotFrame& frame,
                                const Places& places) const
{
    constexpr double inset = 3.0;
    const QFontMetricsF metrics(frame.font);
    const double widest = frame.area.width() / 3.0;
    std::vector<std::size_t> largest;
    for (std::size_t index = places.first; index < places.second; ++index)
        if (m_tensors[index].standsOut && m_tensors[index].running)
            largest.push_back(index);
    std::ranges::sort(largest, std::ranges::greater(),
                      [this](std::size_t index) { return m_tensors[index].drop; });
    std::vector<QRectF> taken;
    for (const std::size_t index : largest) {
        const RunningMark& tensor = m_tensors[index];
        const QString text = tr("%1  −%2").arg(
            metrics.elidedText(tensor.name, Qt::ElideMiddle, widest), dbLabel(tensor.drop));
        const QSizeF size(metrics.horizontalAdvance(text) + 2.0 * inset, metrics.height());
        const QPointF end = pointOf(index, *tensor.running, frame);
        const double left =
            std::clamp(end.x() - size.width() / 2.0, frame.area.left(),
                       std::max(frame.area.left(), frame.area.right() - size.width()));
        // Below the line, as far as the name goes.
        double lowest = end.y();
        for (std::size_t other = places.first; other < places.second; ++other)
            if (const std::optional<double>& db = m_tensors[other].running) {
                const QPointF point = pointOf(other, *db, frame);
                if (point.x() > left && point.x() < left + size.width())
                    lowest = std::max(lowest, point.y());
            }
        const double top = std::min(lowest + 2.0 * inset, frame.area.bottom() - size.height());
        QRectF box(QPointF(left, top), size);
        for (const QRectF& other : taken)
            if (other.intersects(box))
                box.moveTop(other.bottom());
        if (box.bottom() > frame.area.bottom())
            continue;
        taken.push_back(box);
        painter.fillRect(box, frame.colors.background);
        painter.setPen(readableOn(frame.colors.background, dropColor(frame.colors)));
        painter.drawText(box, Qt::AlignCenter, text);
    }
}

QString RunningContent::factsOf(const RunningMark& tensor, const QString& separator) const
{
    QStringList facts{tensor.name};
    const auto add = [&facts](const QString& text, const std::optional<double>& db) {
        if (db)
            facts += text.arg(dbLabel(db));
    };
    add(tr("running %1 dB"), tensor.running);
    add(tr("own %1 dB"), tensor.own);
    add(tr("layer %1 dB"), tensor.layer);
    add(tr("drop %1 dB"), tensor.drop);
    return facts.join(separator);
}

QString RunningContent::readout(double x, const PlotFrame&) const
{
    const std::optional<std::size_t> index = placeAt(x);
    return index ? factsOf(m_tensors[*index], QStringLiteral("   ")) : QString();
}

QString RunningContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    const std::optional<std::size_t> index = placeAt(frame.x.scale.toValue(point.x()));
    return index ? factsOf(m_tensors[*index], QStringLiteral("\n")) : QString();
}

QString RunningContent::sentences() const
{
    QString text = tr("Running SQNR along %1 tensors.").arg(countLabel(m_tensors.size()));
    const auto largest = std::ranges::max_element(
        m_tensors, {}, [](const RunningMark& tensor) { return tensor.drop.value_or(-1.0); });
    if (largest->drop.value_or(0.0) > 0.0)
        text += tr(" The largest drop is %1 dB, at %2.").arg(dbLabel(largest->drop), largest->name);
    return text;
}

std::optional<PlotTable> RunningContent::table(const Range& shown) const
{
    PlotTable table{
        .columns = {
            {tr("tensor")}, {tr("running dB")}, {tr("own dB")}, {tr("layer dB")}, {tr("drop dB")}}};
    const auto [first, end] = placesIn(shown);
    for (std::size_t index = first; index < end; ++index) {
        const RunningMark& tensor = m_tensors[index];
        if (shown.contains(static_cast<double>(index) + 1.0))
            table.addRow(tensor.name, orNan(tensor.running), orNan(tensor.own), orNan(tensor.layer),
                         orNan(tensor.drop));
    }
    return table;
}

void RunningPlot::setTensors(std::vector<RunningMark> tensors)
{
    const bool isOther = tensors.size() != shown().count();
    shown().setTensors(std::move(tensors));
    update(isOther);
}

}  // namespace calibscope
