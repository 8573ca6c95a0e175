// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/graph_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr std::size_t bendsPerNode = 4;
constexpr int orderSweeps = 8;
constexpr int positionSweeps = 8;
constexpr double bendWidth = 0.4;
constexpr double mainTension = 4.0;  // of lines, 1 of all others
constexpr double middleTension = 0.01;

/// Row of each node: below all that it takes; one that takes nothing right above its first user.
std::vector<std::size_t> rowsOf(const GraphInputs& inputs)
{
    std::vector<std::size_t> rows(inputs.size(), 0);
    std::vector<std::size_t> firstUse(inputs.size(), none);
    for (std::size_t node = 0; node < inputs.size(); ++node)
        for (const std::size_t input : inputs[node])
            if (input < node)
                rows[node] = std::max(rows[node], rows[input] + 1);
    for (std::size_t node = 0; node < inputs.size(); ++node)
        for (const std::size_t input : inputs[node])
            if (input < node)
                firstUse[input] = std::min(firstUse[input], rows[node]);
    for (std::size_t node = 0; node < inputs.size(); ++node) {
        const bool isTop =
            std::ranges::none_of(inputs[node], [node](std::size_t input) { return input < node; });
        if (isTop && firstUse[node] != none)
            rows[node] = firstUse[node] - 1;
    }
    return rows;
}

/// Label of the connected part of each node, in the order of their first nodes.
std::vector<std::size_t> partsOf(const GraphInputs& inputs)
{
    std::vector<std::size_t> parent(inputs.size());
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto rootOf = [&parent](std::size_t node) {
        while (parent[node] != node)
            node = parent[node] = parent[parent[node]];
        return node;
    };
    for (std::size_t node = 0; node < inputs.size(); ++node)
        for (const std::size_t input : inputs[node]) {
            const auto [first, second] = std::minmax({rootOf(node), rootOf(input)});
            parent[second] = first;
        }
    for (std::size_t node = 0; node < inputs.size(); ++node)
        parent[node] = rootOf(node);
    return parent;
}

/// A node, or a bend of the lines that leave one.
struct Item
{
    std::size_t row = 0;
    bool isBend = false;
    std::vector<std::size_t> above = {};  ///< items of the row above that it is connected with
    std::vector<std::size_t> below = {};
    double x = 0.0;

    [[nodiscard]] double width() const { return isBend ? bendWidth : 1.0; }
};

class Layers
{
public:
    Layers(const GraphInputs& inputs, std::vector<std::size_t> rowOfNode)
        : m_inputs(inputs), m_bends(inputs.size())
    {
        for (const std::size_t row : rowOfNode)
            m_items.push_back({.row = row});
        addBends();
        connect();
        const std::size_t count = rowOfNode.empty() ? 0 : *std::ranges::max_element(rowOfNode) + 1;
        m_rows.resize(count);
        for (std::size_t item = 0; item < m_items.size(); ++item)
            m_rows[m_items[item].row].push_back(item);
    }

    void order()
    {
        for (const std::vector<std::size_t>& row : m_rows)
            number(row);
        auto best = m_rows;
        std::size_t fewest = crossings();
        for (int sweep = 0; sweep < orderSweeps && fewest > 0; ++sweep) {
            orderBy(sweep % 2 == 0);
            if (const std::size_t now = crossings(); now < fewest) {
                fewest = now;
                best = m_rows;
            }
        }
        m_rows = std::move(best);
    }

    void position()
    {
        for (const std::vector<std::size_t>& row : m_rows) {
            double x = 0.0;
            for (const std::size_t item : row)
                x -= m_items[item].width() / 2.0;
            for (const std::size_t item : row) {
                m_items[item].x = x + m_items[item].width() / 2.0;
                x += m_items[item].width();
            }
        }
        for (int sweep = 0; sweep < positionSweeps; ++sweep) {
            for (const std::vector<std::size_t>& row : m_rows)
                positionRow(row);
            for (std::size_t row = m_rows.size(); row-- > 0;)
                positionRow(m_rows[row]);
        }
    }

