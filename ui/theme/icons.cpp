// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <QPolygonF>
#include <QSvgRenderer>

#include <cmath>
#include <numbers>
#include <utility>

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

/// Draws a picture whose lines have "currentColor", in a colour of the palette of that moment.
class GlyphEngine : public QIconEngine
{
public:
    GlyphEngine(QByteArray svg, const QColor& color) : m_svg(std::move(svg)), m_color(color) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        QByteArray svg = m_svg;
        QSvgRenderer(svg.replace("currentColor", colorOf(mode).name().toLatin1()))
            .render(painter, rect);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        const QString key = QStringLiteral("glyph/%1/%2/%3x%4")
                                .arg(qHash(m_svg))
                                .arg(colorOf(mode).name())
                                .arg(size.width())
                                .arg(size.height());
        QPixmap drawn;
        if (QPixmapCache::find(key, &drawn))
            return drawn;
        drawn = QPixmap(size);
        drawn.fill(Qt::transparent);
        QPainter painter(&drawn);
        paint(&painter, drawn.rect(), mode, state);
        painter.end();
        QPixmapCache::insert(key, drawn);
        return drawn;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new GlyphEngine(m_svg, m_color); }
    bool isNull() override { return m_svg.isEmpty(); }

private:
    [[nodiscard]] QColor colorOf(QIcon::Mode mode) const
    {
        if (m_color.isValid())
            return m_color;
        const QPalette palette = QApplication::palette();
        if (mode == QIcon::Selected)
            return palette.color(QPalette::HighlightedText);
        return palette.color(mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active,
                             QPalette::ButtonText);
    }

    QByteArray m_svg;
    QColor m_color;  ///< invalid: the palette's
};

QIcon glyphOf(const QString& name, const QColor& color)
{
    QFile file(QStringLiteral(":/icons/") + name + QStringLiteral(".svg"));
    if (!file.exists() || !file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new GlyphEngine(file.readAll(), color));  // the icon owns it
}

}  // namespace

QIcon actionGlyph(const QString& action)
{
    return glyphOf(QStringLiteral("actions/") + action, {});
}

QIcon markGlyph(const QString& mark, const QColor& color)
{
    return glyphOf(QStringLiteral("marks/") + mark, color);
}

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

QIcon curveIcon(const SeriesStyle& style, const QPolygonF& curve, const QPointF& chosen)
{
    const auto draw = [&](QPainter& painter) {
        const QTransform inPixels(2 * sidePixels - 6.0, 0.0, 0.0, 6.0 - sidePixels, 3.0,
                                  sidePixels - 3.0);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(style.color, 1.3, style.pen));
        painter.drawPolyline(inPixels.map(curve));
        painter.setPen(Qt::NoPen);
        painter.setBrush(style.color);
        painter.drawEllipse(inPixels.map(chosen), 2.4, 2.4);
    };
    return iconOf(style.color, draw, {2 * sidePixels, sidePixels});
}

}  // namespace calibscope
