#include "ui/widgets/heat_delegate.h"

#include "ui/theme/chart_colors.h"
#include "ui/theme/icons.h"
#include "ui/theme/palettes.h"

#include <QPainter>

namespace calibscope {

namespace {

constexpr int starPixels = 12;
constexpr int cellPadding = 6;

}  // namespace

QColor textOn(const QColor& ground)
{
    return contrastRatio(Qt::black, ground) >= contrastRatio(Qt::white, ground) ? Qt::black
                                                                                : Qt::white;
}

HeatDelegate::HeatDelegate(ShareOf shareOf, int bestRole, QObject* parent)
    : QStyledItemDelegate(parent), m_shareOf(std::move(shareOf)), m_bestRole(bestRole)
{}

void HeatDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    const std::optional<double> share = m_shareOf(index);
    if (!share)
        return QStyledItemDelegate::paint(painter, option, index);
    const QColor ground = heatColor(*share, isDark(option.palette));
    const QColor ink = textOn(ground);
    const bool isBest = index.data(m_bestRole).toBool();
    painter->save();
    painter->fillRect(option.rect, ground);
    if (isBest) {
        const QRect star(option.rect.left() + cellPadding / 2,
                         option.rect.center().y() - starPixels / 2 + 1, starPixels, starPixels);
        starIcon(ink).paint(painter, star);
    }
    QFont font = option.font;
    font.setBold(isBest);
    painter->setFont(font);
    painter->setPen(ink);
    painter->drawText(option.rect.adjusted(cellPadding, 0, -cellPadding, 0),
                      Qt::AlignRight | Qt::AlignVCenter, index.data(Qt::DisplayRole).toString());
    if (option.state.testFlag(QStyle::State_HasFocus) ||
        option.state.testFlag(QStyle::State_Selected)) {
        painter->setPen(QPen(ink, 2.0));
        painter->drawRect(option.rect.adjusted(1, 1, -2, -2));
    }
    painter->restore();
}

QSize HeatDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QFont bold = option.font;
    bold.setBold(true);
    const QString text = index.data(Qt::DisplayRole).toString();
    return {QFontMetrics(bold).horizontalAdvance(text) + 3 * cellPadding + starPixels,
            QFontMetrics(bold).height() + cellPadding};
}

}  // namespace calibscope
