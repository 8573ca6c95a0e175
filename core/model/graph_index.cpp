// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/graph_index.h"

#include <algorithm>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

std::string scopeInside(const std::string& scope, const ::onnx::NodeProto& node, int place,
                        const std::string& attribute)
{
    return (scope.empty() ? "" : scope + "/") +
           (node.name().empty() ? node.op_type() + "_" + std::to_string(place) : node.name()) +
           "." + attribute;
}

}  // namespace

GraphIndex::GraphIndex(const ::onnx::ModelProto& model)
{
    addGraph(model.graph(), std::nullopt, "");
    for (std::size_t graph = 0; graph < m_graphs.size(); ++graph)
        addDefinitions(graph);
    for (std::size_t graph = 0; graph < m_graphs.size(); ++graph)
        addUses(graph);
}

void GraphIndex::addGraph(const ::onnx::GraphProto& graph, std::optional<std::size_t> parent,
                          const std::string& scope)
{
    const std::size_t own = m_graphs.size();
    m_graphs.push_back({.proto = &graph, .parent = parent, .scope = scope});
    m_tensorAt.emplace_back();
    for (int place = 0; place < graph.node_size(); ++place)
        for (const ::onnx::AttributeProto& attribute : graph.node(place).attribute()) {
            const std::string inside =
                scopeInside(scope, graph.node(place), place, attribute.name());
            if (attribute.has_g())
                addGraph(attribute.g(), own, inside);
            for (int i = 0; i < attribute.graphs_size(); ++i)
                addGraph(attribute.graphs(i), own, inside + std::to_string(i));
        }
}

std::size_t GraphIndex::addTensor(std::size_t graph, const std::string& name)
{
    const auto [place, isNew] = m_tensorAt[graph].emplace(name, m_tensors.size());
    if (isNew)
        m_tensors.push_back({.name = name, .graph = graph});
    return place->second;
}

void GraphIndex::addDefinitions(std::size_t graph)
{
    const ::onnx::GraphProto& proto = *m_graphs[graph].proto;
    for (const ::onnx::ValueInfoProto& input : proto.input())
        m_tensors[addTensor(graph, input.name())].isGraphInput = true;
    for (int i = 0; i < proto.initializer_size(); ++i)
        m_tensors[addTensor(graph, proto.initializer(i).name())].initializer = i;
    for (const ::onnx::SparseTensorProto& sparse : proto.sparse_initializer())
        addTensor(graph, sparse.values().name());
    for (int i = 0; i < proto.node_size(); ++i) {
        const ::onnx::NodeProto& node = proto.node(i);
        for (int output = 0; output < node.output_size(); ++output) {
            if (node.output(output).empty())
                continue;
            IndexedTensor& tensor = m_tensors[addTensor(graph, node.output(output))];
            tensor.producer = i;
            tensor.output = output;
        }
    }
}

void GraphIndex::addUses(std::size_t graph)
{
    const ::onnx::GraphProto& proto = *m_graphs[graph].proto;
    for (int i = 0; i < proto.node_size(); ++i)
        for (int input = 0; input < proto.node(i).input_size(); ++input)
            if (const auto tensor = find(graph, proto.node(i).input(input)))
                m_tensors[*tensor].uses.push_back({.graph = graph, .node = i, .input = input});
    for (const ::onnx::ValueInfoProto& output : proto.output())
        if (const auto tensor = find(graph, output.name()))
            m_tensors[*tensor].isGraphOutput = true;
}

std::optional<std::size_t> GraphIndex::find(std::size_t graph, const std::string& name) const
{
    if (name.empty())
        return std::nullopt;
    for (std::optional<std::size_t> around = graph; around; around = m_graphs[*around].parent) {
        const auto place = m_tensorAt[*around].find(name);
        if (place != m_tensorAt[*around].end())
            return place->second;
    }
    return std::nullopt;
}

std::optional<std::size_t> GraphIndex::findIn(std::size_t graph, const std::string& name) const
{
    const auto place = m_tensorAt[graph].find(name);
    return place != m_tensorAt[graph].end() ? std::optional(place->second) : std::nullopt;
}

std::optional<std::size_t> GraphIndex::graphAt(std::string_view scope) const
{
    const auto found = std::ranges::find(m_graphs, scope, &IndexedGraph::scope);
    if (found == m_graphs.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - m_graphs.begin());
}

const ::onnx::NodeProto& GraphIndex::node(std::size_t graph, int node) const
{
    return m_graphs[graph].proto->node(node);
}

const ::onnx::NodeProto* GraphIndex::producer(const IndexedTensor& tensor) const
{
    return tensor.producer ? &node(tensor.graph, *tensor.producer) : nullptr;
}

}  // namespace calibscope::model
