#pragma once

class QMenu;

namespace calibscope {

class PlotView;

/// What a right click on a plot offers.
void fillPlotMenu(QMenu& menu, PlotView& plot);

}  // namespace calibscope
