// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/calibrators/waterfall_delegate.h"

#include "ui/models/steps_model.h"
#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr int barPixels = 14;
constexpr int stepPixels = 30;
constexpr double leastBarPixels = 2.0;

QString signedText(double change)
{
    return (change > 0.0 ? QStringLiteral("+") : QString()) + fixedLabel(change, 2);
}

/// Where SQNR lies in a cell: text has room at both ends.
struct Axis
{
    QRectF area;
    double least = 0.0;
    double most = 0.0;

    [[nodiscard]] double x(double db) const
    {
        return area.left() + (db - least) / (most - least) * area.width();
    }
};

Axis axisOf(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const double room = option.fontMetrics.horizontalAdvance(QStringLiteral(" +00.00 dB "));
    return {.area = QRectF(option.rect).adjusted(room, 0.0, -room, 0.0),
            .least = index.data(StepLeastRole).toDouble(),
            .most = index.data(StepMostRole).toDouble()};
}

}  // namespace

void WaterfallDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);  // selection
    const QVariant to = index.data(StepToRole);
    if (!to.isValid())
        return;
    const QVariant from = index.data(StepFromRole);
    const bool isLast = index.row() + 1 == index.model()->rowCount();
    const ChartColors& colors = chartColors(option.palette);
    const Axis axis = axisOf(option, index);
    const QRectF cell(option.rect);
    const double top = std::round(cell.center().y() - barPixels / 2.0);
    const double end = axis.x(to.toDouble());
    const double start = from.isValid() ? axis.x(from.toDouble()) : end;
    const double change = from.isValid() ? to.toDouble() - from.toDouble() : 0.0;
    const QColor color =
        change == 0.0 ? colors.axis : differenceColor(change > 0.0 ? 1.0 : -1.0, colors);
    painter->save();
    painter->setPen(QPen(colors.axis, 1.0, Qt::DotLine));
    if (from.isValid())
        painter->drawLine(QPointF(start, cell.top()), QPointF(start, top));
    if (!isLast)
        painter->drawLine(QPointF(end, top + barPixels), QPointF(end, cell.bottom()));
    const double width = std::max(leastBarPixels, std::abs(end - start));
    painter->fillRect(QRectF(std::min(start, end), top, width, barPixels), color);
    const QString text =
        from.isValid() ? signedText(change) : tr("%1 dB").arg(fixedLabel(to.toDouble(), 2));
    const double advance = option.fontMetrics.horizontalAdvance(text);
    // Beside the bar's end, inside of the cell.
    double left = change < 0.0 ? end - advance - 6.0 : end + 6.0;
    if (left + advance > cell.right())
        left = std::min(start, end) - advance - 6.0;
    if (left < cell.left())
        left = std::min(std::max(start, end) + 6.0, cell.right() - advance);
    painter->setPen(option.palette.color(option.state.testFlag(QStyle::State_Selected)
                                             ? QPalette::HighlightedText
                                             : QPalette::Text));
    painter->drawText(QRectF(left, cell.top(), advance + 2.0, cell.height()),
                      Qt::AlignLeft | Qt::AlignVCenter, text);
    painter->restore();
}

QSize WaterfallDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {option.fontMetrics.horizontalAdvance(QStringLiteral(" +00.00 dB ")) * 3,
            std::max(stepPixels, option.fontMetrics.height() + 10)};
}

}  // namespace calibscope
