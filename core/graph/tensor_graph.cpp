// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/tensor_graph.h"

#include "core/graph/named_tensors.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <string_view>
#include <utility>

namespace calibscope {

namespace {

void addOnce(std::vector<std::size_t>& list, std::size_t index)
{
    if (std::ranges::find(list, index) == list.end())
        list.push_back(index);
}

/// Nodes in the order of the file.
class GraphSearch
{
public:
    explicit GraphSearch(std::span<const TensorInfo> tensors)
        : m_tensors(tensors), m_names(tensors), m_nodeOf(tensors.size())
    {
        for (std::size_t index = 0; index < tensors.size(); ++index)
            if (isActivation(tensors[index]))
                m_nodeOf[index] = addNode(
                    {.tensor = index, .name = tensors[index].name, .op = tensors[index].op});
            else if (!tensors[index].consumer.empty())
                m_consumed.emplace(tensors[index].consumer, index);
    }

    TensorGraph graph()
    {
        const std::size_t recorded = m_graph.nodes.size();
        for (std::size_t node = 0; node < recorded; ++node)
            connect(node);
        return std::move(m_graph);
    }

private:
    std::size_t addNode(GraphNode node)
    {
        m_graph.nodes.push_back(std::move(node));
        m_graph.inputs.emplace_back();
        return m_graph.nodes.size() - 1;
    }

    void connect(std::size_t node)
    {
        const TensorInfo& made = m_tensors[*m_graph.nodes[node].tensor];
        for (std::size_t input = 0; input < made.inputs.size(); ++input)
            take(node, made.inputs[input], input == 0);
        for (const std::string& name : {made.node, made.name}) {
            const auto [first, end] = m_consumed.equal_range(name);
            for (auto operand = first; operand != end && !name.empty(); ++operand)
                addOnce(m_graph.nodes[node].operands, operand->second);
        }
    }

    void take(std::size_t node, const std::string& name, bool isFirst)
    {
        if (const auto made = m_names.activation(name)) {
            if (m_nodeOf[*made] != node)
                addOnce(m_graph.inputs[node], *m_nodeOf[*made]);
            return;
        }
        for (const auto& operand : {m_names.weight(name), m_names.bias(name)})
            if (operand)
                return addOnce(m_graph.nodes[node].operands, *operand);
        if (isFirst && !name.empty()) {
            const auto [known, isNew] = m_unrecorded.try_emplace(name, m_graph.nodes.size());
            if (isNew)
                addNode({.tensor = std::nullopt, .name = name});
            addOnce(m_graph.inputs[node], known->second);
        } else if (!name.empty()) {
            m_graph.nodes[node].missing.push_back(name);
        }
    }

    std::span<const TensorInfo> m_tensors;
    NamedTensors m_names;
    std::vector<std::optional<std::size_t>> m_nodeOf;
    std::multimap<std::string, std::size_t> m_consumed;  ///< operands by their consumer
    std::map<std::string, std::size_t> m_unrecorded;
    TensorGraph m_graph;
};

/// The name's first so many parts, without the last one and its end; empty: it has fewer.
std::string_view scopeOf(std::string_view name, std::size_t parts)
{
    std::size_t end = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        end = name.find_first_of("/.", part == 0 ? 0 : end + 1);
        if (end == std::string_view::npos)
            return {};
    }
    return name.substr(0, end);
}

/// For each node the first of those that it is folded with.
std::vector<std::size_t> foldsOf(const TensorGraph& graph, std::size_t parts)
{
    std::vector<std::size_t> folds;
    std::set<std::size_t> near;  // the nodes of the present fold, and those that they take
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        const std::string_view scope = scopeOf(graph.nodes[node].name, parts);
        const std::vector<std::size_t>& inputs = graph.inputs[node];
        const bool isSame = node > 0 && graph.nodes[node - 1].tensor && graph.nodes[node].tensor &&
                            !scope.empty() && scope == scopeOf(graph.nodes[node - 1].name, parts) &&
                            std::ranges::any_of(inputs, [&near](std::size_t input) {
                                return near.contains(input);
                            });
        folds.push_back(isSame ? folds.back() : node);
        if (!isSame)
            near.clear();
        near.insert(node);
        near.insert(inputs.begin(), inputs.end());
    }
    return folds;
}

std::size_t countOf(const std::vector<std::size_t>& folds)
{
    return std::set<std::size_t>(folds.begin(), folds.end()).size();
}

/// Repeated pairs of folds made one, until so many are left. A fold is its last node.
class BlockSearch
{
public:
    BlockSearch(const TensorGraph& graph, std::size_t nodes)
        : m_graph(graph),
          m_outputs(graph.outputs()),
          m_kinds(graph.nodes.size(), 0),
          m_folds(graph.nodes.size()),
          m_left(graph.nodes.size()),
          m_wanted(nodes)
    {
        std::iota(m_folds.begin(), m_folds.end(), std::size_t{0});
        for (std::size_t node = 0; node < m_folds.size(); ++node)
            m_kinds[node] = kindOf({graph.nodes[node].op});
        while (joinOften(false) || joinOften(true)) {
        }
    }

