#include "ui/widgets/icons.h"

#include <QPainter>
#include <QPixmap>
#include <QPolygonF>

#include <cmath>
#include <numbers>

namespace calibscope {

namespace {

constexpr int sidePixels = 16;
constexpr double sharpness = 3.0;  // pixels kept for each logical one, for scaled screens

QIcon iconOf(const QColor& color, auto draw)
{
    QPixmap pixmap(QSize(sidePixels, sidePixels) * sharpness);
    pixmap.setDevicePixelRatio(sharpness);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    draw(painter);
    painter.end();
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected);  // else a selected row tints it
    return icon;
}

}  // namespace

QIcon swatchIcon(const QColor& color)
{
    return iconOf(color, [](QPainter& painter) {
        painter.drawRoundedRect(QRectF(2.5, 2.5, 11.0, 11.0), 2.0, 2.0);
    });
}

QIcon starIcon(const QColor& color)
{
    return iconOf(color, [](QPainter& painter) {
        QPolygonF star;
        for (int corner = 0; corner < 10; ++corner) {
            const double radius = corner % 2 == 0 ? 7.0 : 2.9;
            const double angle = std::numbers::pi * corner / 5.0;
            star << QPointF(8.0 + radius * std::sin(angle), 8.4 - radius * std::cos(angle));
        }
        painter.drawPolygon(star);
    });
}

}  // namespace calibscope
