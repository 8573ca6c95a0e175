// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
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

}  // namespace calibscope
