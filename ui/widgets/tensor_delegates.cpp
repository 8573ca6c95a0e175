#include "ui/widgets/tensor_delegates.h"

#include "ui/plot/plot_painter.h"
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

void paintSparkline(QPainter& painter, const QRectF& box, const QList<double>& counts,
                    const QColor& color)
{
    const double most = counts.isEmpty() ? 0.0 : *std::ranges::max_element(counts);
    if (!(most > 0.0) || !std::isfinite(most))
        return;
    constexpr double leastShare = 0.1;
    double least = most;
    for (const double count : counts)
        if (count > 0.0)
            least = std::min(least, count);
    const double decades = std::max(std::log10(most / least), 1.0);

    const double ratio = deviceRatio(painter);
    const double step = box.width() / static_cast<double>(counts.size());
    const double bottom = snapped(box.bottom(), ratio);
    for (qsizetype column = 0; column < counts.size(); ++column) {
        if (!(counts[column] > 0.0))
            continue;
        const double share = 1.0 - (1.0 - leastShare) * std::log10(most / counts[column]) / decades;
        const double left = snapped(box.left() + static_cast<double>(column) * step, ratio);
        const double right = snapped(box.left() + static_cast<double>(column + 1) * step, ratio);
        const double top = snapped(bottom - share * box.height(), ratio);
        painter.fillRect(QRectF(QPointF(left, top), QPointF(right, bottom)), color);
    }
}

SparklineDelegate::SparklineDelegate(int countsRole, QObject* parent)
    : QStyledItemDelegate(parent), m_countsRole(countsRole)
{}

void SparklineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);  // selection and focus
    const auto counts = index.data(m_countsRole).value<QList<double>>();
    const QRectF box = QRectF(option.rect).adjusted(4.0, 3.0, -4.0, -3.0);
    paintSparkline(*painter, box, counts, chartColors(option.palette).fill);
}

QSize SparklineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {72, option.fontMetrics.height() + 8};
}

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
