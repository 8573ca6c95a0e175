#pragma once

#include <QStyledItemDelegate>

namespace calibscope {

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
