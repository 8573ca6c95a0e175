#include "ui/plot/plot_table_view.h"

#include "ui/plot/plot_table_model.h"
#include "ui/plot/plot_view.h"
#include "ui/plot/table_menu.h"

#include <QHeaderView>

namespace calibscope {

PlotTableView::PlotTableView(QWidget* parent)
    : QTableView(parent), m_model(new PlotTableModel(this))
{
    setModel(m_model);
    addTableMenu(*this, [this] { return m_plot ? m_plot->table() : PlotTable(); });
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    setWordWrap(false);  // a number that is cut at its point says nothing
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setResizeContentsPrecision(0);  // of the rows on screen
    horizontalHeader()->setStretchLastSection(true);
}

void PlotTableView::setPlot(PlotView& plot)
{
    if (&plot == m_plot)
        return;
    if (m_plot)
        m_plot->disconnect(this);
    m_plot = &plot;
    connect(m_plot, &PlotView::shownRangeChanged, this, &PlotTableView::update);
    connect(m_plot, &PlotView::contentChanged, this, &PlotTableView::update);
    update();
}

QSize PlotTableView::sizeHint() const
{
    constexpr int rows = 6;
    return {QTableView::sizeHint().width(), horizontalHeader()->sizeHint().height() +
                                                rows * verticalHeader()->defaultSectionSize() +
                                                2 * frameWidth()};
}

void PlotTableView::showEvent(QShowEvent* event)
{
    update();
    QTableView::showEvent(event);
}

void PlotTableView::update()
{
    if (isVisible() && m_plot)
        m_model->setTable(m_plot->table());
}

}  // namespace calibscope
