#pragma once

#include "core/compare/comparison.h"

#include <QAbstractTableModel>

#include <string>
#include <vector>

namespace calibscope {

/// Each calibrator on two recordings of a tensor: both scales, and what B's values lose when A's
/// scale stands in for their own.
class TransferModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Calibrator, ScaleA, ScaleB, Ratio, OwnDb, TransferredDb, LossDb, ColumnCount };
    enum Role {
        StaleRole = Qt::UserRole + 1,  ///< A's scale costs more than staleDb
    };
    /// A loss from which on scales count as stale.
    static constexpr double staleDb = 1.0;

    struct Row
    {
        std::string label;       ///< of the calibrator
        bool isRecipes = false;  ///< the chosen recipe's
        ChoiceComparison comparison;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<Row> rows);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(const Row& row, int column) const;
    [[nodiscard]] QString toolTip(const Row& row) const;

    std::vector<Row> m_rows;
};

}  // namespace calibscope
