// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card_frame.h"

#include <QPainter>

namespace calibscope {

void CardFrame::paintEvent(QPaintEvent*)
{
    constexpr qreal cornerRadius = 6.0;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), cornerRadius,
                            cornerRadius);
}

}  // namespace calibscope
