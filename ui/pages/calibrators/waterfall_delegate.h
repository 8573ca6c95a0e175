// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace calibscope {

/// Rows of steps as a waterfall: each step's bar goes from the SQNR of the row above to
/// its own, all on one axis; gains and losses differ by colour and by the sign beside the bar. The
/// first row is where it begins.
class WaterfallDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;
};

}  // namespace calibscope
