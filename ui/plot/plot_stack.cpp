#include "ui/plot/plot_stack.h"

#include "ui/plot/plot_view.h"

namespace calibscope {

PlotStack::PlotStack(std::vector<PlotView*> plots)
{
    for (PlotView* plot : plots)
        add(*plot);
}

void PlotStack::add(PlotView& plot)
{
    m_plots.push_back(&plot);
    if (m_areLinked)
        m_plots.front()->linkX(plot);
}

void PlotStack::setLinked(bool areLinked)
{
    if (areLinked == m_areLinked)
        return;
    m_areLinked = areLinked;
    for (std::size_t place = 1; place < m_plots.size(); ++place)
        if (areLinked)
            m_plots.front()->linkX(*m_plots[place]);
        else
            m_plots[place]->unlinkX();
}

void PlotStack::setLogX(bool requested) const
{
    for (PlotView* plot : m_plots)
        plot->setLogX(requested);
}

}  // namespace calibscope
