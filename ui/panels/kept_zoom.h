// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QObject>

namespace calibscope {

class PlotView;

/// Keeps the zoom of a page's uppermost plot with what the user decided, so that undo goes back to
/// it and a tensor that is shown again has it. Of the plots linked to it the x range alone is kept.
class KeptZoom : public QObject
{
    Q_OBJECT

public:
    /// Lives as long as the plot. `page` parts it from the zooms of other pages.
    KeptZoom(Document& document, QString page, PlotView& plot);

    /// To be called when the plot shows another tensor, or another histogram of it.
    void restore();

private:
    void keep();

    Document& m_document;
    QString m_page;
    PlotView& m_plot;
    bool m_isRestoring = false;  ///< what the plot reports then, nobody has requested
};

}  // namespace calibscope
