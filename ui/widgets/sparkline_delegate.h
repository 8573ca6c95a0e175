#pragma once

#include <QColor>
#include <QList>
#include <QRectF>
#include <QStyledItemDelegate>

class QPainter;

namespace calibscope {

/// A small histogram in `box`: heights are logarithmic, so that a tail of single values is seen
/// beside a peak; the least positive count is a tenth of the box, 0 is nothing. An empty list or
/// one without a positive count draws nothing.
void paintSparkline(QPainter& painter, const QRectF& box, const QList<double>& counts,
                    const QColor& color);

/// Draws a cell's counts (a QList<double> under `countsRole`) as a sparkline.
class SparklineDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    explicit SparklineDelegate(int countsRole, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    int m_countsRole;
};

}  // namespace calibscope
