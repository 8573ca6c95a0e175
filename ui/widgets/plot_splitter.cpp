#include "ui/widgets/plot_splitter.h"

#include <numeric>

namespace calibscope {

PlotSplitter::PlotSplitter(Qt::Orientation orientation, QWidget* parent)
    : QSplitter(orientation, parent)
{
    setChildrenCollapsible(false);
    connect(this, &QSplitter::splitterMoved, this, [this] { m_isMoved = true; });
}

void PlotSplitter::setUsualShares(const QList<int>& shares)
{
    m_usual = shares;
    for (int part = 0; part < count() && part < shares.size(); ++part)
        setStretchFactor(part, shares[part]);
    reset();
}

void PlotSplitter::reset()
{
    m_isMoved = false;
    const int all = std::accumulate(m_usual.begin(), m_usual.end(), 0);
    if (all <= 0)
        return;
    const int room = orientation() == Qt::Vertical ? height() : width();
    QList<int> sizes;
    for (const int share : m_usual)
        sizes += room * share / all;
    setSizes(sizes);
}

void PlotSplitter::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    if (!m_isMoved)
        reset();
}

}  // namespace calibscope
