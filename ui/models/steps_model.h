#pragma once

#include "ui/queries/explain_rows.h"

#include <QAbstractTableModel>

#include <functional>
#include <optional>
#include <vector>

namespace calibscope {

/// The way from one choice to another as a table: each row changes one option of the row above it.
class StepsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Step, Waterfall, Threshold, Scale, ScaleChange, Sqnr, SqnrChange, ColumnCount };
    enum Role {
        DecisiveRole = Qt::UserRole + 1,  ///< no other step changes the scale by more
        FromRole,   ///< SQNR of the row above in dB, a double; nothing without one
        ToRole,     ///< of this row
        LeastRole,  ///< of all rows
        MostRole,
    };

    /// Where the rows stand: asked at each look.
    using Rows = std::function<const std::vector<ExplainRow>&()>;

    /// Lists none until refresh().
    explicit StepsModel(Rows rows, QObject* parent = nullptr);

    /// The rows are others.
    void refresh();
    [[nodiscard]] const ExplainRow& row(int index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(int index, int column) const;
    [[nodiscard]] QString changeText(int index, int column) const;
    [[nodiscard]] bool isDecisive(int index) const;
    [[nodiscard]] std::optional<double> sqnr(int index) const;
    [[nodiscard]] QVariant end(bool isMost) const;

    Rows m_rows;
    int m_count = 0;  ///< of the rows at the last refresh()
};

}  // namespace calibscope
