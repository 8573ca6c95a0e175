// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_keys.h"

#include "ui/models/natural_order.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace calibscope {

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
    std::vector<QString> texts(count);
    for (std::size_t tensor = 0; tensor < count; ++tensor)
        texts[tensor] = m_rows.columnAt(m_column).text(static_cast<int>(tensor));
    if (texts == m_texts)
        return false;
    m_texts = std::move(texts);
    std::vector<std::size_t> byText(count);
    std::iota(byText.begin(), byText.end(), std::size_t{0});
    std::ranges::stable_sort(byText, [this](std::size_t one, std::size_t other) {
        return naturalLess(m_texts[one], m_texts[other]);
    });
    m_ranks.assign(count, 0.0);
    for (std::size_t place = 1; place < count; ++place) {
        const bool isGreater = naturalLess(m_texts[byText[place - 1]], m_texts[byText[place]]);
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

}  // namespace calibscope
