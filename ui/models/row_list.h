// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/list_tree.h"
#include "ui/models/name_parts.h"
#include "ui/models/row_keys.h"

#include <QAbstractItemModel>

#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace calibscope {

/// Rows of a table in groups: one after another, or as a tree by the parts of their names. Rows are
/// in the table's order or sorted by a column of it, in a tree among their like.
class RowList : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum DataRole {
        NeededRole = Qt::UserRole + 100,  ///< QByteArray: which parts of the shown name tell it
                                          ///< from others of the group; empty: not computed
        ListRole
    };

    [[nodiscard]] QModelIndex index(int row, int column,
                                    const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& = {}) const override
    {
        return m_table.columnCount();
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override
    {
        return m_table.headerData(section, orientation, role);
    }

protected:
    /// `rows` must outlive it.
    explicit RowList(const TableModel<int>& rows, QObject* parent = nullptr);

    using Orders = std::vector<std::pair<int, std::vector<int>>>;  ///< by parent
    void setOrders(const Orders& orders);
    /// Without rows; the table has others.
    void clearRows();
    /// A further group; see ListTree.
    void addRows(const std::vector<int>& rows, bool isByPath, const CommonEnds& ends);

    /// The id of a node is internal to its indices.
    [[nodiscard]] int nodeOf(const QModelIndex& index) const
    {
        return index.isValid() ? static_cast<int>(index.internalId()) : ListTree::root;
    }
    [[nodiscard]] QModelIndex indexOf(int node, int column = 0) const;
    [[nodiscard]] QModelIndex indexOfRow(int row) const;  ///< invalid: not shown
    /// The table's row; -1 for a group or a branch.
    [[nodiscard]] int rowAt(const QModelIndex& index) const
    {
        return m_tree.node(nodeOf(index)).tensor;
    }
    [[nodiscard]] int groupOf(int node) const;
    [[nodiscard]] std::string_view shownBytes(int node) const;
    [[nodiscard]] QString shownName(int node) const;

    [[nodiscard]] virtual std::string_view nameOf(int row) const = 0;
    [[nodiscard]] virtual QVariant groupData(int node, int column, int role) const = 0;
    [[nodiscard]] virtual QVariant branchData(int, int, int) const { return {}; }
    /// Rows of that node are branches by the first parts of their names.
    [[nodiscard]] virtual bool isByPath(int) const { return false; }

    const TableModel<int>& m_table;
    ListTree m_tree;
    std::vector<int> m_nodeOf;  ///< by row; -1: not shown
    RowKeys m_order;

private:
    [[nodiscard]] QByteArray neededParts(int node) const;

    mutable std::map<int, NameParts> m_parts;  ///< by group, as far as they were asked for
};

}  // namespace calibscope
