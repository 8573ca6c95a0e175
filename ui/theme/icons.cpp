#include "ui/theme/icons.h"

#include <QPainter>
#include <QPixmap>
#include <QPolygonF>

#include <cmath>
#include <numbers>

namespace calibscope {

namespace {

constexpr int sidePixels = 16;
constexpr double sharpness = 3.0;  // pixels kept for each logical one, for scaled screens

QIcon iconOf(const QColor& color, auto draw, const QSize& size = {sidePixels, sidePixels})
{
    QPixmap pixmap(size * sharpness);
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

QIcon lineIcon(const SeriesStyle& style)
{
    const auto draw = [&style](QPainter& painter) {
        QPen pen(style.color, 3.0, style.pen, Qt::FlatCap);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(pen);
        painter.drawLine(QPointF(1.0, 8.0), QPointF(31.0, 8.0));
    };
    return iconOf(style.color, draw, {2 * sidePixels, sidePixels});
}

QIcon resetIcon(const QColor& color)
{
    return iconOf(color, [&color](QPainter& painter) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap));
        painter.drawArc(QRectF(3.5, 3.5, 9.0, 9.0), -60 * 16, 260 * 16);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF{{0.9, 7.2}, {6.5, 7.2}, {3.5, 11.4}});
    });
}

}  // namespace calibscope
