#pragma once

#include <QStyledItemDelegate>

namespace calibscope {

/// A destination in one line: text, kind in a fainter colour, detail at the right. A long text is
/// shortened in the middle: names of tensors differ at both ends.
class GoToDelegate : public QStyledItemDelegate
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
