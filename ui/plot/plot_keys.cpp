#include "ui/plot/plot_keys.h"

#include "ui/plot/frame_zoom.h"
#include "ui/plot/plot_view_state.h"

#include <QKeyEvent>

namespace calibscope {

namespace {

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

bool pressKey(PlotView& view, PlotViewState& state, const QKeyEvent& event)
{
    const bool isAlt = event.modifiers().testFlag(Qt::AltModifier);
    const bool isShift = event.modifiers().testFlag(Qt::ShiftModifier);
    switch (event.key()) {
    case Qt::Key_Home: view.fit(); return true;
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
