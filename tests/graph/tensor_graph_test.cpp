// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/tensor_graph.h"

#include "tests/support/catch.h"

namespace tensor_graph_test {

using namespace calibscope;

TensorInfo tensor(const std::string& name, Role role, std::vector<std::string> inputs = {})
{
    return {.name = name, .path = "/" + name, .role = role, .inputs = std::move(inputs)};
}

TensorInfo activation(const std::string& name, std::vector<std::string> inputs = {})
{
    return tensor(name, Role::Activation, std::move(inputs));
}

std::vector<std::string> namesIn(const TensorGraph& graph)
{
    std::vector<std::string> names;
    for (const GraphNode& node : graph.nodes)
        names.push_back(node.name);
    return names;
}

TEST_CASE("nodes follow those that they take, with the weights and biases of their ops")
{
    TensorInfo scale = tensor("scale", Role::Weight);
    scale.consumer = "y";
    const std::vector<TensorInfo> tensors{activation("y", {"a/x", "/w", "b"}),
                                          activation("a.x", {}), tensor("w", Role::Weight),
                                          tensor("b", Role::Bias), scale};
    const TensorGraph graph = tensorGraph(tensors);
    CHECK(namesIn(graph) == std::vector<std::string>{"a.x", "y"});
    CHECK(graph.inputs == GraphInputs{{}, {0}});
    CHECK(graph.outputs() == GraphInputs{{1}, {}});
    CHECK(graph.nodes[1].operands == std::vector<std::size_t>{2, 3, 4});
    CHECK(graph.nodeOf(0) == std::optional<std::size_t>(1));
    CHECK(graph.nodeOf(2) == std::optional<std::size_t>(1));
    CHECK(graph.nodeOf(9) == std::nullopt);
}

TEST_CASE("a first input that is not recorded is a node, further ones are named")
{
    const TensorGraph graph =
        tensorGraph(std::vector{activation("a", {"x", "w"}), activation("b", {"x", "", "c"}),
                                activation("c"), tensor("free", Role::Weight)});
    CHECK(namesIn(graph) == std::vector<std::string>{"c", "x", "a", "b"});
    CHECK_FALSE(graph.nodes[1].tensor);
    CHECK(graph.inputs == GraphInputs{{}, {}, {1}, {1, 0}});
    CHECK(graph.nodes[2].missing == std::vector<std::string>{"w"});
    CHECK(graph.nodeOf(3) == std::nullopt);
}

TEST_CASE("what is taken twice is one line, and nothing takes itself")
{
    const TensorGraph graph =
        tensorGraph(std::vector{activation("a"), activation("b", {"a", "a", "b"})});
    CHECK(graph.inputs == GraphInputs{{}, {0}});
}

TEST_CASE("circles come last, and a dump without tensors has no graph")
{
    const TensorGraph graph =
        tensorGraph(std::vector{activation("a", {"b"}), activation("b", {"a"}), activation("c")});
    CHECK(namesIn(graph) == std::vector<std::string>{"c", "a", "b"});
    CHECK(graph.inputs == GraphInputs{{}, {2}, {1}});
    CHECK(tensorGraph({}).nodes.empty());
}

}  // namespace tensor_graph_test
