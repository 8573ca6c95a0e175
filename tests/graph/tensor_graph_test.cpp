// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/tensor_graph.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <chrono>
#include <random>

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

TensorInfo made(const std::string& name, const std::string& op,
                std::vector<std::string> inputs = {})
{
    TensorInfo tensor = activation(name, std::move(inputs));
    tensor.op = op;
    return tensor;
}

/// Names say nothing: "t0", "t1".
struct MadeNetwork
{
    std::vector<TensorInfo> tensors{};

    std::string add(const std::string& op, std::vector<std::string> inputs)
    {
        tensors.push_back(made("t" + std::to_string(tensors.size()), op, std::move(inputs)));
        return tensors.back().name;
    }
    std::string addResidual(const std::string& from)
    {
        const std::string first = add("Conv", {from});
        return add("Add", {add("Conv", {add("Relu", {first})}), from});
    }
    [[nodiscard]] TensorGraph folded(std::size_t nodes) const
    {
        return foldedGraph(tensorGraph(tensors), nodes);
    }
};

TEST_CASE("without scopes repeated blocks fold, named by their ops and numbered")
{
    MadeNetwork network;
    std::string last = network.add("Input", {});
    for (int block = 0; block < 3; ++block)
        last = network.addResidual(last);
    const TensorGraph folded = network.folded(4);
    const std::string name = "Conv, Relu, Conv, Add";
    CHECK(namesIn(folded) == std::vector<std::string>{"t0", name, name, name});
    CHECK(folded.inputs == GraphInputs{{}, {0}, {1}, {2}});
    CHECK(folded.nodes[0].block == 0);
    for (const std::size_t block : {1U, 2U, 3U}) {
        CHECK(folded.nodes[block].block == block);
        CHECK(folded.nodes[block].blocks == 3);
    }
    CHECK(folded.nodes[2].folded == std::vector<std::size_t>{5, 6, 7, 8});
}

TEST_CASE("blocks fold as far as the number of nodes comes nearer")
{
    MadeNetwork network;
    std::string last = network.add("Input", {});
    for (int block = 0; block < 4; ++block)
        last = network.addResidual(last);
    CHECK(network.folded(17).nodes.size() == 17);
    CHECK(network.folded(9).nodes.size() == 9);  // pairs of ops
    CHECK(network.folded(5).nodes.size() == 5);
    const TensorGraph fewest = network.folded(2);  // blocks of a kind are joined with each other
    CHECK(namesIn(fewest) ==
          std::vector<std::string>{"t0", "Conv, Relu, Conv, Add, Conv, Relu, … (8 ops)",
                                   "Conv, Relu, Conv, Add, Conv, Relu, … (8 ops)"});
}

TEST_CASE("branches that only their block takes belong to it, and interleaved ones fold each")
{
    MadeNetwork network;
    const std::string from = network.add("Input", {});
    std::vector<std::string> ends{from, from};
    for (int block = 0; block < 2; ++block)
        for (std::string& end : ends)
            end = network.add("Conv", {end});
    for (std::string& end : ends)
        end = network.add("Mul", {end, network.add("Sigmoid", {end})});
    network.add("Concat", ends);
    const TensorGraph folded = network.folded(4);
    const std::string name = "Conv, Conv, Sigmoid, Mul";
    CHECK(namesIn(folded) == std::vector<std::string>{"t0", name, name, "t9"});
    CHECK(folded.inputs == GraphInputs{{}, {0}, {0}, {1, 2}});
    CHECK(folded.nodes[2].folded == std::vector<std::size_t>{2, 4, 7, 8});
}

TEST_CASE("a block ends where several take its tensor, and what is not repeated stays")
{
    MadeNetwork network;
    const std::string from = network.add("Input", {});
    for (int head = 0; head < 2; ++head) {
        const std::string conv = network.add("Conv", {from});
        network.add("Relu", {conv});
        network.add("Sigmoid", {conv});
    }
    network.add("Gemm", {network.add("Tanh", {from})});
    CHECK(network.folded(1).nodes.size() == 9);
}

