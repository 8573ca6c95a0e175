#include "ui/charts/plot_view_state.h"

#include "ui/charts/number_label.h"
#include "ui/charts/plot_content.h"
#include "ui/charts/plot_painter.h"

namespace calibscope {

PlotView::State::State(PlotView& plotView, std::unique_ptr<PlotContent> plotContent)
    : view(plotView),
      content(std::move(plotContent)),
      link(std::make_shared<XLink>()),
      canvas(plotView, [this](QPainter& painter) { paintPlot(painter, *content, currentFrame()); })
{
    link->add(*this);
}

PlotView::State::~State()
{
    link->remove(*this);
}

std::optional<Range> PlotView::State::contentRange() const
{
    return content->isEmpty() ? std::nullopt : std::optional(content->fullRange());
}

FrameWish PlotView::State::frameWish() const
{
    FrameWish wish;
    wish.outer = QRectF(QPointF(), QSizeF(view.size()));
    wish.shown = link->shownRange();
    wish.font = view.font();
    wish.colors = chartColors(view.palette());
    wish.title = title;
    wish.subtitle = subtitle;
    wish.hasXLabels = hasXLabels;
    wish.hasLegend = content->isLegendNeeded();
    return wish;
}

PlotMargins PlotView::State::layOut(const Range& shown, const PlotMargins& least)
{
    FrameWish wish = frameWish();
    wish.shown = shown;
    wish.leastLeft = least.left;
    wish.leastRight = least.right;
    frame = layoutPlot(*content, wish);
    canvas.setBackground(frame.colors.background);
    canvas.setPlotArea(frame.area);
    if (content->isEmpty())
        return least;
    return {frame.area.left() - frame.outer.left(), frame.outer.right() - frame.area.right()};
}

void PlotView::State::invalidate()
{
    canvas.invalidate();
}

const PlotFrame& PlotView::State::currentFrame()
{
    link->ensureLayout();
    return frame;
}

void PlotView::State::showCrosshair(std::optional<double> x)
{
    const Range& shown = frame.x.scale.values();
    if (!x || !shown.contains(*x) || content->isEmpty()) {
        canvas.setCrosshair(std::nullopt);
        return;
    }
    canvas.setCrosshair(Crosshair{.x = frame.x.scale.toPixel(*x),
                                  .area = frame.area,
                                  .text = hasXLabels ? valueLabel(*x) : QString(),
                                  .line = frame.colors.crosshair,
                                  .background = frame.colors.background});
}

void PlotView::State::reportRange(const Range& shown)
{
    Q_EMIT view.shownRangeChanged(shown);
}

void PlotView::State::joinStack(const std::shared_ptr<XLink>& other)
{
    if (link == other)
        return;
    // All plots of the old stack come along.
    const std::shared_ptr<XLink> old = link;
    const std::vector<LinkedPlot*> plots = old->plots();
    for (LinkedPlot* plot : plots) {
        old->remove(*plot);
        static_cast<State*>(plot)->link = other;
        other->add(*plot);
    }
}

void PlotView::State::hoverAt(const QPointF& position)
{
    const PlotFrame& current = currentFrame();
    if (content->isEmpty() || !current.area.contains(position)) {
        leave();
        return;
    }
    isHovered = true;
    const double x = current.x.scale.toValue(position.x());
    link->hover(x);
    Q_EMIT view.hovered(x);
    Q_EMIT view.readoutChanged(content->readout(x, current));
}

void PlotView::State::leave()
{
    if (!isHovered)
        return;
    isHovered = false;
    link->hover(std::nullopt);
    Q_EMIT view.hovered(std::nullopt);
    Q_EMIT view.readoutChanged(QString());
}

}  // namespace calibscope
