// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/dump_tensors.h"
#include "ui/document/matrix_reader.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// Reference of the numbers of a row.
enum class MatrixReference { None, Best, Recipe };

/// One number of each calibrator on each tensor. The first column names the tensor. Activations,
/// weights and others are groups with a row of their own above them, if they are several; in a
/// group rows are in the order of the dump.
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
        GroupRole,                     ///< number of the row's group, an int, rising
        IsGroupRole,                   ///< the row is a group's own
    };
    enum State {
        Waiting,   ///< not computed yet
        None,      ///< the candidate is none of the tensor's
        Computed,  ///< there is a value, or none can be: see the tool tip
        Failed,    ///< the tool tip says why
    };

    /// Id of the candidate that the chosen recipe takes for a tensor; empty: none. Asked when it is
    /// needed, and kept until forgetRecipes().
    using RecipeOf = std::function<std::string(int tensor)>;

    explicit MatrixModel(const MatrixReader& reader, RecipeOf recipeOf = {},
                         QObject* parent = nullptr);

    /// Those of the dump that are rows, by their index in it.
    void setTensors(std::shared_ptr<const DumpTensors> dump, std::vector<int> rows);
    void setMetric(MatrixMetric metric);
    [[nodiscard]] MatrixMetric metric() const { return m_metric; }
    /// Numbers become differences: of SQNR in dB, of all others as factors.
    void setReference(MatrixReference reference);
    [[nodiscard]] MatrixReference reference() const { return m_reference; }
    void forgetRecipes();
    [[nodiscard]] int tensorAt(int row) const;        ///< -1: a group's row
    [[nodiscard]] int rowOfTensor(int tensor) const;  ///< -1: none
    /// Share of the rows, 0 to 1, whose role has a tensor with this column's candidate. A role
    /// without a row read so far counts as having one.
    [[nodiscard]] double shareOf(int column) const;
    /// Least and greatest of the numbers shown; nothing without values.
    [[nodiscard]] std::optional<Range> range() const;
    /// The finite numbers shown, sorted. While the matrix is computed they may lack the latest
    /// rows.
    [[nodiscard]] const std::vector<double>& sortedValues() const;
    /// The share of them that lies below, 0 to 1; half of those that are equal count. Nothing
    /// without values.
    [[nodiscard]] std::optional<double> rankOf(double value) const;

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
    [[nodiscard]] QString name(int row) const;
    [[nodiscard]] QVariant groupData(const QModelIndex& index, int role) const;
    [[nodiscard]] std::optional<double> shown(int tensor, std::size_t column) const;
    [[nodiscard]] std::optional<double> referenceOf(int tensor) const;
    void forgetValues(bool all);
    void tellAll();

    const MatrixReader& m_reader;
    RecipeOf m_recipeOf;

    std::shared_ptr<const DumpTensors> m_dump;
    std::vector<int> m_tensors;  ///< by row; -1 less the role's number: a group's row
    std::vector<int> m_rowOf;    ///< by tensor, -1: none
    int m_columns = 0;           ///< of calibrators
    MatrixMetric m_metric = MatrixMetric::Sqnr;
    MatrixReference m_reference = MatrixReference::None;
    mutable std::map<int, std::string> m_recipes;  ///< by tensor, as far as they were asked for
    mutable std::vector<double> m_sorted;
    mutable std::size_t m_staleRows = 0;  ///< that changed since
    mutable bool m_areValuesKnown = false;
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
