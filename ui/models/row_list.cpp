// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_list.h"

#include "core/base/natural_order.h"
#include "ui/theme/name_parts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
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

QString textOf(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
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

void RowKeys::setColumn(int column, Qt::SortOrder order)
{
    if (column != m_column)
        m_texts.clear();
    m_column = column;
    m_order = order;
    (void)readTexts();
}

bool RowKeys::isOfTexts() const
{
    return m_column >= 0 && !m_rows.columnAt(m_column).number;
}

bool RowKeys::readTexts()
{
    if (!isOfTexts())
        return false;
    const auto count = static_cast<std::size_t>(m_rows.rowCount());
    std::vector<std::string> texts(count);
    for (std::size_t tensor = 0; tensor < count; ++tensor)
        texts[tensor] = m_rows.columnAt(m_column).text(static_cast<int>(tensor)).toStdString();
    if (texts == m_texts)
        return false;
    m_texts = std::move(texts);
    std::vector<std::size_t> byText(count);
    std::iota(byText.begin(), byText.end(), std::size_t{0});
    std::ranges::stable_sort(byText, [this](std::size_t one, std::size_t other) {
        return naturallyBefore(m_texts[one], m_texts[other]);
    });
    m_ranks.assign(count, 0.0);
    for (std::size_t place = 1; place < count; ++place) {
        const bool isGreater = m_texts[byText[place - 1]] != m_texts[byText[place]];
        m_ranks[byText[place]] = m_ranks[byText[place - 1]] + (isGreater ? 1.0 : 0.0);
    }
    return true;
}

/// Of a branch: the least of those below it, of sizes the greatest.
double RowKeys::keyOf(const ListTree& tree, int node) const
{
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    if (const int tensor = tree.node(node).tensor; tensor >= 0) {
        if (isOfTexts())
            return m_ranks[static_cast<std::size_t>(tensor)];
        return m_rows.columnAt(m_column).number(tensor).value_or(unknown);
    }
    const bool isGreatest = m_rows.columnAt(m_column).isOfGreatest;
    double key = unknown;
    for (const int row : tree.rows(node)) {
        const double other = m_keys[static_cast<std::size_t>(row)];
        key = isGreatest ? std::fmax(key, other) : std::fmin(key, other);  // either may be NaN
    }
    return key;
}

void RowKeys::read(const ListTree& tree)
{
    if (m_column < 0)
        return m_keys.clear();
    m_keys.assign(static_cast<std::size_t>(tree.size()), 0.0);
    for (int node = tree.size() - 1; node > ListTree::root; --node)  // what is below comes first
        m_keys[static_cast<std::size_t>(node)] = keyOf(tree, node);
}

RowKeys::Moved RowKeys::readAgain(const ListTree& tree, std::span<const int> nodes)
{
    std::set<int, std::greater<>> parents;  // those below come first
    Moved moved;
    const auto readNode = [&](int node) {
        double& former = m_keys[static_cast<std::size_t>(node)];
        const double key = keyOf(tree, node);
        if (key == former || (std::isnan(key) && std::isnan(former)))
            return;
        former = key;
        moved.rows.insert(node);
        parents.insert(tree.node(node).parent);
    };
    std::ranges::for_each(nodes, readNode);
    for (auto parent = parents.begin(); parent != parents.end(); ++parent)
        if (tree.node(*parent).parent > ListTree::root)
            readNode(*parent);
    moved.parents.assign(parents.begin(), parents.end());
    return moved;
}

bool RowKeys::isBefore(int node, int other) const
{
    if (m_column < 0)
        return node < other;
    const double key = m_keys[static_cast<std::size_t>(node)];
    const double otherKey = m_keys[static_cast<std::size_t>(other)];
    if (std::isnan(key) != std::isnan(otherKey))
        return std::isnan(otherKey);
    if (key == otherKey || std::isnan(key))
        return node < other;
    return (key < otherKey) == (m_order == Qt::AscendingOrder);
}

std::vector<int> RowKeys::sorted(std::span<const int> rows) const
{
    std::vector<int> order(rows.begin(), rows.end());
    std::ranges::sort(order, [this](int one, int other) { return isBefore(one, other); });
    return order;
}

std::vector<int> RowKeys::merged(std::span<const int> rows, const std::set<int>& moved) const
{
    std::vector<int> kept;
    std::vector<int> taken;
    for (const int row : rows)
        (moved.contains(row) ? taken : kept).push_back(row);
    std::vector<int> order;
    order.reserve(rows.size());
    std::ranges::merge(kept, sorted(taken), std::back_inserter(order),
                       [this](int one, int other) { return isBefore(one, other); });
    return order;
}

RowList::RowList(const TableModel<int>& rows, QObject* parent)
    : QAbstractItemModel(parent), m_table(rows), m_order(rows)
{}

void RowList::clearRows()
{
    m_tree.clear();
    m_parts.clear();
    m_nodeOf.assign(static_cast<std::size_t>(m_table.rowCount()), -1);
}

void RowList::addRows(const std::vector<int>& rows, bool isByPath, const CommonEnds& ends)
{
    const int group = m_tree.addGroup(
        rows, [this](int row) { return nameOf(row); }, isByPath, ends);
    for (int node = group + 1; node < m_tree.size(); ++node)
        if (const int row = m_tree.node(node).tensor; row >= 0)
            m_nodeOf[static_cast<std::size_t>(row)] = node;
}

/// Tells only if one is another than before.
void RowList::setOrders(const Orders& orders)
{
    if (std::ranges::all_of(orders, [this](const auto& order) {
            return std::ranges::equal(order.second, m_tree.rows(order.first));
        }))
        return;
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    for (const auto& [parent, rows] : orders)
        m_tree.setRows(parent, rows);
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex& index : before)
        after.push_back(indexOf(nodeOf(index), index.column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

QModelIndex RowList::indexOf(int node, int column) const
{
    return createIndex(m_tree.node(node).row, column, static_cast<quintptr>(node));
}

QModelIndex RowList::indexOfRow(int row) const
{
    const int node =
        row < 0 || row >= std::ssize(m_nodeOf) ? -1 : m_nodeOf[static_cast<std::size_t>(row)];
    return node < 0 ? QModelIndex() : indexOf(node);
}

int RowList::groupOf(int node) const
{
    while (m_tree.node(node).parent > ListTree::root)
        node = m_tree.node(node).parent;
    return m_tree.node(node).row;
}

QModelIndex RowList::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(
        row, column,
        static_cast<quintptr>(m_tree.rows(nodeOf(parent))[static_cast<std::size_t>(row)]));
}

QModelIndex RowList::parent(const QModelIndex& child) const
{
    const int parent = child.isValid() ? m_tree.node(nodeOf(child)).parent : ListTree::root;
    return parent > ListTree::root ? indexOf(parent) : QModelIndex();
}

int RowList::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() && parent.column() > 0 ? 0 : m_tree.node(nodeOf(parent)).count;
}

QVariant RowList::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const int node = nodeOf(index);
    if (m_tree.node(node).parent == ListTree::root)
        return groupData(node, index.column(), role);
    const int row = m_tree.node(node).tensor;
    if (role == NeededRole)
        return neededParts(node);
    if (row < 0)
        return branchData(node, index.column(), role);
    if (role == Qt::DisplayRole && index.column() == 0)
        return shownName(node);
    return m_table.data(m_table.index(row, index.column()), role);
}

