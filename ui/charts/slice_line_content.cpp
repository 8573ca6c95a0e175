// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/slice_line_content.h"

#include "ui/charts/slice_colors.h"
#include "ui/charts/slice_content.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr std::uint8_t odd = Slice::HasNan | Slice::HasPositiveInf | Slice::HasNegativeInf;

}  // namespace

void SliceLineContent::setLine(Shared line, std::uint64_t length)
{
    m_line = std::move(line);
    m_length = length;
    if (!m_line)
        return;
    const bool isRow = m_line->rowCount == 1;
    m_first = isRow ? m_line->firstColumn : m_line->firstRow;
    m_step = isRow ? m_line->columnStep : m_line->rowStep;
}

XAxis SliceLineContent::xAxis() const
{
    return indexAxis(m_length, m_xTitle);
}

Range SliceLineContent::indicesOf(std::size_t cell) const
{
    const double low = static_cast<double>(m_first + cell * m_step) - 0.5;
    return {low, std::min(low + static_cast<double>(m_step), static_cast<double>(m_length) - 0.5)};
}

std::pair<std::size_t, std::size_t> SliceLineContent::cellsIn(const Range& shown) const
{
    const auto most = static_cast<double>(m_line->low.size());
    const auto first = static_cast<double>(m_first);
    const auto step = static_cast<double>(m_step);
    const double low = std::floor((shown.low + 0.5 - first) / step);
    const double high = std::ceil((shown.high + 0.5 - first) / step);
    return {static_cast<std::size_t>(std::clamp(low, 0.0, most)),
            static_cast<std::size_t>(std::clamp(high, 0.0, most))};
}

Range SliceLineContent::valueRange(const Range& shown) const
{
    Range values{0.0, 0.0};  // 0 is always in view
    const auto [first, end] = cellsIn(shown);
    for (std::size_t cell = first; cell < end; ++cell) {
        if (std::isnan(m_line->low[cell]))
            continue;
        values.low = std::min(values.low, static_cast<double>(m_line->low[cell]));
        values.high = std::max(values.high, static_cast<double>(m_line->high[cell]));
    }
    const double margin = values.width() > 0.0 ? 0.04 * values.width() : 1.0;
    return {values.low < 0.0 ? values.low - margin : 0.0,
            values.high > 0.0 || values.low == 0.0 ? values.high + margin : 0.0};
}

std::vector<YAxis> SliceLineContent::yAxes(const PlotRoom& room) const
{
    return {{.values = valueRange(room.x.values()), .title = QStringLiteral("x")}};
}

std::vector<LegendEntry> SliceLineContent::legend() const
{
    return {};
}

void SliceLineContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const AxisScale& x = frame.x.scale;
    const AxisScale& y = frame.y.front().scale;
    const bool isDark = frame.colors.isDark;
    const double zero = y.toPixel(0.0);
    const auto [first, end] = cellsIn(x.values());
    const bool areApart = x.toPixel(1.0) - x.toPixel(0.0) >= 3.0;
    const auto band = [&](const Range& across, double from, double to, const QColor& color) {
        const double top = std::min(from, to);
        painter.fillRect(QRectF(across.low, top, std::max(across.width(), 1.0),
                                std::max(std::abs(to - from), 1.5)),
                         color);
    };
    for (std::size_t cell = first; cell < end; ++cell) {
        const Range indices = indicesOf(cell);
        Range across{x.toPixel(indices.low), x.toPixel(indices.high)};
        if (areApart)
            across.high -= 1.0;
        if ((m_line->marks[cell] & odd) != 0)
            painter.fillRect(
                QRectF(across.low, frame.area.bottom() - 7.0, std::max(across.width(), 2.0), 7.0),
                (m_line->marks[cell] & Slice::HasNan) != 0 ? SliceColors::nan(isDark)
                                                           : SliceColors::infinite(isDark));
        if (std::isnan(m_line->low[cell]))
            continue;
        // From 0 on, as columns: single values are then seen as well as reaches.
        const double low = static_cast<double>(m_line->low[cell]);
        const double high = static_cast<double>(m_line->high[cell]);
        band(across, y.toPixel(std::max(high, 0.0)), y.toPixel(std::min(low, 0.0)),
             frame.colors.fill);
        if (m_line->clipped[cell] == 0 || !m_clip)
            continue;
        if (high > m_clip->high)
            band(across, y.toPixel(high), y.toPixel(m_clip->high), SliceColors::clipped(isDark));
        if (low < m_clip->low)
            band(across, y.toPixel(low), y.toPixel(m_clip->low), SliceColors::clipped(isDark));
    }
    painter.setPen(QPen(frame.colors.axis, 1.0));
    painter.drawLine(QLineF(frame.area.left(), zero, frame.area.right(), zero));
    if (!m_clip)
        return;
    for (const double clipEnd : {m_clip->low, m_clip->high}) {
        if (!y.values().contains(clipEnd) || clipEnd == 0.0)
            continue;
        const double pixel = std::round(y.toPixel(clipEnd));
        painter.setPen(QPen(SliceColors::clipped(isDark), 1.5, Qt::DashLine, Qt::FlatCap));
        painter.drawLine(QLineF(frame.area.left(), pixel, frame.area.right(), pixel));
    }
}

std::optional<std::size_t> SliceLineContent::cellAt(double x) const
{
    const double cell =
        std::floor((x + 0.5 - static_cast<double>(m_first)) / static_cast<double>(m_step));
    if (!(cell >= 0.0) || cell >= static_cast<double>(m_line->low.size()))
        return std::nullopt;
    return static_cast<std::size_t>(cell);
}

QString SliceLineContent::readout(double x, const PlotFrame&) const
{
    const std::optional<std::size_t> cell = cellAt(x);
    if (!cell)
        return {};
    const std::uint64_t first = m_first + *cell * m_step;
    const std::uint64_t last = std::min(first + m_step, m_length) - 1;
    const QString where =
        first == last ? countLabel(first) : tr("%1 to %2").arg(countLabel(first), countLabel(last));
    if ((m_line->marks[*cell] & Slice::IsUnread) != 0)
        return tr("%1   %2   not read yet").arg(m_xTitle, where);
    const double low = static_cast<double>(m_line->low[*cell]);
    const double high = static_cast<double>(m_line->high[*cell]);
    if (std::isnan(low))
        return tr("%1   %2   no finite value").arg(m_xTitle, where);
    return low == high ? tr("%1   %2   value %3").arg(m_xTitle, where, valueLabel(low, 6))
                       : tr("%1   %2   from %3 to %4")
                             .arg(m_xTitle, where, valueLabel(low, 6), valueLabel(high, 6));
}

QString SliceLineContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    return readout(frame.x.scale.toValue(point.x()), frame)
        .replace(QStringLiteral("   "), QStringLiteral("\n"));
}

QString SliceLineContent::sentences() const
{
    const Range values = valueRange(fullRange());
    return tr("Values along %1, %2 of them, between %3 and %4.")
        .arg(m_xTitle, countLabel(m_length), valueLabel(values.low), valueLabel(values.high));
}

std::optional<PlotTable> SliceLineContent::table(const Range& shown) const
{
    PlotTable table{.columns = {{tr("index")}, {tr("least")}, {tr("greatest")}, {tr("clipped")}}};
    const auto [first, end] = cellsIn(shown);
    for (std::size_t cell = first; cell < end; ++cell)
        table.addRow(std::uint64_t{m_first + cell * m_step}, double{m_line->low[cell]},
                     double{m_line->high[cell]}, std::uint64_t{m_line->clipped[cell]});
    return table;
}

}  // namespace calibscope
