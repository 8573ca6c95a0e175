// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/x_link.h"

#include "ui/plot/plot_zoom.h"

#include <algorithm>

namespace calibscope {

bool ZoomStack::commit()
{
    if (m_current == m_steps[m_place])
        return false;
    constexpr std::size_t mostSteps = 200;
    m_steps.resize(m_place + 1);
    if (m_steps.size() == mostSteps)
        m_steps.erase(m_steps.begin());
    m_steps.push_back(m_current);
    m_place = m_steps.size() - 1;
    return true;
}

bool ZoomStack::canGoForward() const
{
    return m_place + 1 < m_steps.size() && m_current == m_steps[m_place];
}

bool ZoomStack::back()
{
    commit();
    if (m_place == 0)
        return false;
    m_current = m_steps[--m_place];
    return true;
}

bool ZoomStack::forward()
{
    if (!canGoForward())
        return false;
    m_current = m_steps[++m_place];
    return true;
}

void XLink::add(LinkedPlot& plot)
{
    m_members.push_back({&plot, m_nextNumber++});
    invalidate();
}

void XLink::remove(LinkedPlot& plot)
{
    std::erase_if(m_members, [&](const Member& member) { return member.plot == &plot; });
    invalidate();
}

std::vector<LinkedPlot*> XLink::plots() const
{
    std::vector<LinkedPlot*> plots;
    for (const Member& member : m_members)
        plots.push_back(member.plot);
    return plots;
}

int XLink::numberOf(const LinkedPlot& plot) const
{
    const auto found = std::ranges::find(m_members, &plot, &Member::plot);
    return found == m_members.end() ? -1 : found->number;
}

Range XLink::linearRange() const
{
    std::optional<Range> full;
    for (const Member& member : m_members)
        if (const std::optional<Range> range = member.plot->contentRange())
            full = full ? unitedRange(*full, *range) : *range;
    return full ? drawableRange(*full) : Range{0.0, 1.0};
}

Range XLink::fullRange() const
{
    const Range full = linearRange();
    const std::optional<LogX> log = m_isLogXRequested ? logX() : std::nullopt;
    return log ? Range{log->floor, full.high} : full;
}

Range XLink::shownRange() const
{
    const Range full = fullRange();
    const std::optional<Range>& zoom = m_zooms.current().x;
    if (!zoom || zoom->high <= full.low || zoom->low >= full.high)
        return full;
    const ScaleKind kind = xKind();
    // A zoom that was made on a linear axis may begin at 0 or below.
    const double low = kind == ScaleKind::Log ? std::max(zoom->low, full.low) : zoom->low;
    return rangeInside(kind, {low, zoom->high}, full);
}

void XLink::setLogX(bool requested)
{
    m_isLogXRequested = requested;
    showChanged(false);
}

ScaleKind XLink::xKind() const
{
    return m_isLogXRequested && logX() ? ScaleKind::Log : ScaleKind::Linear;
}

std::optional<LogX> XLink::logX() const
{
    std::optional<LogX> all;
    for (const Member& member : m_members) {
        if (!member.plot->contentRange())
            continue;
        const std::optional<LogX> own = member.plot->contentLogX();
        if (!own)
            return std::nullopt;
        all = all ? LogX{std::min(all->floor, own->floor), std::min(all->least, own->least)} : *own;
    }
    return all && all->floor < linearRange().high ? all : std::nullopt;
}

PlotZoom XLink::zoom(const LinkedPlot& plot) const
{
    const LinkedZoom& current = m_zooms.current();
    const auto own = current.y.find(numberOf(plot));
    return {current.x, own == current.y.end() ? std::vector<Range>() : own->second};
}

void XLink::changeZoom(const LinkedPlot& plot, const PlotZoom& zoom)
{
    LinkedZoom changed = m_zooms.current();
    changed.x.reset();
    if (zoom.x) {
        const Range full = fullRange();
        const Range inside = rangeInside(xKind(), drawableRange(*zoom.x), full);
        if (inside != full)
            changed.x = inside;
    }
    if (zoom.y.empty())
        changed.y.erase(numberOf(plot));
    else
        changed.y[numberOf(plot)] = zoom.y;
    if (changed == m_zooms.current())
        return;
    m_zooms.change(std::move(changed));
    showChanged(false);
}

void XLink::show(const Range& range)
{
    if (m_members.empty())
        return;
    const LinkedPlot& plot = *m_members.front().plot;
    changeZoom(plot, {range, zoom(plot).y});
    commitZoom();
}

void XLink::showAll()
{
    m_zooms.change({});
    showChanged(m_zooms.commit());
}

void XLink::commitZoom()
{
    if (!m_zooms.commit())
        return;
    for (const Member& member : m_members)
        member.plot->reportZoomStep();
}

void XLink::revertZoom()
{
    m_zooms.revert();
    showChanged(false);
}

void XLink::zoomBack()
{
    if (m_zooms.back())
        showChanged(true);
}

void XLink::zoomForward()
{
    if (m_zooms.forward())
        showChanged(true);
}

void XLink::forgetZooms()
{
    m_zooms.clear();
    showChanged(false);
}

void XLink::hover(std::optional<double> x)
{
    ensureLayout();
    for (const Member& member : m_members)
        member.plot->showCrosshair(x);
}

void XLink::invalidate()
{
    m_isLaidOut = false;
    for (const Member& member : m_members)
        member.plot->invalidate();
}

void XLink::ensureLayout()
{
    if (m_isLaidOut)
        return;
    m_isLaidOut = true;
    const Range shown = shownRange();
    PlotMargins widest;
    std::vector<PlotMargins> taken;
    for (const Member& member : m_members) {
        taken.push_back(member.plot->layOut(shown, {}));
        widest = {std::max(widest.left, taken.back().left),
                  std::max(widest.right, taken.back().right)};
    }
    for (std::size_t plot = 0; plot < m_members.size(); ++plot)
        if (taken[plot] != widest)
            static_cast<void>(m_members[plot].plot->layOut(shown, widest));
}

void XLink::showChanged(bool isStep)
{
    invalidate();
    const Range shown = shownRange();
    const bool isMoved = m_reported != shown;
    m_reported = shown;
    for (const Member& member : m_members) {
        if (isMoved)
            member.plot->reportRange(shown);
        if (isStep)
            member.plot->reportZoomStep();
    }
}

}  // namespace calibscope
