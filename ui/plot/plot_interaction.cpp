// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_interaction.h"

#include "ui/plot/plot_view_state.h"
#include "ui/plot/plot_zoom.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace calibscope {

namespace {

PlotDrag chosenDrag = PlotDrag::Move;  // of the window's thread alone

constexpr double leastDrag = 3.0;  // pixels; less is a click

bool isIn(double place, double low, double high)
{
    return place >= low && place <= high;
}

constexpr double keyShare = 0.1;  // of the area's width, for each press of an arrow key

void moveView(PlotViewState& state, double share)
{
    const PlotFrame& frame = state.currentFrame();
    state.changeZoom(movedBy(frame, state.link->fullRange(), state.zoom(), {true, false},
                             {-share * frame.area.width(), 0.0}));
    state.commitZoomSoon();
}

/// The chosen handle, by so many steps.
void moveChosen(PlotViewState& state, double steps, bool isRepeated)
{
    const PlotHandle& handle = *state.handles.chosen();
    const QString id = handle.id;
    state.moveHandle(id, handle.value + steps * handle.step, !isRepeated);
    state.unfinishedHandle = isRepeated ? std::optional(id) : std::nullopt;
}

void moveByArrow(PlotViewState& state, const QKeyEvent& event, double direction)
{
    constexpr double manySteps = 10.0;
    const bool isFar = event.modifiers().testFlag(Qt::ShiftModifier);
    if (state.handles.chosen() != nullptr)
        moveChosen(state, direction * (isFar ? manySteps : 1.0), event.isAutoRepeat());
    else
        moveView(state, direction * keyShare);
}

bool chooseNone(PlotViewState& state)
{
    if (state.gestures.cancel())
        return true;
    if (state.handles.chosen() == nullptr)
        return false;
    state.handles.chooseNone();
    state.showHandles();
    return true;
}

bool chooseNext(PlotViewState& state, bool isForward)
{
    if (state.handles.handles().empty())
        return false;
    if (!state.handles.chooseNext(isForward))
        state.handles.chooseNext(isForward);  // round to the other end
    state.showHandles();
    return true;
}

}  // namespace

PlotDrag plotDrag()
{
    return chosenDrag;
}

void setPlotDrag(PlotDrag drag)
{
    chosenDrag = drag;
}

std::optional<ZoomAxes> axesAt(const PlotFrame& frame, const QPointF& position)
{
    const QRectF& area = frame.area;
    const bool isBesideX = isIn(position.x(), area.left(), area.right());
    const bool isBesideY = isIn(position.y(), area.top(), area.bottom());
    if (isBesideX && isBesideY)
        return ZoomAxes{true, true};
    if (isBesideX && position.y() > area.bottom() && frame.footerBox.isEmpty())
        return ZoomAxes{true, false};
    const bool isLeft = position.x() < area.left();
    if (isBesideY && (isLeft || frame.y.size() > 1))
        return ZoomAxes{false, true};
    return std::nullopt;
}

void PlotGestures::press(const QMouseEvent& event)
{
    if (event.button() != Qt::LeftButton || m_state.content->isEmpty())
        return;
    m_state.commitZoom();
    const PlotFrame& frame = m_state.currentFrame();
    const std::optional<ZoomAxes> axes = axesAt(frame, event.position());
    if (!axes)
        return;
    Drag drag{.start = event.position(), .frame = frame, .zoom = m_state.zoom(), .axes = *axes};
    const bool isInArea = axes->x && axes->y;
    // Also that half of one at the edge which lies over the axis.
    const PlotHandle* handle =
        axes->y ? m_state.handles.at(event.position().x(), frame.x.scale) : nullptr;
    const bool isWithControl = event.modifiers().testFlag(Qt::ControlModifier);
    const bool isBox = isInArea && isWithControl == (plotDrag() == PlotDrag::Move);
    if (isBox && (handle == nullptr || isWithControl)) {
        drag.kind = Kind::Box;
    } else if (handle != nullptr && !isWithControl) {
        drag.kind = Kind::Handle;
        drag.handle = handle->id;
        drag.handleValue = handle->value;
        m_state.handles.choose(handle->id);
        m_state.showHandles();
    }
    m_drag = std::move(drag);
}

bool PlotGestures::move(const QMouseEvent& event)
{
    if (!m_drag || !event.buttons().testFlag(Qt::LeftButton))
        return false;
    Drag& drag = *m_drag;
    const QPointF distance = event.position() - drag.start;
    drag.hasMoved = drag.hasMoved || distance.manhattanLength() >= leastDrag;
    if (!drag.hasMoved)
        return true;
    switch (drag.kind) {
    case Kind::Move:
        m_state.view.setCursor(Qt::ClosedHandCursor);
        m_state.changeZoom(
            movedBy(drag.frame, m_state.link->fullRange(), drag.zoom, drag.axes, distance));
        break;
    case Kind::Box:
        m_state.canvas.setOverlay(Overlay::Box,
                                  boxPiece(drag.frame, QRectF(drag.start, event.position())));
        break;
    case Kind::Handle: moveHandle(drag, event.position(), false); break;
    }
    return true;
}