    /// From 0 on to the right.
    [[nodiscard]] GraphLayout layout() const
    {
        GraphLayout layout{.height = static_cast<double>(m_rows.size())};
        double left = std::numeric_limits<double>::infinity();
        for (const Item& item : m_items)
            left = std::min(left, item.x - item.width() / 2.0);
        const auto pointOf = [&](const Item& item) {
            return GraphPoint{item.x - left, static_cast<double>(item.row)};
        };
        for (const Item& item : m_items)
            layout.width = std::max(layout.width, pointOf(item).x + item.width() / 2.0);
        for (std::size_t node = 0; node < m_inputs.size(); ++node)
            layout.nodes.push_back(pointOf(m_items[node]));
        for (std::size_t node = 0; node < m_inputs.size(); ++node)
            for (const std::size_t input : m_inputs[node]) {
                GraphWire wire{.from = input, .to = node, .bends = {}};
                for (const std::size_t bend : m_bends[input])
                    if (input < node && m_items[bend].row < m_items[node].row)
                        wire.bends.push_back(pointOf(m_items[bend]));
                layout.wires.push_back(std::move(wire));
            }
        return layout;
    }

private:
    void addBends()
    {
        const std::size_t nodes = m_inputs.size();
        std::vector<std::size_t> last(nodes, 0);  // row of the last node that takes it
        for (std::size_t node = 0; node < nodes; ++node)
            for (const std::size_t input : m_inputs[node])
                if (input < node)
                    last[input] = std::max(last[input], m_items[node].row);
        std::vector<std::pair<std::size_t, std::size_t>> chains;  // length, node
        for (std::size_t node = 0; node < nodes; ++node)
            if (last[node] > m_items[node].row + 1)
                chains.emplace_back(last[node] - m_items[node].row - 1, node);
        std::ranges::sort(chains);
        std::size_t room = bendsPerNode * nodes;
        for (const auto& [length, node] : chains) {
            if (length > room)
                break;
            room -= length;
            for (std::size_t row = m_items[node].row + 1; row < last[node]; ++row) {
                m_bends[node].push_back(m_items.size());
                m_items.push_back({.row = row, .isBend = true});
            }
        }
    }

    void connect()
    {
        const auto join = [this](std::size_t upper, std::size_t lower) {
            m_items[upper].below.push_back(lower);
            m_items[lower].above.push_back(upper);
        };
        for (std::size_t node = 0; node < m_inputs.size(); ++node) {
            std::size_t upper = node;
            for (const std::size_t bend : m_bends[node])
                join(std::exchange(upper, bend), bend);
            for (const std::size_t input : m_inputs[node]) {
                if (input >= node)
                    continue;
                const std::size_t between = m_items[node].row - m_items[input].row - 1;
                if (between == 0)
                    join(input, node);
                else if (!m_bends[input].empty())
                    join(m_bends[input][between - 1], node);
            }
        }
    }

    void number(const std::vector<std::size_t>& row)
    {
        for (std::size_t index = 0; index < row.size(); ++index)
            m_items[row[index]].x = static_cast<double>(index);
    }

    [[nodiscard]] double mean(const std::vector<std::size_t>& neighbours, double otherwise) const
    {
        double sum = 0.0;
        for (const std::size_t item : neighbours)
            sum += m_items[item].x;
        return neighbours.empty() ? otherwise : sum / static_cast<double>(neighbours.size());
    }

    void orderBy(bool isDown)
    {
        for (std::size_t step = 0; step < m_rows.size(); ++step) {
            std::vector<std::size_t>& row = m_rows[isDown ? step : m_rows.size() - 1 - step];
            std::map<std::size_t, double> means;
            for (const std::size_t item : row)
                means[item] =
                    mean(isDown ? m_items[item].above : m_items[item].below, m_items[item].x);
            std::ranges::stable_sort(row, {}, [&means](std::size_t item) { return means[item]; });
            number(row);
        }
    }

    /// Pairs of lines between neighbouring rows that cross, by a tree of sums (Barth, Mutzel and
    /// Juenger, Simple and efficient bilayer cross counting, 2004).
    [[nodiscard]] std::size_t crossings() const
    {
        std::size_t count = 0;
        for (const std::vector<std::size_t>& row : m_rows) {
            std::vector<std::size_t> ends;
            for (const std::size_t item : row) {
                const std::size_t first = ends.size();
                for (const std::size_t lower : m_items[item].below)
                    ends.push_back(static_cast<std::size_t>(m_items[lower].x));
                std::sort(ends.begin() + static_cast<std::ptrdiff_t>(first), ends.end());
            }
            if (ends.empty())
                continue;
            std::vector<std::size_t> tree(*std::ranges::max_element(ends) + 2, 0);
            std::size_t before = 0;
            for (const std::size_t end : ends) {
                std::size_t upTo = 0;
                for (std::size_t node = end + 1; node > 0; node &= node - 1)
                    upTo += tree[node];
                count += before++ - upTo;
                for (std::size_t node = end + 1; node < tree.size(); node += node & (~node + 1))
                    ++tree[node];
            }
        }
        return count;
    }

    /// Straight are above all long lines, and those between nodes of neighbouring rows.
    [[nodiscard]] static double tension(const Item& one, const Item& other)
    {
        return one.isBend == other.isBend ? mainTension : 1.0;
    }

    /// Where its neighbours want an item, weighted, and with which force; also to the middle, so
    /// that a long chain does not drift.
    [[nodiscard]] std::pair<double, double> pullOn(std::size_t item) const
    {
        double weight = middleTension;
        double sum = 0.0;
        for (const auto* neighbours : {&m_items[item].above, &m_items[item].below})
            for (const std::size_t other : *neighbours) {
                const double force = tension(m_items[item], m_items[other]);
                weight += force;
                sum += force * m_items[other].x;
            }
        return {sum / weight, weight};
    }

