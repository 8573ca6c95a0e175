#include "ui/widgets/go_to_delegate.h"

#include "ui/widgets/go_to_model.h"

#include <QPainter>

namespace calibscope {

namespace {

constexpr int margin = 8;
constexpr int gap = 12;

}  // namespace

void GoToDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const QPalette& palette = option.palette;
    painter->save();
    if (isSelected)
        painter->fillRect(option.rect, palette.brush(QPalette::Highlight));
    const QColor strong = palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    const QColor faint = isSelected ? strong : palette.color(QPalette::PlaceholderText);
    const QFontMetrics& metrics = option.fontMetrics;
    QRect box = option.rect.adjusted(margin, 0, -margin, 0);

    const QString detail = index.data(GoToModel::DetailRole).toString();
    painter->setPen(faint);
    painter->drawText(box, Qt::AlignRight | Qt::AlignVCenter, detail);
    box.setRight(box.right() - metrics.horizontalAdvance(detail) - gap);

    const QString kind = index.data(GoToModel::KindRole).toString();
    const int kindWidth = metrics.horizontalAdvance(kind);
    const QString text =
        metrics.elidedText(index.data().toString(), Qt::ElideMiddle, box.width() - kindWidth - gap);
    painter->drawText(box.adjusted(metrics.horizontalAdvance(text) + gap, 0, 0, 0),
                      Qt::AlignLeft | Qt::AlignVCenter, kind);
    painter->setPen(strong);
    painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, text);
    painter->restore();
}

QSize GoToDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {200, option.fontMetrics.height() + 10};
}

}  // namespace calibscope
