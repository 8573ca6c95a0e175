#pragma once

#include "ui/plot/plot_table.h"

#include <QAbstractTableModel>

namespace calibscope {

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

}  // namespace calibscope
