#include "ui/plot/series_marker.h"

#include <QPainter>

#include <span>

namespace calibscope {

namespace {

using Corners = std::span<const QPointF>;

constexpr QPointF square[] = {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}};
constexpr QPointF diamond[] = {{0.0, -1.25}, {1.25, 0.0}, {0.0, 1.25}, {-1.25, 0.0}};
constexpr QPointF triangleUp[] = {{0.0, -1.2}, {1.15, 0.9}, {-1.15, 0.9}};
constexpr QPointF triangleDown[] = {{0.0, 1.2}, {1.15, -0.9}, {-1.15, -0.9}};
constexpr QPointF cross[] = {{0.0, -0.45}, {0.75, -1.2}, {1.2, -0.75},  {0.45, 0.0},
                             {1.2, 0.75},  {0.75, 1.2},  {0.0, 0.45},   {-0.75, 1.2},
                             {-1.2, 0.75}, {-0.45, 0.0}, {-1.2, -0.75}, {-0.75, -1.2}};

/// Around 0, of a circle of radius 1; none of a circle.
Corners cornersOf(SeriesMarker marker)
{
    switch (marker) {
    case SeriesMarker::Circle: return {};
    case SeriesMarker::Square: return square;
    case SeriesMarker::Diamond: return diamond;
    case SeriesMarker::TriangleUp: return triangleUp;
    case SeriesMarker::TriangleDown: return triangleDown;
    case SeriesMarker::Cross: return cross;
    }
    return {};
}

}  // namespace

void drawMarker(QPainter& painter, SeriesMarker marker, const QPointF& centre, double radius)
{
    QPolygonF shape;
    for (const QPointF& corner : cornersOf(marker))
        shape << centre + radius * corner;
    if (shape.isEmpty())
        painter.drawEllipse(centre, radius, radius);
    else
        painter.drawPolygon(shape);
}

}  // namespace calibscope
