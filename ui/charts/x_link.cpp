#include "ui/charts/x_link.h"

#include "ui/charts/axis_scale.h"
#include "ui/charts/x_range.h"

#include <algorithm>

namespace calibscope {

void XLink::add(LinkedPlot& plot)
{
    m_plots.push_back(&plot);
    invalidate();
}

void XLink::remove(LinkedPlot& plot)
{
    std::erase(m_plots, &plot);
    invalidate();
}

Range XLink::fullRange() const
{
    std::optional<Range> full;
    for (const LinkedPlot* plot : m_plots)
        if (const std::optional<Range> range = plot->contentRange())
            full = full ? unitedRange(*full, *range) : *range;
    return full ? drawableRange(*full) : Range{0.0, 1.0};
}

Range XLink::shownRange() const
{
    return m_zoom ? movedRange(*m_zoom, fullRange(), 0.0) : fullRange();
}

void XLink::show(const Range& range)
{
    const Range full = fullRange();
    const Range inside = movedRange(drawableRange(range), full, 0.0);
    m_zoom = inside.width() < full.width() ? std::optional(inside) : std::nullopt;
    invalidate();
    reportRange();
}

void XLink::showAll()
{
    m_zoom.reset();
    invalidate();
    reportRange();
}

void XLink::hover(std::optional<double> x)
{
    ensureLayout();
    for (LinkedPlot* plot : m_plots)
        plot->showCrosshair(x);
}

void XLink::invalidate()
{
    m_isLaidOut = false;
    for (LinkedPlot* plot : m_plots)
        plot->invalidate();
}

void XLink::ensureLayout()
{
    if (m_isLaidOut)
        return;
    m_isLaidOut = true;
    const Range shown = shownRange();
    PlotMargins widest;
    std::vector<PlotMargins> taken;
    for (LinkedPlot* plot : m_plots) {
        taken.push_back(plot->layOut(shown, {}));
        widest = {std::max(widest.left, taken.back().left),
                  std::max(widest.right, taken.back().right)};
    }
    for (std::size_t plot = 0; plot < m_plots.size(); ++plot)
        if (taken[plot] != widest)
            static_cast<void>(m_plots[plot]->layOut(shown, widest));
}

void XLink::reportRange()
{
    const Range shown = shownRange();
    if (m_reported == shown)
        return;
    m_reported = shown;
    for (LinkedPlot* plot : m_plots)
        plot->reportRange(shown);
}

}  // namespace calibscope
