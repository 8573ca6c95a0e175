#pragma once

#include "core/compare/statistics.h"

#include <QAbstractTableModel>

#include <vector>

namespace calibscope {

/// Numbers of a tensor in two recordings, and how far they are apart.
class StatisticsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, A, B, Absolute, Relative, Word, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<StatisticPair> rows);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(const StatisticPair& row, int column) const;

    std::vector<StatisticPair> m_rows;
};

}  // namespace calibscope
