// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace onnx {
class GraphProto;
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace calibscope::model {

/// Where a node takes a tensor. The node may be in a graph inside the tensor's own.
struct TensorUse
{
    std::size_t graph = 0;
    int node = 0;
    int input = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): the 0 is the compiler's
    auto operator<=>(const TensorUse&) const = default;
};

/// A tensor of a model: what makes it, and who takes it.
struct IndexedTensor
{
    std::string name;
    std::size_t graph = 0;        ///< that it belongs to
    std::optional<int> producer;  ///< node of that graph; none: an input or an initializer
    int output = 0;               ///< of the producer
    bool isGraphInput = false;
    bool isGraphOutput = false;      ///< of its graph, or of one inside
    std::optional<int> initializer;  ///< among the graph's; may be an input, too
    std::vector<TensorUse> uses;     ///< outer graphs first, in the order of their nodes
};

struct IndexedGraph
{
    const ::onnx::GraphProto* proto = nullptr;
    std::optional<std::size_t> parent;  ///< none: the main graph
    std::string scope;                  ///< as GraphTensor::scope
};

/// Who makes and who takes the tensors of a model, in all its graphs. A name means the tensor of
/// the nearest graph around that has it. Keeps pointers into the model, which must stay unchanged;
/// the bodies of the model's functions are none of its graphs.
class GraphIndex
{
public:
    explicit GraphIndex(const ::onnx::ModelProto& model);

    /// Outer graphs first; the main graph is number 0.
    [[nodiscard]] const std::vector<IndexedGraph>& graphs() const { return m_graphs; }
    /// In each graph inputs and initializers first, then what its nodes make, in their order.
    [[nodiscard]] const std::vector<IndexedTensor>& tensors() const { return m_tensors; }
    /// The tensor of that name inside that graph; nothing for an empty or unknown one.
    [[nodiscard]] std::optional<std::size_t> find(std::size_t graph, const std::string& name) const;
    /// The tensor of that name that belongs to the graph itself; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> findIn(std::size_t graph,
                                                    const std::string& name) const;
    /// Number of the graph of that scope; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> graphAt(std::string_view scope) const;
    [[nodiscard]] const ::onnx::NodeProto& node(std::size_t graph, int node) const;
    [[nodiscard]] const ::onnx::NodeProto& node(const TensorUse& use) const
    {
        return node(use.graph, use.node);
    }
    /// The node that makes the tensor; null for inputs and initializers.
    [[nodiscard]] const ::onnx::NodeProto* producer(const IndexedTensor& tensor) const;

private:
    void addGraph(const ::onnx::GraphProto& graph, std::optional<std::size_t> parent,
                  const std::string& scope);
    std::size_t addTensor(std::size_t graph, const std::string& name);
    void addDefinitions(std::size_t graph);
    void addUses(std::size_t graph);

    std::vector<IndexedGraph> m_graphs;
    std::vector<IndexedTensor> m_tensors;
    std::vector<std::unordered_map<std::string, std::size_t>> m_tensorAt;  ///< for each graph
};

}  // namespace calibscope::model
