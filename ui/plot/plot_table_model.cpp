#include "ui/plot/plot_table_model.h"

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

}  // namespace calibscope