    /// For each node its fold.
    [[nodiscard]] std::vector<std::size_t> folds()
    {
        for (std::size_t& fold : m_folds)
            fold = foldOf(fold);
        return m_folds;
    }

    [[nodiscard]] std::string nameOf(std::size_t fold) const
    {
        constexpr std::size_t mostOps = 6;
        const Ops& ops = *m_ops[m_kinds[fold]];
        std::string name;
        for (std::size_t op = 0; op < std::min(ops.size(), mostOps); ++op)
            name += (op == 0 ? "" : ", ") + std::string(ops[op]);
        return ops.size() <= mostOps ? name : name + ", … (" + std::to_string(ops.size()) + " ops)";
    }

private:
    using Ops = std::vector<std::string_view>;
    /// A fold, and the one that alone takes it.
    using Joint = std::pair<std::size_t, std::size_t>;

    std::size_t kindOf(Ops ops)
    {
        const auto [known, isNew] = m_kindOf.try_emplace(std::move(ops), m_ops.size());
        if (isNew)
            m_ops.push_back(&known->first);
        return known->second;
    }

    std::size_t foldOf(std::size_t node)
    {
        while (m_folds[node] != node)
            node = m_folds[node] = m_folds[m_folds[node]];
        return node;
    }

    std::optional<std::size_t> onlyUserOf(std::size_t fold)
    {
        std::optional<std::size_t> user;
        for (const std::size_t output : m_outputs[fold])
            if (const std::size_t other = foldOf(output); user.value_or(other) == other)
                user = other;
            else
                return std::nullopt;
        return user == fold ? std::nullopt : user;  // on a circle
    }

    /// Joints of each pair of kinds, the most frequent first, then by their first nodes.
    std::vector<std::vector<Joint>> jointsByNumber(bool isOfEqual)
    {
        std::map<std::pair<std::size_t, std::size_t>, std::vector<Joint>> byKinds;
        for (std::size_t fold = 0; fold < m_folds.size(); ++fold) {
            if (m_folds[fold] != fold || m_graph.nodes[fold].op.empty())
                continue;
            const auto user = onlyUserOf(fold);
            if (user && !m_graph.nodes[*user].op.empty() &&
                (m_kinds[fold] == m_kinds[*user]) == isOfEqual)
                byKinds[{m_kinds[fold], m_kinds[*user]}].emplace_back(fold, *user);
        }
        std::vector<std::vector<Joint>> joints;
        for (auto& [kinds, found] : byKinds)
            joints.push_back(std::move(found));
        std::ranges::sort(joints, [](const auto& one, const auto& other) {
            return one.size() == other.size() ? one < other : one.size() > other.size();
        });
        return joints;
    }

    /// Pairs that are at least half as frequent as the first, while the number of folds comes
    /// nearer to the wanted one; what is joined here is of a pair again in the next round. False:
    /// there was none.
    bool joinOften(bool isOfEqual)
    {
        const std::size_t before = m_left;
        std::vector<bool> isJoined(m_folds.size(), false);
        std::size_t most = 0;
        for (std::vector<Joint>& joints : jointsByNumber(isOfEqual)) {
            std::vector<bool> isTaken = isJoined;
            std::erase_if(joints, [&isTaken](const Joint& joint) {
                if (isTaken[joint.first] || isTaken[joint.second])
                    return true;
                isTaken[joint.first] = isTaken[joint.second] = true;
                return false;
            });
            most = std::max(most, joints.size());
            const bool isNearer = m_left * (m_left - joints.size()) > m_wanted * m_wanted;
            if (joints.size() < 2 || 2 * joints.size() < most || !isNearer)
                continue;
            isJoined = std::move(isTaken);
            join(joints);
        }
        return m_left < before;
    }

    void join(const std::vector<Joint>& joints)
    {
        Ops ops = *m_ops[m_kinds[joints.front().first]];
        const Ops& last = *m_ops[m_kinds[joints.front().second]];
        ops.insert(ops.end(), last.begin(), last.end());
        const std::size_t kind = kindOf(std::move(ops));
        for (const auto& [first, user] : joints) {
            m_folds[first] = user;
            m_kinds[user] = kind;
        }
        m_left -= joints.size();
    }

    const TensorGraph& m_graph;
    GraphInputs m_outputs;
    std::map<Ops, std::size_t> m_kindOf;  ///< kinds by their ops
    std::vector<const Ops*> m_ops;        ///< by kind
    std::vector<std::size_t> m_kinds;     ///< by fold
    std::vector<std::size_t> m_folds;
    std::size_t m_left = 0;
    std::size_t m_wanted = 0;
};

