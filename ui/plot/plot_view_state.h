// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_handle.h"
#include "ui/plot/plot_interaction.h"
#include "ui/plot/plot_painter.h"
#include "ui/plot/plot_view.h"
#include "ui/plot/x_link.h"

#include <QByteArray>
#include <QColor>
#include <QRectF>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>

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

/// What a plot widget keeps: its content, where everything lies, the stack it belongs to, and what
/// the user is doing.
class PlotViewState : public LinkedPlot
{
public:
    PlotViewState(PlotView& view, std::unique_ptr<PlotContent> plotContent);
    ~PlotViewState() override;
    PlotViewState(const PlotViewState&) = delete;
    PlotViewState& operator=(const PlotViewState&) = delete;

    [[nodiscard]] std::optional<Range> contentRange() const override;
    [[nodiscard]] std::optional<LogX> contentLogX() const override { return content->logX(); }
    PlotMargins layOut(const Range& shown, const PlotMargins& least) override;
    void invalidate() override { canvas.invalidate(); }
    void showCrosshair(std::optional<double> x) override;
    void reportRange(const Range& shown) override;
    void reportZoomStep() override;

    [[nodiscard]] FrameWish frameWish() const;
    /// The frame as it is now on screen.
    [[nodiscard]] const PlotFrame& currentFrame();
    /// Moves to another stack.
    void joinStack(const std::shared_ptr<XLink>& other);
    void leaveStack();  ///< for one of its own

    [[nodiscard]] PlotZoom zoom() const { return link->zoom(*this); }
    void changeZoom(const PlotZoom& zoom) { link->changeZoom(*this, zoom); }
    void zoomX(double factor);  ///< around the middle, as a step
    void commitZoom();
    /// When the wheel has come to rest.
    void commitZoomSoon() { wheelRest.start(); }

    void hoverAt(const QPointF& position);
    void leave();
    void showCard();
    [[nodiscard]] QString pointedText();
    void tellReadout(const QString& text);
    void reportClick(const QPointF& position);
    void showFocus();
    void showGhost();

    void takeHandles();  ///< from the content, which has changed
    void showHandles();
    /// To a value, or as near as is allowed, and tells it.
    void moveHandle(const QString& id, double value, bool isFinal);

    PlotView& view;
    std::unique_ptr<PlotContent> content;
    std::shared_ptr<XLink> link;
    PlotCanvas canvas;
    PlotFrame frame;
    HandleSelection handles;
    PlotGestures gestures;
    QTimer wheelRest;
    QTimer pointerRest;  ///< the card beside the pointer waits for it
    QPointF pointer;
    GhostPaint ghost;
    QString title;
    QString subtitle;
    QByteArray titleNeeds;  ///< of the title's parts
    bool hasXLabels = true;
    bool hasTitles = true;  ///< of the axes
    bool isHovered = false;
    bool hasFocusRing = false;
    std::optional<QString> unfinishedHandle;  ///< moved by a key that is still down
};

}  // namespace calibscope
