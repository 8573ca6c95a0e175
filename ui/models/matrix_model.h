#pragma once

#include "ui/document/dump_tensors.h"
#include "ui/document/matrix_reader.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <memory>
#include <optional>
#include <vector>

namespace calibscope {

/// One number of each calibrator on each tensor. The first column names the tensor; rows are in the
/// order of the dump.
class MatrixModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Role {
        ValueRole = Qt::UserRole + 1,  ///< of the metric, a double; nothing where there is none
        BestRole,                      ///< no other of the row is better, but some are worse
        ExactRole,                     ///< false: the number is an estimate
        StateRole,                     ///< State
        TensorRole,                    ///< index of the tensor in the dump
        IdRole,                        ///< of a heading: the candidate's id, a QString
    };
    enum State {
        Waiting,   ///< not computed yet
        None,      ///< the candidate is none of the tensor's
        Computed,  ///< there is a value, or none can be: see the tool tip
        Failed,    ///< the tool tip says why
    };

    explicit MatrixModel(const MatrixReader& reader, QObject* parent = nullptr);

    /// Those of the dump that are rows, by their index in it.
    void setTensors(std::shared_ptr<const DumpTensors> dump, std::vector<int> rows);
    void setMetric(MatrixMetric metric);
    [[nodiscard]] MatrixMetric metric() const { return m_metric; }
    [[nodiscard]] int tensorAt(int row) const;
    [[nodiscard]] int rowOfTensor(int tensor) const;  ///< -1: none
    /// Least and greatest value of the metric; nothing without values.
    [[nodiscard]] std::optional<Range> range() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    void addColumns(int first, int last);
    void removeColumn(int column);
    void changeRow(int tensor);
    void reset();
    [[nodiscard]] const MatrixCell* cell(const QModelIndex& index) const;
    [[nodiscard]] State state(const QModelIndex& index) const;
    [[nodiscard]] QString text(const QModelIndex& index) const;
    [[nodiscard]] QString toolTip(const QModelIndex& index) const;
    [[nodiscard]] bool isBest(const QModelIndex& index) const;

    const MatrixReader& m_reader;
    [[nodiscard]] QString name(int row) const;

    std::shared_ptr<const DumpTensors> m_dump;
    std::vector<int> m_tensors;  ///< by row
    std::vector<int> m_rowOf;    ///< by tensor, -1: none
    int m_columns = 0;           ///< of calibrators
    MatrixMetric m_metric = MatrixMetric::Sqnr;
    mutable std::optional<Range> m_range;
    mutable bool m_isRangeKnown = false;
};

/// The matrix sorted by a column: numbers as numbers, names in natural order; what has no number
/// comes last, either way.
class MatrixSortModel : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

}  // namespace calibscope
