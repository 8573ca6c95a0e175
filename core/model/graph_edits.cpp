// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/graph_edits.h"

#include <algorithm>
#include <set>
#include <utility>

namespace calibscope::model {

namespace {

void addGraphs(::onnx::GraphProto& graph, std::vector<::onnx::GraphProto*>& graphs)
{
    graphs.push_back(&graph);
    for (::onnx::NodeProto& node : *graph.mutable_node())
        for (::onnx::AttributeProto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g())
                addGraphs(*attribute.mutable_g(), graphs);
            for (::onnx::GraphProto& inner : *attribute.mutable_graphs())
                addGraphs(inner, graphs);
        }
}

/// Removes messages and keeps the order of the others.
template <typename Field, typename Condition>
void removeWhere(Field& field, const Condition& condition)
{
    int kept = 0;
    for (int i = 0; i < field.size(); ++i)
        if (!condition(i)) {
            if (kept != i)
                field.SwapElements(kept, i);
            ++kept;
        }
    field.DeleteSubrange(kept, field.size() - kept);
}

/// What nobody takes, from some tensors on upwards.
class UnusedParts
{
public:
    explicit UnusedParts(const GraphIndex& index) : m_index(index)
    {
        for (const IndexedTensor& tensor : index.tensors())
            m_uses.push_back(tensor.uses.size());
    }

    void addFrom(std::size_t tensor)
    {
        std::vector<std::size_t> waiting{tensor};
        while (!waiting.empty()) {
            const IndexedTensor& next = m_index.tensors()[waiting.back()];
            const std::size_t number = waiting.back();
            waiting.pop_back();
            if (m_uses[number] != 0 || next.isGraphOutput || next.isGraphInput)
                continue;
            if (next.initializer)
                m_initializers.insert({next.graph, *next.initializer});
            else if (next.producer && isUnused(next))
                removeNode(next.graph, *next.producer, waiting);
        }
    }

    void remove(const std::vector<::onnx::GraphProto*>& graphs) const
    {
        for (std::size_t graph = graphs.size(); graph-- > 0;) {
            removeWhere(*graphs[graph]->mutable_initializer(), [&](int i) {
                return m_initializers.contains({graph, i});
            });
            removeWhere(*graphs[graph]->mutable_node(), [&](int i) {
                return m_nodes.contains({graph, i});
            });
        }
    }

private:
    [[nodiscard]] bool isUnused(const IndexedTensor& made) const
    {
        const ::onnx::NodeProto& node = m_index.node(made.graph, *made.producer);
        return std::ranges::all_of(node.output(), [&](const std::string& name) {
            const auto output = m_index.find(made.graph, name);
            return !output || (m_uses[*output] == 0 && !m_index.tensors()[*output].isGraphOutput);
        });
    }

    void removeNode(std::size_t graph, int node, std::vector<std::size_t>& waiting)
    {
        if (!m_nodes.insert({graph, node}).second)
            return;
        for (const std::string& name : m_index.node(graph, node).input())
            if (const auto input = m_index.find(graph, name)) {
                --m_uses[*input];
                waiting.push_back(*input);
            }
    }

    const GraphIndex& m_index;
    std::vector<std::size_t> m_uses;  ///< that are left, of each tensor
    std::set<std::pair<std::size_t, int>> m_initializers;
    std::set<std::pair<std::size_t, int>> m_nodes;
};

}  // namespace

GraphEdits::GraphEdits(const GraphIndex& index) : m_graphs(index.graphs().size()) {}

void GraphEdits::addNode(std::size_t graph, std::optional<int> behind, ::onnx::NodeProto node)
{
    m_graphs[graph].nodes[behind.value_or(-1)].push_back(std::move(node));
}

void GraphEdits::addInitializer(std::size_t graph, ::onnx::TensorProto tensor)
{
    m_graphs[graph].initializers.push_back(std::move(tensor));
}

void GraphEdits::rewire(const TensorUse& use, const std::string& name)
{
    m_graphs[use.graph].inputs[use] = name;
}

void GraphEdits::renameOutput(std::size_t graph, int node, int output, const std::string& name)
{
    m_graphs[graph].outputs[{node, output}] = name;
}

void GraphEdits::clearValueInfo(std::size_t graph, const std::string& tensor)
{
    m_graphs[graph].unknownShapes.insert(tensor);
}

void GraphEdits::removeInput(std::size_t graph, const std::string& tensor)
{
    m_graphs[graph].noInputs.insert(tensor);
}

void GraphEdits::apply(::onnx::ModelProto& model)
{
    const std::vector<::onnx::GraphProto*> graphs = graphsOf(model);
    for (std::size_t graph = graphs.size(); graph-- > 0;)
        applyTo(*graphs[graph], m_graphs[graph]);
}

void GraphEdits::applyTo(::onnx::GraphProto& graph, Graph& edits)
{
    for (const auto& [use, name] : edits.inputs) {
        ::onnx::NodeProto& node = *graph.mutable_node(use.node);
        while (node.input_size() <= use.input)
            node.add_input();
        *node.mutable_input(use.input) = name;
    }
    for (const auto& [place, name] : edits.outputs)
        *graph.mutable_node(place.first)->mutable_output(place.second) = name;
    insertNodes(graph, edits);
    for (::onnx::TensorProto& tensor : edits.initializers)
        *graph.add_initializer() = std::move(tensor);
    removeWhere(*graph.mutable_value_info(),
                [&](int i) { return edits.unknownShapes.contains(graph.value_info(i).name()); });
    removeWhere(*graph.mutable_input(),
                [&](int i) { return edits.noInputs.contains(graph.input(i).name()); });
}

void GraphEdits::insertNodes(::onnx::GraphProto& graph, Graph& edits)
{
    if (edits.nodes.empty())
        return;
    google::protobuf::RepeatedPtrField<::onnx::NodeProto> nodes;
    nodes.Swap(graph.mutable_node());
    const auto add = [&](int behind) {
        const auto found = edits.nodes.find(behind);
        if (found != edits.nodes.end())
            for (::onnx::NodeProto& node : found->second)
                *graph.add_node() = std::move(node);
    };
    add(-1);
    for (int i = 0; i < nodes.size(); ++i) {
        graph.add_node()->Swap(nodes.Mutable(i));
        add(i);
    }
}

std::vector<::onnx::GraphProto*> graphsOf(::onnx::ModelProto& model)
{
    std::vector<::onnx::GraphProto*> graphs;
    addGraphs(*model.mutable_graph(), graphs);
    return graphs;
}

void removeUnused(::onnx::ModelProto& model,
                  const std::vector<std::pair<std::size_t, std::string>>& tensors)
{
    const GraphIndex index(model);
    UnusedParts unused(index);
    for (const auto& [graph, name] : tensors)
        if (const auto tensor = index.findIn(graph, name))
            unused.addFrom(*tensor);
    unused.remove(graphsOf(model));
}

}  // namespace calibscope::model
