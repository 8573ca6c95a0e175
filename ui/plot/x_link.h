// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "ui/plot/axis_scale.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_zoom.h"

#include <map>
#include <optional>
#include <vector>

namespace calibscope {

/// Visible range of plots that share x.
struct LinkedZoom
{
    std::optional<Range> x;               ///< nothing: all
    std::map<int, std::vector<Range>> y;  ///< by number of the plot, where y was zoomed

    bool operator==(const LinkedZoom&) const = default;
};

/// Where a user zoomed to, with the way back and forward. It begins with all shown.
///
/// A gesture changes the zoom again and again; only its end is a step.
class ZoomStack
{
public:
    [[nodiscard]] const LinkedZoom& current() const { return m_current; }
    void change(LinkedZoom zoom) { m_current = std::move(zoom); }
    /// The gesture has ended. False: nothing had changed. The way forward is forgotten.
    bool commit();
    /// The gesture was cancelled: the zoom is the last step's.
    void revert() { m_current = m_steps[m_place]; }

    [[nodiscard]] bool canGoBack() const { return m_place > 0 || m_current != m_steps[m_place]; }
    [[nodiscard]] bool canGoForward() const;
    /// To the step before (what is not yet a step becomes one). False: there is none.
    bool back();
    bool forward();
    /// All shown, no way back.
    void clear() { *this = {}; }

private:
    std::vector<LinkedZoom> m_steps{LinkedZoom{}};
    std::size_t m_place = 0;  ///< of the last step in m_steps
    LinkedZoom m_current;
};

struct PlotMargins
{
    double left = 0.0;
    double right = 0.0;
    bool operator==(const PlotMargins&) const = default;
};

/// A plot as its stack sees it.
class LinkedPlot
{
public:
    virtual ~LinkedPlot() = default;
    /// Of its content; nothing while it is empty.
    [[nodiscard]] virtual std::optional<Range> contentRange() const = 0;
    /// Of its content, which is not empty.
    [[nodiscard]] virtual std::optional<LogX> contentLogX() const = 0;
    /// Lays itself out with at least these margins, and tells those it took.
    virtual PlotMargins layOut(const Range& shown, const PlotMargins& least) = 0;
    /// Layout and picture are out of date.
    virtual void invalidate() = 0;
    virtual void showCrosshair(std::optional<double> x) = 0;
    virtual void reportRange(const Range& shown) = 0;
    /// A step was added to the zooms, or gone back or forward to.
    virtual void reportZoomStep() = 0;
};

/// State that stacked plots share: the x range and its kind of scale, the zooms with the way back,
/// the margins, the crosshair. A plot alone is a stack of one.
class XLink
{
public:
    void add(LinkedPlot& plot);
    void remove(LinkedPlot& plot);
    [[nodiscard]] std::vector<LinkedPlot*> plots() const;

    /// Least range that holds all contents; of a logarithmic axis without what lies below its
    /// floor.
    [[nodiscard]] Range fullRange() const;
    [[nodiscard]] Range shownRange() const;

    /// Logarithmic x is requested; it is logarithmic as long as all contents can have it.
    void setLogX(bool requested);
    [[nodiscard]] bool isLogXRequested() const { return m_isLogXRequested; }
    [[nodiscard]] ScaleKind xKind() const;
    /// What all contents together want of a logarithmic x; nothing if one of them can't have it or
    /// all are empty.
    [[nodiscard]] std::optional<LogX> logX() const;

    /// Of one of the plots.
    [[nodiscard]] PlotZoom zoom(const LinkedPlot& plot) const;
    /// Shows that, x kept inside the full range. It is not a step yet.
    void changeZoom(const LinkedPlot& plot, const PlotZoom& zoom);
    void show(const Range& range);  ///< along x, as a step
    void showAll();                 ///< y too, as a step
    void commitZoom();              ///< what was changed is a step
    void revertZoom();              ///< to the last step
    void zoomBack();
    void zoomForward();
    void forgetZooms();  ///< all shown, no way back; nobody's request, and so no step
    [[nodiscard]] const ZoomStack& zooms() const { return m_zooms; }

    void hover(std::optional<double> x);

    /// Some content changed.
    void invalidate();
    /// Lays all plots out if something changed since.
    void ensureLayout();

private:
    struct Member
    {
        LinkedPlot* plot;
        int number;  ///< never given twice
    };

    [[nodiscard]] int numberOf(const LinkedPlot& plot) const;
    [[nodiscard]] Range linearRange() const;
    void showChanged(bool isStep);

    std::vector<Member> m_members;
    int m_nextNumber = 0;
    ZoomStack m_zooms;
    bool m_isLogXRequested = false;
    std::optional<Range> m_reported;
    bool m_isLaidOut = false;
};

}  // namespace calibscope
