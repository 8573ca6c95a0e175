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
                m_nodeOf[index] = addNode({.tensor = index, .name = tensors[index].name});
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
        const bool isSame =
            node > 0 && !scope.empty() && scope == scopeOf(graph.nodes[node - 1].name, parts) &&
            std::ranges::any_of(inputs,
                                [&near](std::size_t input) { return near.contains(input); });
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
    TensorGraph found = GraphSearch(tensors).graph();
    const std::vector<std::size_t> order = inOrderOfGraph(found.inputs);
    std::vector<std::size_t> newIndex(order.size());
    for (std::size_t index = 0; index < order.size(); ++index)
        newIndex[order[index]] = index;
    TensorGraph graph;
    for (const std::size_t node : order) {
        graph.nodes.push_back(std::move(found.nodes[node]));
        graph.inputs.push_back(std::move(found.inputs[node]));
        for (std::size_t& input : graph.inputs.back())
            input = newIndex[input];
    }
    return graph;
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
    TensorGraph folded;
    std::vector<std::size_t> newIndex(folds.size());
    for (std::size_t node = 0; node < folds.size(); ++node) {
        if (folds[node] == node) {
            folded.nodes.push_back(graph.nodes[node]);
            folded.inputs.emplace_back();
        } else if (GraphNode& scope = folded.nodes.back(); true) {
            const auto take = [&scope](const GraphNode& member) {
                if (member.tensor)
                    scope.folded.push_back(*member.tensor);
                scope.folded.insert(scope.folded.end(), member.operands.begin(),
                                    member.operands.end());
            };
            if (folds[node] == node - 1) {
                take(graph.nodes[node - 1]);
                scope = {.tensor = std::nullopt,
                         .name = std::string(scopeOf(graph.nodes[node].name, parts)),
                         .folded = std::move(scope.folded)};
            }
            take(graph.nodes[node]);
        }
        newIndex[node] = folded.nodes.size() - 1;
    }
    for (std::size_t node = 0; node < folds.size(); ++node)
        for (const std::size_t input : graph.inputs[node])
            if (newIndex[input] != newIndex[node])
                addOnce(folded.inputs[newIndex[node]], newIndex[input]);
    return folded;
}

}  // namespace calibscope
