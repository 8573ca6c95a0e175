#include "ui/plot/table_dialog.h"

#include "ui/plot/plot_table_view.h"
#include "ui/plot/plot_view.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace calibscope {

TableDialog::TableDialog(PlotView& plot) : QDialog(&plot), m_plot(plot), m_summary(new QLabel(this))
{
    setWindowTitle(plot.accessibleName().isEmpty()
                       ? tr("Data table")
                       : tr("%1: data table").arg(plot.accessibleName()));
    m_summary->setWordWrap(true);
    auto* table = new PlotTableView(this);
    table->setAccessibleName(windowTitle());
    table->setPlot(plot);
    m_summary->setBuddy(table);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    connect(copy, &QPushButton::clicked, &plot, &PlotView::copyData);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_summary);
    layout->addWidget(table, 1);
    layout->addWidget(buttons);
    connect(&plot, &PlotView::shownRangeChanged, this, &TableDialog::update);
    connect(&plot, &PlotView::contentChanged, this, &TableDialog::update);
    const int em = fontMetrics().height();
    resize(em * 36, em * 30);
    update();
    table->setFocus();
}

void TableDialog::update()
{
    m_summary->setText(m_plot.textSummary());
}

}  // namespace calibscope
