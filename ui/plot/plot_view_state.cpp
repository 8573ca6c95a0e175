// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_view_state.h"

#include "ui/plot/number_label.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_painter.h"

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

void PlotViewState::invalidate()
{
    canvas.invalidate();
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
    if (content->isEmpty() || !current.area.contains(position)) {
        leave();
        return;
    }
    isHovered = true;
    const double x = current.x.scale.toValue(position.x());
    link->hover(x);
    if (!gestures.isActive()) {
        if (handles.at(position.x(), current.x.scale) != nullptr)
            view.setCursor(Qt::SplitHCursor);
        else
            view.unsetCursor();
    }
    pointer = position;
    canvas.setOverlay(Overlay::Card, {});
    pointerRest.start();
    Q_EMIT view.hovered(x);
    Q_EMIT view.pointed(valuesAt(current, position));
    Q_EMIT view.readoutChanged(content->readout(x, current));
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
    Q_EMIT view.readoutChanged(QString());
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
