// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/whiskers.h"

#include "ui/plot/axis_scale.h"
#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

constexpr double leastShownDb = 1.0;
constexpr double edgeDb = 0.25;  // of the axis beyond what it shows
constexpr double mostNameShare = 0.25;
constexpr double gap = 8.0;
constexpr double whiskerDot = 4.0;
constexpr double pixelsForTick = 60.0;

}  // namespace

Whiskers::Whiskers(const QString& legend, QWidget* parent) : QWidget(parent), m_legend(legend)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    hide();
}

void Whiskers::setRows(std::vector<WhiskerRow> rows)
{
    m_rows = std::move(rows);
    QStringList sentences;
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const WhiskerRow& shown = m_rows[row];
        const auto [low, high] = std::minmax({shown.low, shown.high, shown.line, shown.dot});
        m_shown.low = row == 0 ? low : std::min(m_shown.low, low);
        m_shown.high = row == 0 ? high : std::max(m_shown.high, high);
        sentences << shown.sentence;
    }
    const double missing = std::max(0.0, leastShownDb - (m_shown.high - m_shown.low));
    m_shown.low -= edgeDb + missing / 2.0;
    m_shown.high += edgeDb + missing / 2.0;
    setAccessibleDescription(sentences.join(u'\n'));
    setToolTip(sentences.join(u'\n'));
    setVisible(!m_rows.empty());
    updateGeometry();
    update();
}

double Whiskers::rowHeight() const
{
    return fontMetrics().height() + 6.0;
}

QSize Whiskers::sizeHint() const
{
    return {400, static_cast<int>(rowHeight() * static_cast<double>(m_rows.size() + 2))};
}

QSize Whiskers::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

QRectF Whiskers::plot() const
{
    double name = 0.0;
    for (const WhiskerRow& row : m_rows)
        name = std::max(name, QFontMetricsF(font()).horizontalAdvance(row.name));
    const double left = std::min(std::ceil(name) + 1.0, mostNameShare * width()) + gap;
    const double right = QFontMetricsF(font()).horizontalAdvance(tr("dB")) + gap;
    return QRectF(rect()).adjusted(left, 0.0, -right, -2.0 * rowHeight());
}

double Whiskers::xOf(double db) const
{
    const QRectF area = plot();
    return area.left() + (db - m_shown.low) / (m_shown.high - m_shown.low) * area.width();
}

QRectF Whiskers::barOf(std::size_t row) const
{
    const double top = rowHeight() * static_cast<double>(row);
    const double inset = rowHeight() / 4.0;
    return {QPointF(xOf(m_rows[row].low), top + inset),
            QPointF(xOf(m_rows[row].high), top + rowHeight() - inset)};
}

void Whiskers::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_rows.empty())
        return;
    paintAxis(painter);
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        paintRow(painter, row);
}

void Whiskers::paintAxis(QPainter& painter) const
{
    const ChartColors& colors = chartColors(palette());
    const QRectF area = plot();
    const int most = std::max(1, static_cast<int>(area.width() / pixelsForTick));
    for (const Tick& tick : linearTicks(m_shown, most, TickNumbers::Values).ticks) {
        const double x = std::round(xOf(tick.value)) + 0.5;
        painter.setPen(colors.grid);
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(colors.faintText);
        painter.drawText(QRectF(x - pixelsForTick, area.bottom(), 2 * pixelsForTick, rowHeight()),
                         Qt::AlignCenter, tick.label);
    }
    painter.drawText(QRectF(area.right(), area.bottom(), width() - area.right(), rowHeight()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("dB"));
    painter.drawText(QRectF(0.0, area.bottom() + rowHeight(), width(), rowHeight()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_legend, Qt::ElideRight, width()));
    painter.setPen(colors.axis);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
}

void Whiskers::paintRow(QPainter& painter, std::size_t row) const
{
    const ChartColors& colors = chartColors(palette());
    const WhiskerRow& shown = m_rows[row];
    const QRectF bar = barOf(row);
    const QRectF name(0.0, bar.center().y() - rowHeight() / 2.0, plot().left() - gap, rowHeight());
    QFont struckOut = font();
    struckOut.setStrikeOut(shown.isDropped);
    painter.setFont(struckOut);
    painter.setPen(shown.isDropped ? colors.faintText : colors.text);
    painter.drawText(
        name, Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(shown.name, Qt::ElideMiddle, static_cast<int>(name.width())));
    painter.setFont(font());
    painter.setPen(shown.isDropped ? QPen(colors.fill) : QPen(Qt::NoPen));
    painter.setBrush(shown.isDropped ? colors.background : colors.fill);
    painter.drawRect(bar);
    painter.setPen(QPen(shown.isDropped ? colors.faintText : colors.text, 2.0));
    const double mean = xOf(shown.line);
    painter.drawLine(QPointF(mean, bar.top() - 3.0), QPointF(mean, bar.bottom() + 3.0));
    const QColor dot = seriesStyle(1, colors).color;
    painter.setPen(QPen(shown.isDropped ? dot : colors.background, 1.0));
    painter.setBrush(shown.isDropped ? colors.background : dot);
    painter.drawEllipse(QPointF(xOf(shown.dot), bar.center().y()), whiskerDot, whiskerDot);
}

}  // namespace calibscope
