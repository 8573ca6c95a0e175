// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/list_tree.h"
#include "ui/models/table_model.h"

#include <QString>
#include <Qt>

#include <set>
#include <span>
#include <vector>

namespace calibscope {

/// Sort keys of the rows of a list tree: a number beside each node, read from a table's
/// column once and again where a row changed. Nothing is asked of it while rows are compared.
class RowKeys
{
public:
    /// `rows` must outlive it.
    explicit RowKeys(const TableModel<int>& rows) : m_rows(rows) {}

    /// -1: as in the file. Keys are to be read then.
    void setColumn(int column, Qt::SortOrder order);
    [[nodiscard]] int column() const { return m_column; }
    [[nodiscard]] Qt::SortOrder order() const { return m_order; }

    /// Texts are compared once, and rows by what came of it. Whether there are others than before;
    /// false for a column of numbers.
    bool readTexts();
    /// Of all nodes.
    void read(const ListTree& tree);

    /// Nodes whose rows stand in another order perhaps, and the rows that are the cause.
    struct Moved
    {
        std::vector<int> parents;
        std::set<int> rows;
    };
    /// Of these nodes, and the branches that they are in.
    [[nodiscard]] Moved readAgain(const ListTree& tree, std::span<const int> nodes);

    /// What is not known comes last either way; what is equal stands in file order.
    [[nodiscard]] bool isBefore(int node, int other) const;
    /// The rows sorted.
    [[nodiscard]] std::vector<int> sorted(std::span<const int> rows) const;
    /// The same where only some rows moved among the others: these are sorted and merged.
    [[nodiscard]] std::vector<int> merged(std::span<const int> rows,
                                          const std::set<int>& moved) const;

private:
    [[nodiscard]] bool isOfTexts() const;
    [[nodiscard]] double keyOf(const ListTree& tree, int node) const;

    const TableModel<int>& m_rows;
    int m_column = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    std::vector<double> m_keys;    ///< by node; NaN: not known
    std::vector<QString> m_texts;  ///< by tensor, of a column of texts
    std::vector<double> m_ranks;   ///< likewise, among all texts
};

}  // namespace calibscope