TEST_CASE("nodes without an op and broken chains stay, and circles end the search")
{
    const TensorGraph graph = tensorGraph(std::vector{
        activation("a", {"x"}), activation("b", {"a"}), activation("c", {"b"}),
        made("d", "Conv", {"gone"}), made("e", "Relu", {"d"}), made("f", "Conv", {"lost"}),
        made("g", "Relu", {"f"}), made("h", "Conv", {"i"}), made("i", "Relu", {"h"})});
    const TensorGraph folded = foldedGraph(graph, 1);
    std::vector<std::string> names = namesIn(folded);
    std::ranges::sort(names);
    CHECK(names == std::vector<std::string>{"Conv, Relu", "Conv, Relu", "Conv, Relu", "a", "b", "c",
                                            "gone", "lost", "x"});
}

TEST_CASE("names with scopes fold by these")
{
    std::vector<TensorInfo> tensors = blocks(6);
    for (TensorInfo& tensor : tensors)
        tensor.op = tensor.name.substr(tensor.name.rfind('/') + 1);
    CHECK(namesIn(foldedGraph(tensorGraph(tensors), 8))[2] == "net.stage0/block1");
    for (std::size_t index = 0; index < tensors.size(); ++index) {  // the same names, apart
        tensors[index].name = "t" + std::to_string(index);
        tensors[index].inputs.clear();
        if (index > 0)
            tensors[index].inputs = {tensors[index - 1].name};
    }
    CHECK(namesIn(foldedGraph(tensorGraph(tensors), 8))[2] == "conv, relu, add");
}

TEST_CASE("a name that is not recorded is in no scope")
{
    const TensorGraph graph = tensorGraph(std::vector{
        activation("p.b", {"p.a"}), activation("p.d", {"p.c"}), activation("p.e", {"p.d"})});
    const std::vector<std::string> names = namesIn(foldedGraph(graph, 1));
    CHECK(names == std::vector<std::string>{"p.a", "p.b", "p.c", "p"});
}

TEST_CASE("a broken chain folds behind its end")
{
    const TensorGraph graph = tensorGraph(std::vector{
        made("m0", "MatMul", {"a", "b"}), made("m1", "MatMul", {"c", "d"}),
        made("s0", "Softmax", {"m0"}), made("s1", "Softmax", {"m1"}), made("r", "Relu", {"e"})});
    const TensorGraph folded = foldedGraph(graph, graph.nodes.size() / 2);
    CHECK(namesIn(folded) ==
          std::vector<std::string>{"a", "MatMul, Softmax", "c", "MatMul, Softmax", "e", "r"});
}

TEST_CASE("5,000 nodes fold in the blink of an eye, always alike")
{
    MadeNetwork network;
    std::string last = network.add("Input", {});
    std::mt19937 random(7);
    while (network.tensors.size() < 5000) {
        last = network.addResidual(last);
        if (random() % 4 == 0)
            last = network.add("MaxPool", {last});
        if (random() % 16 == 0)
            last = network.add("Op" + std::to_string(random() % 50), {last});
    }
    const TensorGraph graph = tensorGraph(network.tensors);
    const auto start = std::chrono::steady_clock::now();
    const TensorGraph folded = foldedGraph(graph, 60);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    CHECK(taken.count() < 1000.0);  // 20 ms on a machine without other work
    CHECK(folded.nodes.size() < 400);
    CHECK(namesIn(folded) == namesIn(foldedGraph(graph, 60)));
    std::size_t tensors = 0;
    for (std::size_t node = 0; node < folded.nodes.size(); ++node) {
        tensors += folded.nodes[node].folded.empty() ? 1 : folded.nodes[node].folded.size();
        for (const std::size_t input : folded.inputs[node])
            CHECK(input < node);
    }
    CHECK(tensors == graph.nodes.size());
}

}  // namespace tensor_graph_test
