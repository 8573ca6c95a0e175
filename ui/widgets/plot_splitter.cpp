// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot_splitter.h"

#include <algorithm>
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

void PlotSplitter::setUsualLeast(const QList<int>& pixels)
{
    m_least = pixels;
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
    for (int part = 0; part < sizes.size() && part < m_least.size(); ++part)
        for (int other = 0; other < sizes.size() && other < m_least.size(); ++other) {
            const int given = std::clamp(m_least[part] - sizes[part], 0,
                                         std::max(sizes[other] - m_least[other], 0));
            sizes[part] += given;
            sizes[other] -= given;
        }
    setSizes(sizes);
}

void PlotSplitter::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    if (!m_isMoved)
        reset();
}

}  // namespace calibscope
