#include "ui/charts/plot_canvas.h"

#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QPainter>
#include <QPixmap>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>

#include <map>

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
        m_isOutdated = true;
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
            m_isOutdated = true;
        }
        if (m_isOutdated) {
            m_isOutdated = false;
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
    bool m_isOutdated = true;
};

class OverlayItem : public QGraphicsItem
{
public:
    explicit OverlayItem(QGraphicsItem* parent) : QGraphicsItem(parent) {}

    void setPiece(OverlayPiece piece)
    {
        if (m_piece.bounds.isEmpty() && piece.bounds.isEmpty())
            return;
        prepareGeometryChange();
        m_piece = std::move(piece);
        update();
    }

    [[nodiscard]] QRectF boundingRect() const override
    {
        return m_piece.bounds.isEmpty() ? QRectF() : m_piece.bounds.adjusted(-1, -1, 1, 1);
    }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override
    {
        if (!m_piece.bounds.isEmpty())
            m_piece.paint(*painter);
    }

private:
    OverlayPiece m_piece;
};

}  // namespace

struct PlotCanvas::Scene
{
    QChart* chart = nullptr;         // owned by the view
    QChartView* view = nullptr;      // owned by the parent widget
    PictureItem* picture = nullptr;  // owned by the chart, like the items below
    std::map<Overlay, OverlayItem*> overlays;
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
    // The picture covers all: three fills below it would take as long as the picture itself.
    m_scene->chart->setBackgroundVisible(false);
    m_scene->view->setBackgroundBrush(Qt::NoBrush);
    m_scene->view->viewport()->setAutoFillBackground(false);
    m_scene->view->viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_scene->view->setFocusPolicy(Qt::NoFocus);
    // The plot handles the pointer itself.
    m_scene->view->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_scene->picture = new PictureItem(m_scene->chart, std::move(paint));
    for (const Overlay overlay : {Overlay::Ghost, Overlay::Handles, Overlay::Box,
                                  Overlay::Crosshair, Overlay::Card, Overlay::Focus})
        m_scene->overlays[overlay] = new OverlayItem(m_scene->chart);
}

PlotCanvas::~PlotCanvas() = default;

void PlotCanvas::setGeometry(const QRect& rect)
{
    m_scene->view->setGeometry(rect);
    m_scene->chart->resize(rect.size());
    m_scene->picture->setSize(rect.size());
}

void PlotCanvas::setPlotArea(const QRectF& area)
{
    m_scene->chart->setPlotArea(area);
}

void PlotCanvas::invalidate()
{
    m_scene->picture->invalidate();
}

void PlotCanvas::setOverlay(Overlay overlay, OverlayPiece piece)
{
    m_scene->overlays[overlay]->setPiece(std::move(piece));
}

}  // namespace calibscope
