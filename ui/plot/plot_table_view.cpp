// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_table_view.h"

#include "ui/plot/plot_view.h"
#include "ui/plot/table_menu.h"
#include "ui/theme/plain_text.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace calibscope {

void PlotTableModel::setTable(PlotTable table)
{
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int PlotTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rowCount());
}

int PlotTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant PlotTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const PlotColumn& column = m_table.columns[static_cast<std::size_t>(index.column())];
    if (role == Qt::DisplayRole)
        return cellText(column, static_cast<std::size_t>(index.row()));
    if (role == Qt::TextAlignmentRole && !std::holds_alternative<QStringList>(column.cells))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant PlotTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    const auto column = static_cast<std::size_t>(section);
    return column < m_table.columns.size() ? m_table.columns[column].title : QVariant();
}

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

void showTableOf(PlotView& plot)
{
    auto* dialog = new QDialog(&plot);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const QString name = plot.accessibleName();
    dialog->setWindowTitle(name.isEmpty() ? PlotTableView::tr("Data table")
                                          : PlotTableView::tr("%1: data table").arg(name));
    auto* summary = new PlainLabel(dialog);
    summary->setWordWrap(true);
    auto* table = new PlotTableView(dialog);
    table->setAccessibleName(dialog->windowTitle());
    table->setPlot(plot);
    summary->setBuddy(table);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QPushButton* copy =
        buttons->addButton(PlotTableView::tr("&Copy"), QDialogButtonBox::ActionRole);
    QObject::connect(copy, &QPushButton::clicked, &plot, &PlotView::copyData);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(summary);
    layout->addWidget(table, 1);
    layout->addWidget(buttons);
    const auto update = [summary, &plot] { summary->setText(plot.textSummary()); };
    QObject::connect(&plot, &PlotView::shownRangeChanged, summary, update);
    QObject::connect(&plot, &PlotView::contentChanged, summary, update);
    const int em = dialog->fontMetrics().height();
    dialog->resize(em * 36, em * 30);
    update();
    table->setFocus();
    dialog->show();
}

}  // namespace calibscope
