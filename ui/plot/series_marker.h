#pragma once

#include "ui/theme/chart_colors.h"

#include <QPolygonF>

class QPainter;

namespace calibscope {

/// Draws a point of a series with the painter's pen and brush. All shapes look about as large as a
/// circle of that radius.
void drawMarker(QPainter& painter, SeriesMarker marker, const QPointF& centre, double radius);

}  // namespace calibscope
