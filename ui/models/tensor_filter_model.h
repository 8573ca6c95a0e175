// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/row_list.h"
#include "ui/models/tensor_filter.h"
#include "ui/models/tensor_flags.h"

#include <QString>
#include <QTimer>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace calibscope {

class TensorModel;

/// The tensors that a query lets through, by role: one row after another, or as a tree by the parts
/// of their names. Rows are in file order or sorted by a column, in a tree among their like, a
/// branch by the worst below it. It holds an order of tensors and the keys that it sorts by; all
/// that is shown of a tensor is the tensor model's.
///
/// What previews change is taken up together, a quarter of a second later: keys that changed are
/// sorted among themselves and merged into the rows that stay. What the user changes is taken up at
/// once.
class TensorFilterModel : public RowList
{
    Q_OBJECT

public:
    static constexpr int batchMs = 250;

    /// Beside those of the tensor model.
    enum FilterRole {
        BranchSizeRole = ListRole,  ///< int, tensors below a branch; else invalid
        CommonEndsRole,             ///< QString, "*/output": what a group's names share
    };

    explicit TensorFilterModel(TensorModel& tensors, QObject* parent = nullptr);

    void setQuery(const QString& query);
    /// The part of the query that could not be parsed, as a sentence; empty: none.
    [[nodiscard]] QString problem() const { return QString::fromStdString(m_filter.problem()); }
    /// Tensors that the query lets through.
    [[nodiscard]] int matchCount() const;

    void setTree(bool isTree);
    [[nodiscard]] bool isTree() const { return m_isTree; }
    /// -1: as in the file.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    [[nodiscard]] int sortColumn() const { return m_order.column(); }
    [[nodiscard]] Qt::SortOrder sortOrder() const { return m_order.order(); }
    /// Takes up now what changed since the last batch.
    void catchUp();

    /// The tensor of a row of this model; -1 for a group or a branch.
    [[nodiscard]] int tensorAt(const QModelIndex& index) const { return rowAt(index); }
    /// Of a branch all that are shown below it, of a tensor's row that tensor; none of a group.
    [[nodiscard]] std::vector<int> tensorsIn(const QModelIndex& index) const;
    /// The row of a tensor in the first column; invalid while the query hides it.
    [[nodiscard]] QModelIndex indexOfTensor(int tensor) const { return indexOfRow(tensor); }
    /// The tensors in the order in which they are shown, each once.
    [[nodiscard]] std::vector<int> shownTensors() const;

    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    /// Rows came or went, or stand under others than before.
    void rowsChanged();

private:
    /// Where a row goes when all is built anew.
    struct Identity
    {
        int tensor = -1;
        bool isPin = false;
        std::string branch;  ///< the beginning of the names in it
    };
    struct Worst
    {
        std::optional<double> sqnrDb;
        std::optional<double> atLayer;
        int decided = 0;
        int tensors = 0;
        WarningSet warnings = 0;
    };
    struct Group
    {
        bool isPins = false;
        QString title;
        std::size_t tensors = 0;  ///< shown or not
        QString ends;             ///< "*/output": what all their names share; empty: nothing
    };

    void reset();
    void build();
    void addGroup(const QString& title, const std::vector<int>& all, bool isPins);
    [[nodiscard]] std::vector<int> nodesOf(int tensor) const;
    void rebuild();
    void follow(const QModelIndex& first, const QModelIndex& last);
    void tellRow(int node);
    void tellAll();
    void sortChanged();
    [[nodiscard]] bool readMatches();
    [[nodiscard]] bool isMatch(int tensor) const;

    [[nodiscard]] Identity identityOf(int node) const;
    [[nodiscard]] std::string branchName(int node) const;
    [[nodiscard]] const Worst& worst(int branch) const;
    [[nodiscard]] WarningSet warningsOf(int tensor) const;
    [[nodiscard]] QVariant branchFlags(int branch, int role) const;
    [[nodiscard]] std::string_view nameOf(int tensor) const override;
    /// A group says how many of its tensors are shown.
    [[nodiscard]] QVariant groupData(int node, int column, int role) const override;
    [[nodiscard]] QVariant branchData(int node, int column, int role) const override;
    [[nodiscard]] bool isByPath(int node) const override;

    TensorModel& m_tensors;
    TensorFilter m_filter;
    std::vector<bool> m_matches;  ///< by tensor
    bool m_isTree = false;

    std::vector<Group> m_groups;                       ///< in the order of rows
    std::vector<int> m_pins;                           ///< tensors
    std::unordered_map<int, int> m_pinNodeOf;          ///< by pinned tensor
    mutable std::unordered_map<int, Worst> m_worstOf;  ///< by branch, as far as it was asked for
    /// By tensor, as far as it was asked for: asking for all below a branch anew whenever one
    /// changes would take longer than a frame.
    mutable std::vector<std::optional<WarningSet>> m_warningsOf;

    QTimer* m_batch;
    std::vector<int> m_changed;  ///< tensors since the last batch
    bool m_isAllChanged = false;
};

}  // namespace calibscope
