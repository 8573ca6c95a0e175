// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_overlay.h"

#include <QColor>
#include <QRectF>

#include <functional>
#include <map>
#include <memory>

class QPainter;
class QWidget;

namespace calibscope {

/// Layers over a plot's picture, from the lowest up.
enum class Overlay { Ghost, Handles, Box, Crosshair, Card, Focus };

/// The widget that a plot is drawn on: a Qt Charts view as the frame, our own item in it. All use
/// of Qt Charts is behind this interface.
///
/// A picture is drawn once and kept; overlays are drawn over it, so that moving the pointer costs a
/// copy of a few pixels.
class PlotCanvas
{
public:
    using Paint = std::function<void(QPainter&)>;

    /// `paint` draws everything but the overlays and leaves no pixel out, in logical pixels from
    /// the widget's corner.
    PlotCanvas(QWidget& parent, Paint paint);
    ~PlotCanvas();
    PlotCanvas(const PlotCanvas&) = delete;
    PlotCanvas& operator=(const PlotCanvas&) = delete;

    /// Nothing is made before the first call.
    void setGeometry(const QRect& rect);
    void setPlotArea(const QRectF& area);
    void invalidate();  ///< the picture is drawn anew before it is next shown
    void setOverlay(Overlay overlay, OverlayPiece piece);  ///< an empty piece: none

private:
    struct Scene;
    QWidget& m_parent;
    Paint m_paint;
    QRectF m_area;
    std::map<Overlay, OverlayPiece> m_waiting;  ///< until there is a scene
    std::unique_ptr<Scene> m_scene;             ///< from the first size on
};

}  // namespace calibscope
