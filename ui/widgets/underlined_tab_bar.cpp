#include "ui/widgets/underlined_tab_bar.h"

#include <QPainter>

namespace calibscope {

namespace {

constexpr int padding = 14;
constexpr int lineHeight = 2;

QFont boldOf(QFont font)
{
    font.setBold(true);
    return font;
}

}  // namespace

UnderlinedTabBar::UnderlinedTabBar(QWidget* parent) : QTabBar(parent)
{
    setDrawBase(false);
    setExpanding(false);
    setElideMode(Qt::ElideNone);
    setFocusPolicy(Qt::TabFocus);
}

/// Wide enough for the bold text, so that tabs keep their places.
QSize UnderlinedTabBar::tabSizeHint(int index) const
{
    const QFontMetrics metrics(boldOf(font()));
    return {metrics.horizontalAdvance(tabText(index)) + 2 * padding, metrics.height() + 14};
}

void UnderlinedTabBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    for (int index = 0; index < count(); ++index)
        paintTab(painter, index);
}

void UnderlinedTabBar::paintTab(QPainter& painter, int index) const
{
    const bool isCurrent = index == currentIndex();
    const QRect box = tabRect(index);
    painter.setFont(isCurrent ? boldOf(font()) : font());
    painter.setPen(palette().color(isCurrent ? QPalette::WindowText : QPalette::PlaceholderText));
    painter.drawText(box, Qt::AlignCenter, tabText(index));
    if (isCurrent)
        painter.fillRect(QRect(box.left() + padding, box.bottom() + 1 - lineHeight,
                               box.width() - 2 * padding, lineHeight),
                         palette().color(QPalette::Link));
    if (isCurrent && hasFocus()) {
        painter.setPen(palette().color(QPalette::Link));
        painter.drawRect(box.adjusted(4, 3, -5, -4));
    }
}

}  // namespace calibscope
