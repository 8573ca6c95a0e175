// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/list_tree.h"

#include "ui/models/name_parts.h"

#include <algorithm>
#include <unordered_map>

namespace calibscope {

namespace {

bool isSeparator(char letter)
{
    return letter == '/' || letter == '.';
}

std::size_t sharedFront(std::string_view one, std::string_view other)
{
    return static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
}

std::size_t sharedBack(std::string_view one, std::string_view other)
{
    const auto ends = std::mismatch(one.rbegin(), one.rend(), other.rbegin(), other.rend());
    return static_cast<std::size_t>(ends.first - one.rbegin());
}

}  // namespace

CommonEnds commonEnds(std::span<const std::string_view> names)
{
    if (names.size() < 2)
        return {};
    const std::string_view first = names.front();
    CommonEnds ends{.front = first.size(), .back = first.size()};
    std::size_t shortest = first.size();
    for (const std::string_view name : names.subspan(1)) {
        ends.front = std::min(ends.front, sharedFront(first, name));
        ends.back = std::min(ends.back, sharedBack(first, name));
        shortest = std::min(shortest, name.size());
    }
    ends.front = std::min(ends.front, shortest == 0 ? 0 : shortest - 1);
    while (ends.front > 0 && !isSeparator(first[ends.front - 1]))
        --ends.front;
    ends.back = std::min(ends.back, shortest == 0 ? 0 : shortest - ends.front - 1);
    while (ends.back > 0 && !isPartEnd(first[first.size() - ends.back]))
        --ends.back;
    return ends;
}

void ListTree::clear()
{
    m_nodes.assign(1, {});
    m_order.clear();
    m_groups.clear();
}

int ListTree::add(int parent, int tensor, std::size_t begin, std::size_t end)
{
    m_nodes.push_back({.parent = parent,
                       .tensor = tensor,
                       .begin = static_cast<int>(begin),
                       .end = static_cast<int>(end)});
    return size() - 1;
}

int ListTree::addGroup(std::span<const int> tensors, const NameOf& nameOf, bool isByPath,
                       const CommonEnds& ends)
{
    const int group = add(root, -1, 0, 0);
    m_groups.push_back(group);
    if (isByPath)
        fill(group, tensors, nameOf, ends.front, ends.back, 0);
    else
        fillFlat(group, tensors, nameOf, ends.front, ends.back);
    return group;
}

void ListTree::finish()
{
    m_nodes[root].first = static_cast<int>(m_order.size());
    m_nodes[root].count = static_cast<int>(m_groups.size());
    m_order.insert(m_order.end(), m_groups.begin(), m_groups.end());
    setRows(root, m_groups);
}

void ListTree::fillFlat(int parent, std::span<const int> tensors, const NameOf& nameOf,
                        std::size_t begin, std::size_t back)
{
    m_nodes[static_cast<std::size_t>(parent)].first = static_cast<int>(m_order.size());
    m_nodes[static_cast<std::size_t>(parent)].count = static_cast<int>(tensors.size());
    for (std::size_t row = 0; row < tensors.size(); ++row) {
        m_order.push_back(add(parent, tensors[row], begin, nameOf(tensors[row]).size() - back));
        m_nodes.back().row = static_cast<int>(row);
    }
}

/// Tensors that share the part of their names at `begin` get a branch, as far as all of them share
/// further parts.
void ListTree::fill(int parent, std::span<const int> tensors, const NameOf& nameOf,
                    std::size_t begin, std::size_t back, int depth)
{
    if (depth == deepestBranch)
        return fillFlat(parent, tensors, nameOf, begin, back);
    std::vector<Bucket> buckets;
    std::unordered_map<std::string_view, std::size_t> branches;
    for (const int tensor : tensors) {
        const std::string_view name = nameOf(tensor);
        const std::string_view shown = name.substr(0, name.size() - back);
        const std::size_t end = shown.find_first_of("/.", begin + 1);
        if (end == std::string_view::npos || end + 1 >= shown.size()) {
            buckets.push_back({.tensors = {tensor}, .end = std::string_view::npos});
            continue;
        }
        const auto [known, isNew] =
            branches.try_emplace(shown.substr(begin, end + 1 - begin), buckets.size());
        if (isNew)
            buckets.push_back({.tensors = {}, .end = end});
        buckets[known->second].tensors.push_back(tensor);
    }
    const int first = static_cast<int>(m_order.size());
    std::vector<int> rows;
    for (Bucket& bucket : buckets) {
        const std::string_view name = nameOf(bucket.tensors.front());
        if (bucket.tensors.size() == 1) {
            rows.push_back(add(parent, bucket.tensors.front(), begin, name.size() - back));
            continue;
        }
        std::vector<std::string_view> rests;
        for (const int tensor : bucket.tensors) {
            const std::string_view rest = nameOf(tensor);
            rests.push_back(rest.substr(0, rest.size() - back).substr(bucket.end));
        }
        // Each rest begins with the separator, so its front is at least that.
        bucket.end += std::max<std::size_t>(commonEnds(rests).front, 1) - 1;
        rows.push_back(add(parent, -1, begin, bucket.end));
    }
    m_order.insert(m_order.end(), rows.begin(), rows.end());
    m_nodes[static_cast<std::size_t>(parent)].first = first;
    m_nodes[static_cast<std::size_t>(parent)].count = static_cast<int>(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        m_nodes[static_cast<std::size_t>(rows[row])].row = static_cast<int>(row);
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (buckets[row].tensors.size() > 1)
            fill(rows[row], buckets[row].tensors, nameOf, buckets[row].end + 1, back, depth + 1);
}

std::span<const int> ListTree::rows(int id) const
{
    const Node& parent = node(id);
    return std::span(m_order).subspan(static_cast<std::size_t>(parent.first),
                                      static_cast<std::size_t>(parent.count));
}

void ListTree::setRows(int id, std::span<const int> rows)
{
    const int first = node(id).first;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        m_order[static_cast<std::size_t>(first) + row] = rows[row];
        m_nodes[static_cast<std::size_t>(rows[row])].row = static_cast<int>(row);
    }
}

int ListTree::firstTensor(int id) const
{
    while (node(id).tensor < 0 && node(id).count > 0)
        id = rows(id).front();
    return node(id).tensor;
}

void ListTree::collect(int id, std::vector<int>& tensors) const
{
    if (node(id).tensor >= 0)
        tensors.push_back(node(id).tensor);
    for (const int row : rows(id))
        collect(row, tensors);
}

}  // namespace calibscope
