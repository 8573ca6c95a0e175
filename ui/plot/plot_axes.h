#pragma once

#include "ui/plot/plot_frame.h"

namespace calibscope {

/// The x axis of an area, with as many ticks as have room for their labels.
[[nodiscard]] PlotAxis layoutX(const PlotContent& content, const FrameWish& request,
                               const QRectF& area);

/// The y axes in the room that axes and area have together. What was asked for holds while there
/// are as many axes as then.
[[nodiscard]] std::vector<PlotAxis> layoutY(const PlotContent& content, const FrameWish& request,
                                            const QRectF& room);

}  // namespace calibscope
