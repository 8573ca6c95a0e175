#include "ui/charts/plot_canvas.h"

#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QPainter>
#include <QPixmap>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// Shows a picture that is drawn once for each size and resolution.
class PictureItem : public QGraphicsItem
{
public:
    PictureItem(QGraphicsItem* parent, PlotCanvas::Paint paint)
        : QGraphicsItem(parent), m_paint(std::move(paint))
    {}

    void setSize(const QSizeF& size)
    {
        prepareGeometryChange();
        m_size = size;
        m_picture = {};
    }

    void invalidate()
    {
        m_picture = {};
        update();
    }

    [[nodiscard]] QRectF boundingRect() const override { return {QPointF(), m_size}; }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override
    {
        const double ratio = painter->device()->devicePixelRatio();
        const QSize pixels = (m_size * ratio).toSize();
        if (pixels.isEmpty())
            return;
        if (m_picture.size() != pixels) {
            m_picture = QPixmap(pixels);
            m_picture.setDevicePixelRatio(ratio);
            QPainter picturePainter(&m_picture);
            m_paint(picturePainter);
        }
        painter->drawPixmap(QPointF(), m_picture);
    }

private:
    PlotCanvas::Paint m_paint;
    QSizeF m_size;
    QPixmap m_picture;
};

/// Crosshair and focus ring.
class OverlayItem : public QGraphicsItem
{
public:
    explicit OverlayItem(QGraphicsItem* parent) : QGraphicsItem(parent) {}

    void setCrosshair(const std::optional<Crosshair>& crosshair)
    {
        prepareGeometryChange();
        m_crosshair = crosshair;
        update();
    }

    void setTextFont(const QFont& font) { m_font = font; }

    [[nodiscard]] QRectF boundingRect() const override
    {
        return m_crosshair ? lineBox().united(textBox()).adjusted(-1, -1, 1, 1) : QRectF();
    }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override
    {
        if (!m_crosshair)
            return;
        painter->fillRect(lineBox(), m_crosshair->line);
        if (m_crosshair->text.isEmpty())
            return;
        painter->setFont(m_font);
        painter->fillRect(textBox(), m_crosshair->line);
        painter->setPen(m_crosshair->background);
        painter->drawText(textBox(), Qt::AlignCenter, m_crosshair->text);
    }

private:
    [[nodiscard]] QRectF lineBox() const
    {
        return {std::floor(m_crosshair->x), m_crosshair->area.top(), 1.0,
                m_crosshair->area.height()};
    }

    /// On the axis, under the line, kept beside no end of the area.
    [[nodiscard]] QRectF textBox() const
    {
        if (m_crosshair->text.isEmpty())
            return {};
        const QFontMetricsF metrics(m_font);
        const double width = metrics.horizontalAdvance(m_crosshair->text) + 8.0;
        const QRectF& area = m_crosshair->area;
        const double left =
            std::max(std::min(m_crosshair->x - width / 2.0, area.right() - width), area.left());
        return {std::round(left), area.bottom() + 1.0, std::ceil(width),
                std::ceil(metrics.height() + 4.0)};
    }

    std::optional<Crosshair> m_crosshair;
    QFont m_font;
};

class FocusItem : public QGraphicsItem
{
public:
    explicit FocusItem(QGraphicsItem* parent) : QGraphicsItem(parent) {}

    void setRing(const QSizeF& size, const std::optional<QColor>& color)
    {
        prepareGeometryChange();
        m_size = size;
        m_color = color;
        update();
    }

    [[nodiscard]] const std::optional<QColor>& color() const { return m_color; }
    [[nodiscard]] QRectF boundingRect() const override { return {QPointF(), m_size}; }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override
    {
        if (!m_color)
            return;
        painter->setPen(QPen(*m_color, 1.0));
        painter->drawRect(boundingRect().adjusted(0.5, 0.5, -1.0, -1.0));
    }

private:
    QSizeF m_size;
    std::optional<QColor> m_color;
};

}  // namespace

struct PlotCanvas::Scene
{
    QChart* chart = nullptr;         // owned by the view
    QChartView* view = nullptr;      // owned by the parent widget
    PictureItem* picture = nullptr;  // owned by the chart, like the items below
    OverlayItem* overlay = nullptr;
    FocusItem* focus = nullptr;
};

PlotCanvas::PlotCanvas(QWidget& parent, Paint paint) : m_scene(std::make_unique<Scene>())
{
    m_scene->chart = new QChart;
    m_scene->chart->setAnimationOptions(QChart::NoAnimation);
    m_scene->chart->setBackgroundRoundness(0.0);
    m_scene->chart->setMargins(QMargins());
    m_scene->chart->layout()->setContentsMargins(0.0, 0.0, 0.0, 0.0);
    m_scene->chart->legend()->hide();
    m_scene->view = new QChartView(m_scene->chart, &parent);
    m_scene->view->setFrameShape(QFrame::NoFrame);
    m_scene->view->setFocusPolicy(Qt::NoFocus);
    // The plot handles the pointer itself.
    m_scene->view->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_scene->picture = new PictureItem(m_scene->chart, std::move(paint));
    m_scene->overlay = new OverlayItem(m_scene->chart);
    m_scene->overlay->setTextFont(parent.font());
    m_scene->focus = new FocusItem(m_scene->chart);
}

PlotCanvas::~PlotCanvas() = default;

void PlotCanvas::setGeometry(const QRect& rect)
{
    m_scene->view->setGeometry(rect);
    m_scene->chart->resize(rect.size());
    m_scene->picture->setSize(rect.size());
    m_scene->focus->setRing(rect.size(), m_scene->focus->color());
}

void PlotCanvas::setPlotArea(const QRectF& area)
{
    m_scene->chart->setPlotArea(area);
}

void PlotCanvas::setBackground(const QColor& color)
{
    m_scene->chart->setBackgroundBrush(color);
    m_scene->view->setBackgroundBrush(color);
}

void PlotCanvas::invalidate()
{
    m_scene->picture->invalidate();
}

void PlotCanvas::setCrosshair(const std::optional<Crosshair>& crosshair)
{
    m_scene->overlay->setCrosshair(crosshair);
}

void PlotCanvas::setFocusRing(const std::optional<QColor>& color)
{
    m_scene->focus->setRing(m_scene->focus->boundingRect().size(), color);
}

}  // namespace calibscope
