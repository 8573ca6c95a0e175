#pragma once

#include <vector>

namespace calibscope {

class PlotView;

/// Plots over or beside one another that share x for as long as they are linked.
class PlotStack
{
public:
    /// Linked at first.
    explicit PlotStack(std::vector<PlotView*> plots = {});

    /// Another plot, linked or not as the others are.
    void add(PlotView& plot);
    /// Linked again, all show what the first one shows.
    void setLinked(bool areLinked);
    [[nodiscard]] bool areLinked() const { return m_areLinked; }
    /// Of all of them, see PlotView::setLogX().
    void setLogX(bool requested) const;

private:
    std::vector<PlotView*> m_plots;
    bool m_areLinked = true;
};

}  // namespace calibscope
