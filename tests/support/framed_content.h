// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/recorded_painting.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <optional>
#include <vector>

namespace calibscope::test {

inline constexpr QSize framedSize(900, 420);

/// A plot of 900 x 420 pixels with nothing around it, all of x unless it is said otherwise.
[[nodiscard]] inline PlotFrame frameOf(const PlotContent& content, std::optional<Range> shown = {})
{
    loadFonts();
    FrameWish request;
    request.outer = QRectF(QPointF(), QSizeF(framedSize));
    request.shown = shown.value_or(content.fullRange());
    request.font = pictureFont(13);
    return layoutPlot(content, request);
}

[[nodiscard]] inline RecordedPainting paintingOf(const PlotContent& content,
                                                 std::optional<Range> shown = {})
{
    const PlotFrame frame = frameOf(content, shown);
    return recordPainting(framedSize, [&](QPainter& painter) { content.paint(painter, frame); });
}

/// What was filled with a colour, in the order of painting.
[[nodiscard]] inline std::vector<QRectF> rectsOf(const RecordedPainting& painting,
                                                 const QColor& color)
{
    std::vector<QRectF> rects;
    for (const DrawnRect& drawn : painting.rects)
        if (drawn.color == color)
            rects.push_back(drawn.rect);
    return rects;
}

}  // namespace calibscope::test
