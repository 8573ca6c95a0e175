// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_zoom.h"

#include <QPointF>
#include <QString>

#include <optional>

class QMouseEvent;
class QWheelEvent;
class QKeyEvent;

namespace calibscope {

class PlotViewState;

/// Action of dragging inside a plot; with Ctrl it is the other. The user's choice for all plots.
enum class PlotDrag {
    Move,  ///< moves what is shown
    Zoom,  ///< zooms into a box
};
[[nodiscard]] PlotDrag plotDrag();
void setPlotDrag(PlotDrag drag);

/// Effects of the mouse on a plot, from the press of a button to its release.
class PlotGestures
{
public:
    explicit PlotGestures(PlotViewState& state) : m_state(state) {}

    void press(const QMouseEvent& event);
    /// True: a gesture is going on.
    bool move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    /// False: the wheel means nothing there.
    bool wheel(const QWheelEvent& event);
    /// Everything is as before the button was pressed. False: nothing is going on.
    bool cancel();
    [[nodiscard]] bool isActive() const { return m_drag.has_value(); }

private:
    enum class Kind { Move, Box, Handle };
    struct Drag
    {
        Kind kind = Kind::Move;
        QPointF start;
        PlotFrame frame;  ///< then
        PlotZoom zoom;    ///< then
        ZoomAxes axes;
        QString handle;
        double handleValue = 0.0;  ///< then
        bool hasMoved = false;
    };

    void moveHandle(const Drag& drag, const QPointF& position, bool isFinal);
    void finishBox(const Drag& drag, const QPointF& position);

    PlotViewState& m_state;
    std::optional<Drag> m_drag;
};

/// The axes that a pointer there acts on: both in the area, one over its labels; nothing beside.
[[nodiscard]] std::optional<ZoomAxes> axesAt(const PlotFrame& frame, const QPointF& position);

/// Effects of keys on a plot. False: the key means nothing to it.
bool pressKey(PlotViewState& state, const QKeyEvent& event);
bool releaseKey(PlotViewState& state, const QKeyEvent& event);

/// The plot needs the key now, whatever shortcut of the window it is.
[[nodiscard]] bool isKeyTaken(const PlotViewState& state, const QKeyEvent& event);

}  // namespace calibscope
