#include "ui/widgets/sqnr_delegate.h"

#include "ui/theme/chart_colors.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double barHeight = 2.0;

QColor barColor(double sqnrDb, const ChartColors& colors)
{
    constexpr double trouble = 20.0;
    constexpr double fair = 35.0;
    enum { Green = 2, Orange = 3, Vermillion = 1 };  // places in the series table
    const int place = sqnrDb < trouble ? Vermillion : sqnrDb < fair ? Orange : Green;
    return seriesStyle(place, colors).color;
}

}  // namespace

double sqnrShare(double sqnrDb)
{
    constexpr double fullDb = 60.0;
    return std::isnan(sqnrDb) ? 0.0 : std::clamp(sqnrDb / fullDb, 0.0, 1.0);
}

SqnrDelegate::SqnrDelegate(int sqnrRole, QObject* parent)
    : QStyledItemDelegate(parent), m_sqnrRole(sqnrRole)
{}

void SqnrDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    QStyleOptionViewItem number = option;
    number.displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
    QStyledItemDelegate::paint(painter, number, index);
    bool isNumber = false;
    const double sqnrDb = index.data(m_sqnrRole).toDouble(&isNumber);
    if (!isNumber)
        return;
    const ChartColors& colors = chartColors(option.palette);
    const QRectF track(option.rect.left() + 4.0, option.rect.bottom() - barHeight,
                       option.rect.width() - 8.0, barHeight);
    painter->fillRect(track, colors.grid);
    painter->fillRect(QRectF(track.topLeft(), QSizeF(track.width() * sqnrShare(sqnrDb), barHeight)),
                      barColor(sqnrDb, colors));
}

QSize SqnrDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {option.fontMetrics.horizontalAdvance(QStringLiteral("−000.00 dB")),
            option.fontMetrics.height() + 8};
}

}  // namespace calibscope
