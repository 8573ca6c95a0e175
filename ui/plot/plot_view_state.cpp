// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_view_state.h"

#include "ui/plot/number_label.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_painter.h"

#include <QAccessible>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QPaintEngine>
#include <QPainter>
#include <QPixmap>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>

#include <cmath>
#include <utility>

namespace calibscope {

namespace {

/// On x and on the left y axis.
QPointF valuesAt(const PlotFrame& frame, const QPointF& position)
{
    return {frame.x.scale.toValue(position.x()), frame.y.front().scale.toValue(position.y())};
}

}  // namespace

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

PlotViewState::PlotViewState(PlotView& plotView, std::unique_ptr<PlotContent> plotContent)
    : view(plotView),
      content(std::move(plotContent)),
      link(std::make_shared<XLink>()),
      canvas(plotView, [this](QPainter& painter) { paintPlot(painter, *content, currentFrame()); }),
      gestures(*this)
{
    constexpr int restMs = 400;
    wheelRest.setSingleShot(true);
    wheelRest.setInterval(restMs);
    QObject::connect(&wheelRest, &QTimer::timeout, &plotView, [this] { link->commitZoom(); });
    constexpr int pointerRestMs = 60;
    pointerRest.setSingleShot(true);
    pointerRest.setInterval(pointerRestMs);
    QObject::connect(&pointerRest, &QTimer::timeout, &plotView, [this] { showCard(); });
    link->add(*this);
}

PlotViewState::~PlotViewState()
{
    link->remove(*this);
}

std::optional<Range> PlotViewState::contentRange() const
{
    return content->isEmpty() ? std::nullopt : std::optional(content->fullRange());
}

FrameWish PlotViewState::frameWish() const
{
    FrameWish request;
    request.outer = QRectF(QPointF(), QSizeF(view.size()));
    request.shown = link->shownRange();
    request.xKind = link->xKind();
    request.logX = link->logX().value_or(LogX());
    request.yShown = zoom().y;
    request.font = view.font();
    request.colors = chartColors(view.palette());
    request.title = title;
    request.subtitle = subtitle;
    request.hasXLabels = hasXLabels;
    request.hasTitles = hasTitles;
    request.titleNeeds = titleNeeds;
    request.hasLegend = content->isLegendNeeded();
    return request;
}

PlotMargins PlotViewState::layOut(const Range& shown, const PlotMargins& least)
{
    FrameWish request = frameWish();
    request.shown = shown;
    request.leastLeft = least.left;
    request.leastRight = least.right;
    frame = layoutPlot(*content, request);
    canvas.setPlotArea(frame.area);
    showGhost();
    showHandles();
    if (content->isEmpty())
        return least;
    return {frame.area.left() - frame.outer.left(), frame.outer.right() - frame.area.right()};
}

const PlotFrame& PlotViewState::currentFrame()
{
    link->ensureLayout();
    return frame;
}

void PlotViewState::showCrosshair(std::optional<double> x)
{
    const Range& shown = frame.x.scale.values();
    if (!x || !shown.contains(*x) || content->isEmpty() || !content->hasAxes()) {
        canvas.setOverlay(Overlay::Crosshair, {});
        return;
    }
    const bool isAtZero = frame.x.scale.kind() == ScaleKind::Log && *x < frame.leastX;
    const double pixel = frame.x.scale.toPixel(*x);
    const double step = std::abs(frame.x.scale.toValue(pixel + 1.0) - *x);
    const QString text = isAtZero ? QStringLiteral("0") : content->xText(*x, step);
    canvas.setOverlay(Overlay::Crosshair,
                      crosshairPiece(frame, pixel, hasXLabels ? text : QString()));
}

void PlotViewState::reportRange(const Range& shown)
{
    Q_EMIT view.shownRangeChanged(shown);
}

void PlotViewState::reportZoomStep()
{
    Q_EMIT view.zoomCommitted(zoom());
}

void PlotViewState::commitZoom()
{
    wheelRest.stop();
    link->commitZoom();
}

void PlotViewState::joinStack(const std::shared_ptr<XLink>& other)
{
    if (link == other)
        return;
    // All plots of the old stack come along.
    const std::shared_ptr<XLink> old = link;
    const std::vector<LinkedPlot*> plots = old->plots();
    for (LinkedPlot* plot : plots) {
        old->remove(*plot);
        static_cast<PlotViewState*>(plot)->link = other;
        other->add(*plot);
    }
}

void PlotViewState::leaveStack()
{
    const std::shared_ptr<XLink> old = std::exchange(link, std::make_shared<XLink>());
    old->remove(*this);
    link->setLogX(old->isLogXRequested());
    link->add(*this);
}

void PlotViewState::zoomX(double factor)
{
    const PlotFrame& current = currentFrame();
    changeZoom(zoomedAround(current, link->fullRange(), zoom(), {true, !content->hasAxes()},
                            current.area.center(), factor));
    commitZoomSoon();
}

void PlotViewState::showGhost()
{
    const auto paint = [this](QPainter& painter) {
        painter.setClipRect(frame.area, Qt::IntersectClip);
        ghost(painter, frame);
    };
    canvas.setOverlay(Overlay::Ghost, ghost && !content->isEmpty() ? OverlayPiece{frame.area, paint}
                                                                   : OverlayPiece());
}

void PlotViewState::showFocus()
{
    canvas.setOverlay(Overlay::Focus,
                      hasFocusRing
                          ? focusPiece(QSizeF(view.size()), view.palette().color(QPalette::Link))
                          : OverlayPiece());
}

void PlotViewState::hoverAt(const QPointF& position)
{
    const PlotFrame& current = currentFrame();
    const bool isAtHeight =
        position.y() >= current.area.top() && position.y() < current.area.bottom();
    const bool isOnHandle =
        !content->isEmpty() && isAtHeight && handles.at(position.x(), current.x.scale) != nullptr;
    if (content->isEmpty() || !current.area.contains(position)) {
        leave();
        if (!gestures.isActive())
            isOnHandle ? view.setCursor(Qt::SplitHCursor) : view.unsetCursor();
        return;
    }
    isHovered = true;
    const double x = current.x.scale.toValue(position.x());
    link->hover(x);
    if (!gestures.isActive()) {
        if (isOnHandle)
            view.setCursor(Qt::SplitHCursor);
        else
            view.unsetCursor();
    }
    pointer = position;
    canvas.setOverlay(Overlay::Card, {});
    pointerRest.start();
    Q_EMIT view.hovered(x);
    Q_EMIT view.pointed(valuesAt(current, position));
    tellReadout(pointedText());
}

QString PlotViewState::pointedText()
{
    if (isHovered && !content->isEmpty())
        return content->readout(currentFrame().x.scale.toValue(pointer.x()), currentFrame());
    const PlotHandle* chosen = handles.chosen();
    return chosen != nullptr
               ? PlotView::tr("%1 at %2").arg(chosen->label, valueLabel(chosen->value, 6))
               : QString();
}

void PlotViewState::tellReadout(const QString& text)
{
    Q_EMIT view.readoutChanged(text);
    if (!QAccessible::isActive())
        return;
    QAccessibleValueChangeEvent event(&view, text);
    QAccessible::updateAccessibility(&event);
}

void PlotViewState::showCard()
{
    const PlotFrame& current = currentFrame();
    if (!isHovered || gestures.isActive() || content->isEmpty())
        return;
    canvas.setOverlay(Overlay::Card,
                      cardPiece(current, pointer, content->hoverText(pointer, current)));
}

void PlotViewState::leave()
{
    if (!isHovered)
        return;
    isHovered = false;
    link->hover(std::nullopt);
    pointerRest.stop();
    canvas.setOverlay(Overlay::Card, {});
    if (!gestures.isActive())
        view.unsetCursor();
    Q_EMIT view.hovered(std::nullopt);
    Q_EMIT view.pointed(std::nullopt);
    tellReadout(QString());
}

void PlotViewState::reportClick(const QPointF& position)
{
    const PlotFrame& current = currentFrame();
    // What was pressed may have lost its content before it was released.
    if (!content->isEmpty() && !current.y.empty())
        Q_EMIT view.clicked(valuesAt(current, position));
}

void PlotViewState::takeHandles()
{
    handles.setHandles(content->isEmpty() ? std::vector<PlotHandle>() : content->handles());
    showHandles();
}

void PlotViewState::showHandles()
{
    const PlotHandle* chosen = handles.chosen();
    canvas.setOverlay(Overlay::Handles, handlesPiece(frame, handles.handles(), chosen,
                                                     view.palette().color(QPalette::Link)));
    const QString description =
        chosen != nullptr
            ? PlotView::tr("%1 at %2. The arrow keys move it, with Shift ten steps at once.")
                  .arg(chosen->label, valueLabel(chosen->value, 6))
            : content->summary();
    if (view.accessibleDescription() != description)
        view.setAccessibleDescription(description);
}

void PlotViewState::moveHandle(const QString& id, double value, bool isFinal)
{
    const double allowed = handles.hold(id, value);
    showHandles();
    Q_EMIT view.handleMoved(id, allowed, isFinal);
    if (isFinal) {
        handles.release();
        takeHandles();
    }
}

}  // namespace calibscope
