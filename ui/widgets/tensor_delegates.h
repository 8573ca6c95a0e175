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

/// Share of a bar that an SQNR fills: 0 dB is empty, 60 dB full; 0 for NaN, 1 for infinity.
[[nodiscard]] double sqnrShare(double sqnrDb);

/// Draws an SQNR (a double in dB under `sqnrRole`) as its number over a bar. Bars below 20 dB and
/// below 35 dB have their own colours: about where a tensor is a trouble, and where it deserves a
/// look.
class SqnrDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    explicit SqnrDelegate(int sqnrRole, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;

private:
    int m_sqnrRole;
};

}  // namespace calibscope