TensorGraph inItsOrder(TensorGraph graph)
{
    const std::vector<std::size_t> order = inOrderOfGraph(graph.inputs);
    std::vector<std::size_t> newIndex(order.size());
    for (std::size_t index = 0; index < order.size(); ++index)
        newIndex[order[index]] = index;
    TensorGraph ordered;
    for (const std::size_t node : order) {
        ordered.nodes.push_back(std::move(graph.nodes[node]));
        ordered.inputs.push_back(std::move(graph.inputs[node]));
        for (std::size_t& input : ordered.inputs.back())
            input = newIndex[input];
    }
    return ordered;
}

/// Nodes with the same fold as one; `nameOf` is given that fold.
TensorGraph joined(const TensorGraph& graph, const std::vector<std::size_t>& folds,
                   const std::function<std::string(std::size_t)>& nameOf)
{
    std::map<std::size_t, std::size_t> indexOf;
    GraphInputs members;
    for (std::size_t node = 0; node < folds.size(); ++node) {
        const auto [known, isNew] = indexOf.try_emplace(folds[node], members.size());
        if (isNew)
            members.emplace_back();
        members[known->second].push_back(node);
    }
    TensorGraph joined{.nodes = {}, .inputs = GraphInputs(members.size())};
    for (std::size_t index = 0; index < members.size(); ++index) {
        const std::size_t fold = folds[members[index].front()];
        GraphNode all{.tensor = std::nullopt, .name = nameOf(fold)};
        for (const std::size_t member : members[index]) {
            const GraphNode& node = graph.nodes[member];
            if (node.tensor)
                all.folded.push_back(*node.tensor);
            all.folded.insert(all.folded.end(), node.operands.begin(), node.operands.end());
            for (const std::size_t input : graph.inputs[member])
                if (folds[input] != fold)
                    addOnce(joined.inputs[index], indexOf[folds[input]]);
        }
        if (members[index].size() == 1)
            all = graph.nodes[members[index].front()];
        joined.nodes.push_back(std::move(all));
    }
    return inItsOrder(std::move(joined));
}

/// Blocks of a name are numbered in the graph's order.
TensorGraph blocksOf(const TensorGraph& graph, std::size_t nodes)
{
    BlockSearch search(graph, nodes);
    TensorGraph folded =
        joined(graph, search.folds(), [&search](std::size_t fold) { return search.nameOf(fold); });
    std::map<std::string, std::size_t> count;
    for (GraphNode& node : folded.nodes)
        if (!node.folded.empty())
            node.block = ++count[node.name];
    for (GraphNode& node : folded.nodes)
        if (!node.folded.empty())
            node.blocks = count[node.name];
    return folded;
}

}  // namespace

std::vector<std::size_t> inOrderOfGraph(const GraphInputs& inputs)
{
    GraphInputs outputs(inputs.size());
    std::vector<std::size_t> missing(inputs.size(), 0);
    for (std::size_t node = 0; node < inputs.size(); ++node)
        for (const std::size_t input : inputs[node]) {
            outputs[input].push_back(node);
            ++missing[node];
        }
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t node = 0; node < inputs.size(); ++node)
        if (missing[node] == 0)
            ready.push(node);
    std::vector<std::size_t> order;
    while (!ready.empty()) {
        const std::size_t node = ready.top();
        ready.pop();
        order.push_back(node);
        for (const std::size_t output : outputs[node])
            if (--missing[output] == 0)
                ready.push(output);
    }
    for (std::size_t node = 0; node < inputs.size(); ++node)
        if (missing[node] > 0)
            order.push_back(node);
    return order;
}

GraphInputs TensorGraph::outputs() const
{
    GraphInputs outputs(nodes.size());
    for (std::size_t node = 0; node < nodes.size(); ++node)
        for (const std::size_t input : inputs[node])
            outputs[input].push_back(node);
    return outputs;
}

TensorGraph tensorGraph(std::span<const TensorInfo> tensors)
{
    return inItsOrder(GraphSearch(tensors).graph());
}

TensorGraph foldedGraph(const TensorGraph& graph, std::size_t nodes)
{
    constexpr std::size_t mostParts = 8;
    std::vector<std::size_t> folds(graph.nodes.size());
    std::iota(folds.begin(), folds.end(), std::size_t{0});
    std::size_t parts = 0;
    const auto distance = [nodes](std::size_t count) {
        return std::abs(std::log(static_cast<double>(count) / static_cast<double>(nodes)));
    };
    for (std::size_t tried = 1; tried <= mostParts && !folds.empty(); ++tried)
        if (std::vector<std::size_t> others = foldsOf(graph, tried);
            distance(countOf(others)) < distance(countOf(folds))) {
            folds = std::move(others);
            parts = tried;
        }
    TensorGraph folded = joined(graph, folds, [&graph, parts](std::size_t fold) {
        return std::string(scopeOf(graph.nodes[fold].name, parts));
    });
    if (2 * folded.nodes.size() <= graph.nodes.size())
        return folded;
    TensorGraph blocks = blocksOf(graph, nodes);
    return blocks.nodes.size() < folded.nodes.size() ? blocks : folded;
}

}  // namespace calibscope
