// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_list.h"

#include <algorithm>

namespace calibscope {

namespace {

QString textOf(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

}  // namespace

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
    constexpr std::size_t mostNames = 20000;
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
    if (rows.size() > mostNames)
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