    /// Least squares to the neighbours' means under the order and the least distances: distances
    /// taken off, the best ascending sequence, in blocks that share their mean (Ayer et al., An
    /// empirical distribution function for sampling with incomplete information, 1955).
    void positionRow(const std::vector<std::size_t>& row)
    {
        struct Block
        {
            double sum = 0.0;
            double weight = 0.0;
            std::size_t count = 0;

            [[nodiscard]] double mean() const { return sum / weight; }
        };
        std::vector<Block> blocks;
        std::vector<double> offsets;
        for (std::size_t index = 0; index < row.size(); ++index) {
            const Item& item = m_items[row[index]];
            const double distance =
                index == 0 ? 0.0 : (m_items[row[index - 1]].width() + item.width()) / 2.0;
            offsets.push_back(index == 0 ? 0.0 : offsets.back() + distance);
            const auto [wanted, weight] = pullOn(row[index]);
            blocks.push_back({weight * (wanted - offsets.back()), weight, 1});
            while (blocks.size() > 1 &&
                   !(blocks[blocks.size() - 2].mean() < blocks.back().mean())) {
                const Block last = blocks.back();
                blocks.pop_back();
                blocks.back().sum += last.sum;
                blocks.back().weight += last.weight;
                blocks.back().count += last.count;
            }
        }
        std::size_t index = 0;
        for (const Block& block : blocks)
            for (std::size_t member = 0; member < block.count; ++member, ++index)
                m_items[row[index]].x = block.mean() + offsets[index];
    }

    const GraphInputs& m_inputs;
    GraphInputs m_bends;  ///< items, by the node whose lines they are of
    std::vector<Item> m_items;
    std::vector<std::vector<std::size_t>> m_rows;
};

GraphLayout layoutPart(const GraphInputs& inputs)
{
    Layers layers(inputs, rowsOf(inputs));
    layers.order();
    layers.position();
    return layers.layout();
}

/// Corners of boxes in lines, from left to right, then below, the highest first.
std::vector<GraphPoint> arranged(const std::vector<GraphLayout>& parts, double rowsPerWidth)
{
    double area = 0.0;
    double widest = 0.0;
    for (const GraphLayout& part : parts) {
        area += part.width * (part.height + 1.0);
        widest = std::max(widest, part.width);
    }
    const double room = std::max(widest, std::sqrt(area / rowsPerWidth));
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&parts](std::size_t part) { return parts[part].height; });
    std::vector<GraphPoint> corners(parts.size());
    GraphPoint corner;
    double lineHeight = 0.0;
    for (const std::size_t part : order) {
        if (corner.x > 0.0 && corner.x + parts[part].width > room) {
            corner = {0.0, corner.y + lineHeight + 1.0};
            lineHeight = 0.0;
        }
        corners[part] = corner;
        corner.x += parts[part].width;
        lineHeight = std::max(lineHeight, parts[part].height);
    }
    return corners;
}

}  // namespace

GraphLayout layoutGraph(const GraphInputs& inputs, double rowsPerWidth)
{
    std::map<std::size_t, std::vector<std::size_t>> nodesOf;
    std::vector<std::size_t> local(inputs.size());
    const std::vector<std::size_t> partOf = partsOf(inputs);
    for (std::size_t node = 0; node < inputs.size(); ++node) {
        local[node] = nodesOf[partOf[node]].size();
        nodesOf[partOf[node]].push_back(node);
    }
    std::vector<GraphLayout> parts;
    for (const auto& [part, nodes] : nodesOf) {
        GraphInputs own;
        for (const std::size_t node : nodes) {
            own.push_back(inputs[node]);
            for (std::size_t& input : own.back())
                input = local[input];
        }
        parts.push_back(layoutPart(own));
    }
    const std::vector<GraphPoint> corners = arranged(parts, rowsPerWidth);
    GraphLayout layout{.nodes = std::vector<GraphPoint>(inputs.size())};
    std::size_t index = 0;
    for (const auto& [part, nodes] : nodesOf) {
        GraphLayout& drawn = parts[index];
        const GraphPoint corner = corners[index++];
        const auto moved = [&corner](const GraphPoint& point) {
            return GraphPoint{point.x + corner.x, point.y + corner.y};
        };
        for (std::size_t node = 0; node < nodes.size(); ++node)
            layout.nodes[nodes[node]] = moved(drawn.nodes[node]);
        for (GraphWire& wire : drawn.wires) {
            std::ranges::transform(wire.bends, wire.bends.begin(), moved);
            layout.wires.push_back({nodes[wire.from], nodes[wire.to], std::move(wire.bends)});
        }
        layout.width = std::max(layout.width, corner.x + drawn.width);
        layout.height = std::max(layout.height, corner.y + drawn.height);
    }
    return layout;
}

}  // namespace calibscope
