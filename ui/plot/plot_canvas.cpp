// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_canvas.h"

#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QPaintEngine>
#include <QPainter>
#include <QPixmap>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>

namespace calibscope {

/// The chart and its items; made when there is something to show, for most plots of a window never
/// are shown.
struct PlotCanvas::Scene
{
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
            if (painter->paintEngine()->type() != QPaintEngine::Raster)
                return m_paint(*painter);  // vectors stay vectors
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

    QChart* chart = nullptr;         // owned by the view
    QChartView* view = nullptr;      // owned by the parent widget
    PictureItem* picture = nullptr;  // owned by the chart, like the items below
    std::map<Overlay, OverlayItem*> overlays;

    Scene(QWidget& parent, Paint paint);
};

PlotCanvas::Scene::Scene(QWidget& parent, Paint paint)
    : chart(new QChart), view(new QChartView(chart, &parent))
{
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setBackgroundRoundness(0.0);
    chart->setMargins(QMargins());
    chart->layout()->setContentsMargins(0.0, 0.0, 0.0, 0.0);
    chart->legend()->hide();
    view->setFrameShape(QFrame::NoFrame);
    // The picture covers all: three fills below it would take as long as the picture itself.
    chart->setBackgroundVisible(false);
    view->setBackgroundBrush(Qt::NoBrush);
    view->viewport()->setAutoFillBackground(false);
    view->viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    view->setFocusPolicy(Qt::NoFocus);
    // The plot handles the pointer itself.
    view->setAttribute(Qt::WA_TransparentForMouseEvents);
    picture = new PictureItem(chart, std::move(paint));
    for (const Overlay overlay : {Overlay::Ghost, Overlay::Handles, Overlay::Box,
                                  Overlay::Crosshair, Overlay::Card, Overlay::Focus})
        overlays[overlay] = new OverlayItem(chart);
    view->lower();
    view->show();
}

PlotCanvas::PlotCanvas(QWidget& parent, Paint paint) : m_parent(parent), m_paint(std::move(paint))
{}

PlotCanvas::~PlotCanvas() = default;

void PlotCanvas::setGeometry(const QRect& rect)
{
    if (!m_scene) {
        m_scene = std::make_unique<Scene>(m_parent, m_paint);
        m_scene->chart->setPlotArea(m_area);
        for (auto& [overlay, piece] : m_waiting)
            m_scene->overlays[overlay]->setPiece(std::move(piece));
        m_waiting.clear();
    }
    m_scene->view->setGeometry(rect);
    m_scene->chart->resize(rect.size());
    m_scene->picture->setSize(rect.size());
}

void PlotCanvas::setPlotArea(const QRectF& area)
{
    m_area = area;
    if (m_scene)
        m_scene->chart->setPlotArea(area);
}

void PlotCanvas::invalidate()
{
    if (m_scene)
        m_scene->picture->invalidate();
}

void PlotCanvas::setOverlay(Overlay overlay, OverlayPiece piece)
{
    if (m_scene)
        m_scene->overlays[overlay]->setPiece(std::move(piece));
    else
        m_waiting[overlay] = std::move(piece);
}

}  // namespace calibscope
