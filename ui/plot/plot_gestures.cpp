#include "ui/plot/plot_gestures.h"

#include "ui/plot/plot_view_state.h"

#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace calibscope {

namespace {

constexpr double leastDrag = 3.0;  // pixels; less is a click

bool isIn(double place, double low, double high)
{
    return place >= low && place <= high;
}

}  // namespace

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
    const PlotHandle* handle =
        isInArea ? m_state.handles.at(event.position().x(), frame.x.scale) : nullptr;
    if (isInArea && event.modifiers().testFlag(Qt::ControlModifier)) {
        drag.kind = Kind::Box;
    } else if (handle != nullptr) {
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

}  // namespace calibscope
