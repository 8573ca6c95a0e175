#pragma once

#include "ui/charts/plot_canvas.h"
#include "ui/charts/plot_frame.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/x_link.h"

#include <memory>
#include <optional>

namespace calibscope {

/// What a plot widget keeps: its content, where everything lies, and the stack it belongs to.
class PlotView::State : public LinkedPlot
{
public:
    State(PlotView& view, std::unique_ptr<PlotContent> plotContent);
    ~State() override;
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    [[nodiscard]] std::optional<Range> contentRange() const override;
    PlotMargins layOut(const Range& shown, const PlotMargins& least) override;
    void invalidate() override;
    void showCrosshair(std::optional<double> x) override;
    void reportRange(const Range& shown) override;

    [[nodiscard]] FrameWish frameWish() const;
    /// The frame as it is now on screen.
    [[nodiscard]] const PlotFrame& currentFrame();
    /// Moves to another stack.
    void joinStack(const std::shared_ptr<XLink>& other);
    void hoverAt(const QPointF& position);
    void leave();

    PlotView& view;
    std::unique_ptr<PlotContent> content;
    std::shared_ptr<XLink> link;
    PlotCanvas canvas;
    PlotFrame frame;
    QString title;
    QString subtitle;
    bool hasXLabels = true;
    bool isHovered = false;
    struct Drag
    {
        double pixel = 0.0;  ///< where the button went down
        Range shown;         ///< then
    };
    std::optional<Drag> drag;
};

}  // namespace calibscope
