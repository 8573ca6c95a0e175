// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_canvas.h"
#include "ui/plot/plot_frame.h"
#include "ui/plot/plot_handle.h"
#include "ui/plot/plot_interaction.h"
#include "ui/plot/plot_view.h"
#include "ui/plot/x_link.h"

#include <QTimer>

#include <memory>
#include <optional>

namespace calibscope {

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
    void invalidate() override;
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
    bool hasXLabels = true;
    bool isHovered = false;
    bool hasFocusRing = false;
    std::optional<QString> unfinishedHandle;  ///< moved by a key that is still down
};

}  // namespace calibscope
