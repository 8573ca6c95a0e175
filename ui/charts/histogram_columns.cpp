#include "ui/charts/histogram_columns.h"

#include "ui/charts/decimate.h"
#include "ui/charts/plot_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

void paintColumns(QPainter& painter, const PlotFrame& frame, const Histogram& histogram,
                  const ColumnsLook& look)
{
    const double ratio = deviceRatio(painter);
    const AxisScale& y = frame.y.front().scale;
    const double left = snapped(frame.area.left(), ratio);
    const AxisScale& x = frame.x.scale;
    const PixelColumns pixels{.left = left,
                              .width = 1.0 / ratio,
                              .count = static_cast<int>(std::ceil(frame.area.width() * ratio))};
    const auto maxima = columnMaxima(histogram, x, pixels);
    const auto colorOf = [&](std::size_t column) {
        return look.colorOf(x.toValue(pixels.centre(column)));
    };
    std::size_t column = 0;
    while (column < maxima.size()) {
        std::size_t end = column + 1;
        const QColor color = colorOf(column);
        while (end < maxima.size() && maxima[end] == maxima[column] && colorOf(end) == color)
            ++end;
        const double height = look.unit * static_cast<double>(maxima[column]);
        const double top =
            std::min(snapped(y.toPixel(height), ratio), frame.area.bottom() - 1.0 / ratio);
        if (maxima[column] > 0)
            painter.fillRect(QRectF(left + static_cast<double>(column) / ratio, top,
                                    static_cast<double>(end - column) / ratio,
                                    frame.area.bottom() - top),
                             color);
        column = end;
    }
}

void paintSpikes(QPainter& painter, const PlotFrame& frame, const Histogram& histogram,
                 std::uint64_t total, const ColumnsLook& look)
{
    constexpr std::uint64_t share = 10;
    constexpr double leastWidth = 4.0;
    const double ratio = deviceRatio(painter);
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        const std::uint64_t count = histogram.counts[bin];
        if (count < total / share || count == 0)
            continue;
        const double centre = frame.x.scale.toPixel(histogram.centre(bin));
        const double width = frame.x.scale.toPixel(histogram.edge(bin + 1)) -
                             frame.x.scale.toPixel(histogram.edge(bin));
        if (width >= leastWidth)
            continue;
        const double left = snapped(centre - leastWidth / 2.0, ratio);
        const double top =
            snapped(frame.y.front().scale.toPixel(look.unit * static_cast<double>(count)), ratio);
        painter.fillRect(QRectF(left, top, leastWidth, frame.area.bottom() - top),
                         look.colorOf(histogram.centre(bin)));
    }
}

}  // namespace calibscope
