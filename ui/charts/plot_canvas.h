#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

#include <functional>
#include <memory>
#include <optional>

class QPainter;
class QWidget;

namespace calibscope {

/// A crosshair over a plot.
struct Crosshair
{
    double x = 0.0;  ///< in pixels
    QRectF area;
    QString text;  ///< beside the line's lower end; empty: none
    QColor line;
    QColor background;
};

/// The widget that a plot is drawn on: a Qt Charts view as the frame, our own item in it. All use
/// of Qt Charts is behind this interface.
///
/// A picture is drawn once and kept; the crosshair and the focus ring are drawn over it, so that
/// moving the pointer costs a copy of a few pixels.
class PlotCanvas
{
public:
    using Paint = std::function<void(QPainter&)>;

    /// `paint` draws everything but the overlay, in logical pixels from the widget's corner.
    PlotCanvas(QWidget& parent, Paint paint);
    ~PlotCanvas();
    PlotCanvas(const PlotCanvas&) = delete;
    PlotCanvas& operator=(const PlotCanvas&) = delete;

    void setGeometry(const QRect& rect);
    void setPlotArea(const QRectF& area);
    void setBackground(const QColor& color);
    void invalidate();  ///< the picture is drawn anew before it is next shown
    void setCrosshair(const std::optional<Crosshair>& crosshair);
    void setFocusRing(const std::optional<QColor>& color);

private:
    struct Scene;
    std::unique_ptr<Scene> m_scene;
};

}  // namespace calibscope
