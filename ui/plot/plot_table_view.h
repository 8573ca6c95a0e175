// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_table.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace calibscope {

class PlotView;

/// A plot's numbers as rows for people to read.
class PlotTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(PlotTable table);
    [[nodiscard]] const PlotTable& table() const { return m_table; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    PlotTable m_table;
};

/// The numbers that a plot shows, as a table that follows what it shows. While nobody sees the
/// table it is not kept up to date.
class PlotTableView : public QTableView
{
    Q_OBJECT

public:
    explicit PlotTableView(QWidget* parent = nullptr);

    /// From now on of that plot, which has to outlive this or be replaced before.
    void setPlot(PlotView& plot);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void update();

    PlotView* m_plot = nullptr;
    PlotTableModel* m_model;
};

/// Opens the twin of a plot: its numbers as a table, with the plot's summary above. It follows what
/// the plot shows, and closes with it.
void showTableOf(PlotView& plot);

}  // namespace calibscope