void PlotGestures::release(const QMouseEvent& event)
{
    if (!m_drag || event.button() != Qt::LeftButton)
        return;
    const Drag drag = *m_drag;
    m_drag.reset();
    m_state.view.unsetCursor();
    switch (drag.kind) {
    case Kind::Move: m_state.commitZoom(); break;
    case Kind::Box: finishBox(drag, event.position()); break;
    case Kind::Handle:
        if (drag.hasMoved)
            moveHandle(drag, event.position(), true);
        return;
    }
    const bool isInArea = drag.axes.x && drag.axes.y;
    if (!drag.hasMoved && isInArea)
        m_state.reportClick(event.position());
}

void PlotGestures::moveHandle(const Drag& drag, const QPointF& position, bool isFinal)
{
    const AxisScale& x = drag.frame.x.scale;
    const double grabbed = x.toPixel(drag.handleValue) - drag.start.x();
    m_state.moveHandle(drag.handle, x.toValue(position.x() + grabbed), isFinal);
}

void PlotGestures::finishBox(const Drag& drag, const QPointF& position)
{
    m_state.canvas.setOverlay(Overlay::Box, {});
    constexpr double leastSide = 8.0;  // a flat box is meant for one axis
    const QRectF box = QRectF(drag.start, position).normalized().intersected(drag.frame.area);
    const ZoomAxes axes{box.width() >= leastSide, box.height() >= leastSide};
    if (!axes.x && !axes.y)
        return;
    m_state.changeZoom(zoomedInto(drag.frame, m_state.link->fullRange(), drag.zoom, axes, box));
    m_state.commitZoom();
}

bool PlotGestures::wheel(const QWheelEvent& event)
{
    // With Alt some desktops turn the wheel's direction.
    const double notches = (event.angleDelta().y() + event.angleDelta().x()) / 120.0;
    const PlotFrame& frame = m_state.currentFrame();
    std::optional<ZoomAxes> axes = axesAt(frame, event.position());
    if (notches == 0.0 || !axes || m_drag || m_state.content->isEmpty())
        return false;
    if (event.modifiers().testFlag(Qt::AltModifier))
        axes = ZoomAxes{true, false};
    else if (event.modifiers().testFlag(Qt::ShiftModifier))
        axes = ZoomAxes{false, true};
    constexpr double notchZoom = 1.25;
    m_state.changeZoom(zoomedAround(frame, m_state.link->fullRange(), m_state.zoom(), *axes,
                                    event.position(), std::pow(notchZoom, -notches)));
    m_state.commitZoomSoon();
    return true;
}

bool PlotGestures::cancel()
{
    if (!m_drag)
        return false;
    const Drag drag = *m_drag;
    m_drag.reset();
    m_state.view.unsetCursor();
    m_state.canvas.setOverlay(Overlay::Box, {});
    if (drag.kind == Kind::Move)
        m_state.link->revertZoom();
    if (drag.kind == Kind::Handle && drag.hasMoved)
        m_state.moveHandle(drag.handle, drag.handleValue, true);
    return true;
}

bool pressKey(PlotViewState& state, const QKeyEvent& event)
{
    PlotView& view = state.view;
    const bool isAlt = event.modifiers().testFlag(Qt::AltModifier);
    const bool isShift = event.modifiers().testFlag(Qt::ShiftModifier);
    switch (event.key()) {
    case Qt::Key_Home: view.goHome(); return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal: view.zoomIn(); return true;
    case Qt::Key_Minus: view.zoomOut(); return true;
    case Qt::Key_Backspace: isShift ? view.zoomForward() : view.zoomBack(); return true;
    case Qt::Key_Left: isAlt ? view.zoomBack() : moveByArrow(state, event, -1.0); return true;
    case Qt::Key_Right: isAlt ? view.zoomForward() : moveByArrow(state, event, 1.0); return true;
    case Qt::Key_BracketLeft: return chooseNext(state, false);
    case Qt::Key_BracketRight: return chooseNext(state, true);
    case Qt::Key_Escape: return chooseNone(state);
    default: return false;
    }
}

bool releaseKey(PlotViewState& state, const QKeyEvent& event)
{
    if (event.isAutoRepeat() || !state.unfinishedHandle)
        return false;
    const QString id = *state.unfinishedHandle;
    state.unfinishedHandle.reset();
    for (const PlotHandle& handle : state.handles.handles())
        if (handle.id == id) {
            state.moveHandle(id, handle.value, true);
            return true;
        }
    return false;
}

bool isKeyTaken(const PlotViewState& state, const QKeyEvent& event)
{
    switch (event.key()) {
    case Qt::Key_Escape: return state.gestures.isActive() || state.handles.chosen() != nullptr;
    case Qt::Key_Left:
    case Qt::Key_Right: return !event.modifiers().testFlag(Qt::AltModifier);
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight: return !state.handles.handles().empty();
    default: return false;
    }
}

}  // namespace calibscope
