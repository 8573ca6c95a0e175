#pragma once

class QKeyEvent;

namespace calibscope {

class PlotView;
class PlotViewState;

/// What keys do to a plot. False: the key means nothing to it.
bool pressKey(PlotView& view, PlotViewState& state, const QKeyEvent& event);
bool releaseKey(PlotViewState& state, const QKeyEvent& event);

/// The plot needs the key now, whatever shortcut of the window it is.
[[nodiscard]] bool isKeyTaken(const PlotViewState& state, const QKeyEvent& event);

}  // namespace calibscope
