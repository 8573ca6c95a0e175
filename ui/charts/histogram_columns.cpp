#include "ui/charts/histogram_columns.h"

#include "ui/charts/histogram_painter.h"
#include "ui/plot/plot_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

void paintColumns(QPainter& painter, const PlotFrame& frame, const Histogram& histogram,
                  const ColumnsLook& look)
{
    HistogramPainter(painter, frame, look.unit).fill(histogram, look.colorOf);
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
