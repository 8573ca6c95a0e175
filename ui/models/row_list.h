// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/table_model.h"
#include "ui/theme/name_parts.h"

#include <QAbstractItemModel>
#include <QString>
#include <Qt>

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace calibscope {

/// Common beginnings and ends of names, in bytes.
struct CommonEnds
{
    std::size_t front = 0;
    std::size_t back = 0;
    bool operator==(const CommonEnds&) const = default;
};

/// Whole parts only: of beginnings those between "/" and ".", "a/" of a/b and a/c; of ends those of
/// isPartEnd(), too, "_relu" of 1_relu and 2_relu. Of each name at least one letter is left over; of a single name, or none, nothing is
/// common.
[[nodiscard]] CommonEnds commonEnds(std::span<const std::string_view> names);

/// Rows under one another: groups of tensors, and in each either one row after another or a tree by
/// the parts of their names. A part that leads to one tensor only is not a branch: the row of that
/// tensor has both parts. Ids of nodes rise in file order, and those of what is in a branch are
/// above its own; what is sorted is only the order of the rows.
class ListTree
{
public:
    static constexpr int root = 0;
    /// Deeper parts of a name stay together: nobody has a hundred levels but to do harm.
    static constexpr int deepestBranch = 64;

    struct Node
    {
        int parent = -1;
        int first = 0;  ///< of its rows in order()
        int count = 0;
        int row = 0;      ///< in its parent
        int tensor = -1;  ///< -1: a branch or a group
        int begin = 0;    ///< what is shown of the name: bytes of the tensor's, or of that of the
        int end = 0;      ///< first tensor in the branch
    };
    using NameOf = std::function<std::string_view(int tensor)>;

    void clear();
    /// A further group behind the others, of these tensors in their order. The ends that their
    /// names share are not shown.
    int addGroup(std::span<const int> tensors, const NameOf& nameOf, bool isByPath,
                 const CommonEnds& ends);
    /// Behind the last group.
    void finish();

    [[nodiscard]] const Node& node(int id) const { return m_nodes[static_cast<std::size_t>(id)]; }
    [[nodiscard]] int size() const { return static_cast<int>(m_nodes.size()); }
    /// Ids of a node's rows, in the order in which they are shown.
    [[nodiscard]] std::span<const int> rows(int id) const;
    /// The same rows in another order.
    void setRows(int id, std::span<const int> rows);
    /// The tensor of a node, or the first one below it.
    [[nodiscard]] int firstTensor(int id) const;
    /// The tensors below a node as they are shown; its own where it is of a tensor.
    void collect(int id, std::vector<int>& tensors) const;

private:
    struct Bucket
    {
        std::vector<int> tensors;
        std::size_t end = 0;  ///< of the part that they share; npos: a tensor by itself
    };

    int add(int parent, int tensor, std::size_t begin, std::size_t end);
    void fillFlat(int parent, std::span<const int> tensors, const NameOf& nameOf, std::size_t begin,
                  std::size_t back);
    void fill(int parent, std::span<const int> tensors, const NameOf& nameOf, std::size_t begin,
              std::size_t back, int depth);

    std::vector<Node> m_nodes = std::vector<Node>(1);
    std::vector<int> m_order;
    std::vector<int> m_groups;
};

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
    std::vector<double> m_keys;        ///< by node; NaN: not known
    std::vector<std::string> m_texts;  ///< by tensor, of a column of texts
    std::vector<double> m_ranks;       ///< likewise, among all texts
};

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
