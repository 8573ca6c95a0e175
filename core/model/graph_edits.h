// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/graph_index.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

static_assert(std::endian::native == std::endian::little, "raw_data holds the lowest byte first");

/// A constant with those values, in the order of its shape.
template <typename Number>
[[nodiscard]] ::onnx::TensorProto tensorOf(const std::string& name, int type,
                                           const std::vector<Number>& values,
                                           const std::vector<std::uint64_t>& shape)
{
    ::onnx::TensorProto tensor;
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (const std::uint64_t length : shape)
        tensor.add_dims(static_cast<std::int64_t>(length));
    tensor.set_raw_data(values.data(), values.size() * sizeof(Number));
    return tensor;
}

/// Changes to a model, gathered on its index and made at once.
class GraphEdits
{
public:
    explicit GraphEdits(const GraphIndex& index);

    /// Nodes stand directly behind that node of the graph, in the order of the calls; without one
    /// at the graph's front.
    void addNode(std::size_t graph, std::optional<int> behind, ::onnx::NodeProto node);
    void addInitializer(std::size_t graph, ::onnx::TensorProto tensor);
    /// A node takes another tensor in that input, which it need not have had.
    void rewire(const TensorUse& use, const std::string& name);
    void renameOutput(std::size_t graph, int node, int output, const std::string& name);
    /// Removes the shape that the graph states for that tensor.
    void clearValueInfo(std::size_t graph, const std::string& tensor);
    void removeInput(std::size_t graph, const std::string& tensor);

    /// Makes them in the model whose index it is, which is of no use then. Inner graphs first.
    void apply(::onnx::ModelProto& model);

private:
    struct Graph
    {
        std::map<int, std::vector<::onnx::NodeProto>> nodes;  ///< behind a node; -1: at the front
        std::vector<::onnx::TensorProto> initializers;
        std::map<TensorUse, std::string> inputs;
        std::map<std::pair<int, int>, std::string> outputs;
        std::unordered_set<std::string> unknownShapes;
        std::unordered_set<std::string> noInputs;
    };

    static void applyTo(::onnx::GraphProto& graph, Graph& edits);
    static void insertNodes(::onnx::GraphProto& graph, Graph& edits);

    std::vector<Graph> m_graphs;
};

/// All graphs of a model in the order of its index.
[[nodiscard]] std::vector<::onnx::GraphProto*> graphsOf(::onnx::ModelProto& model);

/// Removes those tensors (a graph's number and a name) that nobody takes and that are not inputs or
/// outputs: initializers, and nodes none of whose outputs is taken, with what was there for these
/// alone.
void removeUnused(::onnx::ModelProto& model,
                  const std::vector<std::pair<std::size_t, std::string>>& tensors);

}  // namespace calibscope::model
