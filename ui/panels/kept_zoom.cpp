// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/kept_zoom.h"

#include "ui/document/edits.h"
#include "ui/plot/plot_view.h"

#include <QScopedValueRollback>

namespace calibscope {

namespace {

Zoom zoomOf(const PlotView& plot)
{
    const PlotZoom zoom = plot.zoom();
    return {.x = zoom.x, .y = zoom.y.empty() ? std::nullopt : std::optional(zoom.y.front())};
}

}  // namespace

KeptZoom::KeptZoom(Document& document, QString page, PlotView& plot)
    : QObject(&plot), m_document(document), m_page(std::move(page)), m_plot(plot)
{
    connect(&plot, &PlotView::zoomCommitted, this, &KeptZoom::keep);
    // Other decisions leave a zoom alone that the wheel has not done with.
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.before.zooms != m_document.workbench().zooms)
            restore();
    });
}

void KeptZoom::restore()
{
    const Zoom kept = edits::zoom(m_document, m_page);
    if (kept == zoomOf(m_plot))
        return;
    const QScopedValueRollback restoring(m_isRestoring, true);
    m_plot.setZoom({.x = kept.x, .y = kept.y ? std::vector<Range>{*kept.y} : std::vector<Range>()});
}

void KeptZoom::keep()
{
    if (!m_isRestoring)
        edits::setZoom(m_document, m_page, zoomOf(m_plot));
}

}  // namespace calibscope