std::string_view RowList::shownBytes(int node) const
{
    const ListTree::Node& shown = m_tree.node(node);
    return nameOf(m_tree.firstTensor(node))
        .substr(static_cast<std::size_t>(shown.begin),
                static_cast<std::size_t>(shown.end - shown.begin));
}

QString RowList::shownName(int node) const
{
    return textOf(shownBytes(node));
}

/// In a tree names differ up to the end of their first part between "/" and ".". In a list parts are
/// looked at, but not of more names than a frame has the time for.
QByteArray RowList::neededParts(int node) const
{
    const std::span<const int> rows = m_tree.rows(m_tree.node(node).parent);
    const std::string_view name = shownBytes(node);
    if (isByPath(node)) {
        const std::vector<std::string_view> parts = partsOf(name);
        const auto first = std::ranges::find_if(parts, [](std::string_view part) {
            return part.ends_with('/') || part.ends_with('.');
        });
        QByteArray needs(std::ssize(parts), NameParts::Spare);
        needs.replace(0, std::min(first - parts.begin() + 1, std::ssize(parts)),
                      QByteArray(std::min(first - parts.begin() + 1, std::ssize(parts)),
                                 NameParts::Essential));
        return needs;
    }
    if (rows.size() > NameParts::mostNames)
        return {};
    const int group = groupOf(node);
    auto known = m_parts.find(group);
    if (known == m_parts.end()) {
        std::vector<std::string_view> names;
        for (const int row : rows)
            names.push_back(shownBytes(row));
        known = m_parts.emplace(group, NameParts(names)).first;
    }
    return known->second.needs(name);
}

}  // namespace calibscope
