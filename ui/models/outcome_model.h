#pragma once

#include "ui/outcome_row.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace calibscope {

/// What the calibrators found for one tensor, side by side. The check box of a row tells whether it
/// is drawn.
class OutcomeModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Calibrator, Threshold, Scale, Clipped, Sqnr, MaxError, Recipes, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<OutcomeRow> rows);
    [[nodiscard]] const OutcomeRow& row(int index) const;
    /// No other row has a higher SQNR, but some have a lower one.
    [[nodiscard]] bool isBest(int index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    /// The user wants the row of that label drawn or not; setRows() is to follow.
    void tickRequested(const std::string& label, bool isTicked);

private:
    [[nodiscard]] QString text(const OutcomeRow& row, int column) const;
    [[nodiscard]] QVariant decoration(int index, int column) const;
    [[nodiscard]] QString toolTip(const OutcomeRow& row) const;

    std::vector<OutcomeRow> m_rows;
    std::optional<double> m_bestDb;  ///< nothing where no row stands out
};

}  // namespace calibscope
