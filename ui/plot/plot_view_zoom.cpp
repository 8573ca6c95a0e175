// What a plot shows of its axes; events and looks are in plot_view.cpp.
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"
#include "ui/plot/plot_view_state.h"

namespace calibscope {

namespace {

constexpr double keyZoom = 1.4;

}  // namespace

Range PlotView::shownRange() const
{
    return m_state->link->shownRange();
}

void PlotView::showRange(const Range& range)
{
    m_state->link->show(range);
}

void PlotView::fit()
{
    m_state->link->showAll();
}

void PlotView::zoomIn()
{
    m_state->zoomX(1.0 / keyZoom);
}

void PlotView::zoomOut()
{
    m_state->zoomX(keyZoom);
}

void PlotView::zoomBack()
{
    m_state->wheelRest.stop();
    m_state->link->zoomBack();
}

void PlotView::zoomForward()
{
    m_state->commitZoom();
    m_state->link->zoomForward();
}

bool PlotView::canZoomBack() const
{
    return m_state->link->zooms().canGoBack();
}

bool PlotView::canZoomForward() const
{
    return m_state->link->zooms().canGoForward();
}

PlotZoom PlotView::zoom() const
{
    return m_state->zoom();
}

void PlotView::setZoom(const PlotZoom& zoom)
{
    m_state->changeZoom(zoom);
    m_state->commitZoom();
}

void PlotView::setLogX(bool requested)
{
    m_state->link->setLogX(requested);
}

bool PlotView::isLogX() const
{
    return m_state->link->xKind() == ScaleKind::Log;
}

bool PlotView::canLogX() const
{
    return m_state->link->logX().has_value();
}

QString PlotView::linearOnlyText() const
{
    if (canLogX())
        return {};
    for (const LinkedPlot* plot : m_state->link->plots())
        if (plot->contentRange() && !plot->contentLogX())
            return static_cast<const PlotViewState*>(plot)->content->linearOnlyText();
    return tr("There is nothing to show.");
}

}  // namespace calibscope
