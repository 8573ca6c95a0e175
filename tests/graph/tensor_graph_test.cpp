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

/// A chain of blocks of three, and a node without a scope.
std::vector<TensorInfo> blocks(std::size_t count)
{
    std::vector<TensorInfo> tensors{activation("input")};
    for (std::size_t block = 0; block < count; ++block)
        for (const char* op : {"conv", "relu", "add"}) {
            const std::string scope =
                "net.stage" + std::to_string(block / 3) + "/block" + std::to_string(block) + "/";
            tensors.push_back(activation(scope + op, {tensors.back().name}));
        }
    return tensors;
}

TEST_CASE("scopes fold to the number of nodes that comes nearest")
{
    const TensorGraph graph = tensorGraph(blocks(6));
    CHECK(foldedGraph(graph, 100).nodes.size() == 19);
    const TensorGraph folded = foldedGraph(graph, 8);
    CHECK(namesIn(folded)[2] == "net.stage0/block1");
    CHECK(folded.nodes[2].folded == std::vector<std::size_t>{4, 5, 6});
    CHECK(folded.nodes[0].folded.empty());
    CHECK(folded.nodes[0].tensor == std::optional<std::size_t>(0));
    CHECK(folded.inputs == GraphInputs{{}, {0}, {1}, {2}, {3}, {4}, {5}});
    CHECK(namesIn(foldedGraph(graph, 4)) ==
          std::vector<std::string>{"input", "net.stage0", "net.stage1"});
    CHECK(namesIn(foldedGraph(graph, 1)) == std::vector<std::string>{"input", "net"});
    CHECK(foldedGraph({}, 5).nodes.empty());
}

TEST_CASE("branches of a scope fold together, and what only shares its name does not")
{
    const TensorGraph graph = tensorGraph(std::vector{
        activation("in"), activation("s/a", {"in"}), activation("s/b", {"in"}),
        activation("s/c", {"s/a", "s/b"}), activation("s/x"), activation("s/y", {"s/x"})});
    const TensorGraph folded = foldedGraph(graph, 3);
    CHECK(namesIn(folded) == std::vector<std::string>{"in", "s", "s"});
    CHECK(folded.nodes[1].folded == std::vector<std::size_t>{1, 2, 3});
    CHECK(folded.inputs == GraphInputs{{}, {0}, {}});
}

TEST_CASE("what a scope is interrupted by parts it, and weights fold with their ops")
{
    const TensorGraph graph = tensorGraph(std::vector{
        activation("s/a"), activation("other", {"s/a"}), activation("s/b", {"other", "s/w"}),
        activation("s/c", {"s/b"}), tensor("s/w", Role::Weight)});
    const TensorGraph folded = foldedGraph(graph, 1);
    CHECK(namesIn(folded) == std::vector<std::string>{"s/a", "other", "s"});
    CHECK(folded.nodes[2].folded == std::vector<std::size_t>{2, 4, 3});
    CHECK(folded.inputs == GraphInputs{{}, {0}, {1}});
}

}  // namespace tensor_graph_test
