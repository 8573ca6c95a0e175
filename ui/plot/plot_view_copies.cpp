// What leaves a plot: pictures and numbers.
#include "ui/plot/export_dialog.h"
#include "ui/plot/picture.h"
#include "ui/plot/plot_clipboard.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_painter.h"
#include "ui/plot/plot_view.h"
#include "ui/plot/plot_view_state.h"
#include "ui/plot/table_dialog.h"

#include <QPainter>

namespace calibscope {

QImage PlotView::picture(double scale) const
{
    QImage image((QSizeF(size()) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paintPlot(painter, *m_state->content, m_state->currentFrame());
    return image;
}

PlotTable PlotView::table() const
{
    const PlotContent& shown = *m_state->content;
    return shown.isEmpty() ? PlotTable() : shown.table(shownRange()).value_or(PlotTable());
}

PlotTable PlotView::wholeTable() const
{
    const PlotContent& all = *m_state->content;
    return all.isEmpty() ? PlotTable() : all.table(all.fullRange()).value_or(PlotTable());
}

bool PlotView::hasTable() const
{
    return table().rowCount() > 0;
}

PictureSettings PlotView::pictureSettings() const
{
    return {.size = size(),
            .isDark = chartColors(palette()).isDark,
            .title = m_state->title,
            .subtitle = m_state->subtitle,
            .footer = m_state->footer,
            .shown = shownRange(),
            .isLogX = isLogX(),
            .yShown = m_state->zoom().y};
}

void PlotView::copyPicture() const
{
    copyPlotPicture(content(), pictureSettings());
}

void PlotView::copyData() const
{
    copyPlotTable(table());
}

void PlotView::exportPicture()
{
    ExportDialog dialog(content(), pictureSettings(), this);
    dialog.exec();
}

void PlotView::showTable()
{
    auto* dialog = new TableDialog(*this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

}  // namespace calibscope
