// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/tensor_graph.h"

#include "core/graph/named_tensors.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>

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

std::optional<std::size_t> TensorGraph::nodeOf(std::size_t tensor) const
{
    const auto own = std::ranges::find(nodes, tensor, &GraphNode::tensor);
    const auto holder =
        own != nodes.end() ? own : std::ranges::find_if(nodes, [&](const auto& node) {
            return std::ranges::find(node.operands, tensor) != node.operands.end();
        });
    return holder == nodes.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(holder - nodes.begin()));
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

}  // namespace calibscope
