#include "ui/plot/plot_menu.h"

#include "ui/plot/plot_view.h"
#include "ui/plot/table_menu.h"

#include <QMenu>

namespace calibscope {

void fillPlotMenu(QMenu& menu, PlotView& plot)
{
    menu.setToolTipsVisible(true);
    menu.addAction(PlotView::tr("Show &all"), &plot, &PlotView::fit);
    menu.addAction(PlotView::tr("Zoom &back"), &plot, &PlotView::zoomBack)
        ->setEnabled(plot.canZoomBack());
    menu.addAction(PlotView::tr("Zoom &forward"), &plot, &PlotView::zoomForward)
        ->setEnabled(plot.canZoomForward());
    QAction* logX = menu.addAction(PlotView::tr("Logarithmic &x axis"), &plot, &PlotView::setLogX);
    logX->setCheckable(true);
    logX->setChecked(plot.isLogX());
    logX->setEnabled(plot.canLogX());
    logX->setToolTip(plot.linearOnlyText());
    menu.addSeparator();
    menu.addAction(PlotView::tr("Copy &picture"), &plot, &PlotView::copyPicture);
    QAction* copyData = menu.addAction(PlotView::tr("Copy &data"), &plot, &PlotView::copyData);
    QAction* showTable =
        menu.addAction(PlotView::tr("Data &table..."), &plot, &PlotView::showTable);
    const bool hasTable = plot.hasTable();
    copyData->setEnabled(hasTable);
    showTable->setEnabled(hasTable);
    const TableSource shown = [&plot] { return plot.table(); };
    const TableSource whole = [&plot] { return plot.wholeTable(); };
    QMenu* copyShown = copyAsMenu(PlotView::tr("Copy data in view a&s"), shown, &menu);
    QMenu* copyWhole = copyAsMenu(PlotView::tr("Copy a&ll data as"), whole, &menu);
    for (QMenu* copy : {copyShown, copyWhole}) {
        menu.addMenu(copy);
        copy->setEnabled(hasTable);
    }
    menu.addAction(PlotView::tr("Sa&ve all data as..."), &plot,
                   [whole, &plot] { askAndSaveTable(whole, &plot); })
        ->setEnabled(hasTable);
    menu.addSeparator();
    menu.addAction(PlotView::tr("&Export picture..."), &plot, &PlotView::exportPicture);
}

}  // namespace calibscope
