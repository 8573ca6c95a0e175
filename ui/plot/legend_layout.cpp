#include "ui/plot/legend_layout.h"

#include <cmath>

namespace calibscope {

std::vector<PlacedLegendEntry> layoutLegend(const std::vector<LegendEntry>& entries,
                                            const QRectF& room, const QFontMetricsF& metrics)
{
    constexpr double entryGap = 16.0;
    const double rowHeight = std::ceil(metrics.height() * 1.2);
    std::vector<PlacedLegendEntry> placed;
    QPointF corner = room.topLeft();
    for (LegendEntry entry : entries) {
        entry.text = metrics.elidedText(entry.text, Qt::ElideRight, room.width() - legendSignWidth);
        const double width = legendSignWidth + metrics.horizontalAdvance(entry.text);
        if (corner.x() > room.left() && corner.x() + width > room.right())
            corner = QPointF(room.left(), corner.y() + rowHeight);
        if (corner.y() + rowHeight > room.bottom())
            return {};
        placed.push_back({entry, QRectF(corner, QSizeF(width, rowHeight))});
        corner.rx() += width + entryGap;
    }
    return placed;
}

}  // namespace calibscope
