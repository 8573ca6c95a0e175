#include "ui/widgets/sparkline_delegate.h"

#include "ui/plot/plot_painter.h"
#include "ui/theme/chart_colors.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

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

}  // namespace calibscope
