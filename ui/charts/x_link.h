#pragma once

#include "core/base/range.h"

#include <optional>
#include <vector>

namespace calibscope {

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
    /// Lays itself out with at least these margins, and tells those it took.
    virtual PlotMargins layOut(const Range& shown, const PlotMargins& least) = 0;
    /// What was laid out and drawn is out of date.
    virtual void invalidate() = 0;
    virtual void showCrosshair(std::optional<double> x) = 0;
    virtual void reportRange(const Range& shown) = 0;
};

/// What stacked plots share: the x range, the margins, the crosshair. A plot alone is a stack of
/// one.
class XLink
{
public:
    void add(LinkedPlot& plot);
    void remove(LinkedPlot& plot);
    [[nodiscard]] const std::vector<LinkedPlot*>& plots() const { return m_plots; }

    /// Least range that holds all contents.
    [[nodiscard]] Range fullRange() const;
    [[nodiscard]] Range shownRange() const;
    void show(const Range& range);  ///< kept inside the full range
    void showAll();
    void hover(std::optional<double> x);

    /// Some content changed.
    void invalidate();
    /// Lays all plots out if something changed since.
    void ensureLayout();

private:
    void reportRange();

    std::vector<LinkedPlot*> m_plots;
    std::optional<Range> m_zoom;
    std::optional<Range> m_reported;
    bool m_isLaidOut = false;
};

}  // namespace calibscope
