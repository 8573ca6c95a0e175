// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/propagation.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace propagation_test {

using namespace calibscope;

TensorInfo made(const std::string& name, const std::string& op, std::vector<std::string> inputs)
{
    return {.name = name,
            .path = "/activations/" + name,
            .role = Role::Activation,
            .elementType = ElementKind::Float32,
            .shape = {2, 4},
            .op = op,
            .inputs = std::move(inputs)};
}

Recipe entropyEverywhere()
{
    return recipeFromJson(R"({"id": "r", "title": "R", "propagate": true, "rules": [
        {"role": "activation", "calibrator": "entropy"},
        {"role": "weight", "calibrator": "min-max"}]})",
                          "test");
}

std::vector<RangeSource> sourcesUnder(const Recipe& recipe, const TensorInfo& tensor,
                                      const Consumers& consumers)
{
    return rangeSources(recipe, tensor, consumers).value();
}

std::vector<std::string> sourcesOf(const std::string& name, const std::vector<TensorInfo>& graph,
                                   const Recipe& recipe = entropyEverywhere())
{
    const Consumers consumers(graph);
    std::vector<std::string> names;
    for (const TensorInfo& tensor : graph)
        if (tensor.name == name)
            for (const RangeSource& source : sourcesUnder(recipe, tensor, consumers))
                names.push_back(source.tensor);
    return names;
}

using Names = std::vector<std::string>;

/// The definition as it is written, without regard for time: of a graph without circles.
std::set<std::string> endsByDefinition(const TensorInfo& tensor,
                                       const std::vector<TensorInfo>& graph)
{
    std::set<std::string> ends;
    for (const TensorInfo& output : graph) {
        const auto inputs = keptInputs(output);
        if (std::ranges::find(inputs, tensor.name) == inputs.end())
            continue;
        const std::set<std::string> further = endsByDefinition(output, graph);
        ends.insert(further.begin(), further.end());
        if (further.empty() && output.isReadable())
            ends.insert(output.name);
    }
    return ends;
}

/// Ops that keep ranges and others, each of which reads up to three tensors before it.
std::vector<TensorInfo> randomGraph(std::mt19937& random)
{
    const std::array<std::string, 4> ops = {"Concat", "MaxPool", "Conv", "Concat"};
    std::vector<TensorInfo> graph;
    const std::size_t tensors = 2 + random() % 18;
    for (std::size_t tensor = 0; tensor < tensors; ++tensor) {
        Names inputs;
        for (std::size_t input = random() % 4; tensor > 0 && input > 0; --input)
            inputs.push_back("t" + std::to_string(random() % tensor));
        graph.push_back(made("t" + std::to_string(tensor), ops[random() % 4], inputs));
        if (random() % 5 == 0)
            graph.back().unreadable = "it was not recorded";
    }
    std::ranges::shuffle(graph, random);
    return graph;
}

std::vector<TensorInfo> chain(std::size_t tensors)
{
    std::vector<TensorInfo> graph = {made("t0", "Conv", {"x"})};
    for (std::size_t tensor = 1; tensor < tensors; ++tensor)
        graph.push_back(
            made("t" + std::to_string(tensor), "MaxPool", {"t" + std::to_string(tensor - 1)}));
    return graph;
}

TEST_CASE("2000 random graphs end where the definition says")
{
    std::mt19937 random(7);
    std::size_t ends = 0;
    for (int round = 0; round < 2000; ++round) {
        const std::vector<TensorInfo> graph = randomGraph(random);
        const Consumers consumers(graph);
        for (const TensorInfo& tensor : graph) {
            std::set<std::string> found;
            for (const RangeSource& source : sourcesUnder(entropyEverywhere(), tensor, consumers))
                found.insert(source.tensor);
            REQUIRE(found == endsByDefinition(tensor, graph));
            ends += found.size();
        }
    }
    CHECK(ends > 10'000);
}

TEST_CASE("a chain of 50 000 tensors is walked in one pass, on a stack of any size")
{
    // Once a recursion for each tensor of it: 20 000 of them overflowed the stack.
    const std::vector<TensorInfo> graph = chain(50'000);
    const Consumers consumers(graph);
    const Recipe recipe = entropyEverywhere();
    for (const TensorInfo& tensor : graph) {
        const auto sources = rangeSources(recipe, tensor, consumers);
        REQUIRE(sources);
        if (tensor.name == "t49999")
            CHECK(sources->empty());
        else
            REQUIRE((sources->size() == 1 && sources->front().tensor == "t49999"));
    }
}

TEST_CASE("a circle takes the ranges of where it is left, whichever tensor is asked")
{
    // x -> a -> b -> c -> a, and b -> out
    const std::vector<TensorInfo> graph = {
        made("x", "Conv", {"y"}), made("a", "Concat", {"x", "c"}), made("b", "Identity", {"a"}),
        made("c", "Identity", {"b"}), made("out", "MaxPool", {"b"})};
    for (const char* name : {"x", "a", "b", "c"})
        CHECK(sourcesOf(name, graph) == Names{"out"});
    // Never left: each keeps its own, and who leads into it takes the first one's.
    const std::vector<TensorInfo> closed(graph.begin(), graph.end() - 1);
    for (const char* name : {"a", "b", "c"})
        CHECK(sourcesOf(name, closed).empty());
    CHECK(sourcesOf("x", closed) == Names{"a"});
}

TEST_CASE("a circle of 50 000 tensors ends")
{
    std::vector<TensorInfo> graph = chain(50'000);
    graph[0] = made("t0", "Identity", {"t49999"});
    const Consumers consumers(graph);
    for (const std::size_t tensor : {0U, 1U, 49'999U})
        CHECK(sourcesUnder(entropyEverywhere(), graph[tensor], consumers).empty());
}

TEST_CASE("a tensor with more ends than can be told keeps its own range, and says so")
{
    std::vector<TensorInfo> graph = {made("a", "Conv", {"x"}), made("before", "Conv", {"x"})};
    graph[0].op = "Identity";
    graph[0].inputs = {"before"};
    const auto endsWith = [&](std::size_t ends) {
        while (graph.size() < ends + 2)
            graph.push_back(made("end" + std::to_string(graph.size()), "MaxPool", {"a"}));
        return choose(entropyEverywhere(), graph[1], Consumers(graph)).value();
    };
    CHECK(endsWith(mostRangeSources).rangeFrom.size() == mostRangeSources);
    const Choice choice = endsWith(mostRangeSources + 1);
    CHECK(choice.rangeFrom.empty());
    CHECK(choice.note == "more than 256 tensors whose range it could take: its own is kept");
}

TEST_CASE("what was found under a recipe is not taken for another of its id")
{
    const std::vector<TensorInfo> graph = {made("a", "Conv", {"x"}), made("b", "MaxPool", {"a"})};
    const Consumers consumers(graph);
    Recipe recipe = entropyEverywhere();
    CHECK(rangeSources(recipe, graph[0], consumers)->size() == 1);
    recipe.rules[0].name = "a";  // b is left out
    CHECK(rangeSources(recipe, graph[0], consumers)->empty());
}

TEST_CASE("a chain of range-keeping ops hands the range of its end to all before it")
{
    // conv -> a -MaxPool-> b -Reshape-> c -Relu-> d
    const std::vector<TensorInfo> graph = {made("a", "Conv", {"x"}), made("b", "MaxPool", {"a"}),
                                           made("c", "Reshape", {"b", "shape"}),
                                           made("d", "Relu", {"c"})};
    CHECK(sourcesOf("a", graph) == Names{"c"});
    CHECK(sourcesOf("b", graph) == Names{"c"});
    CHECK(sourcesOf("c", graph).empty());
    CHECK(sourcesOf("d", graph).empty());
}

TEST_CASE("an input of two range-keeping ops is asked to take the larger of both ends")
{
    const std::vector<TensorInfo> graph = {made("a", "Conv", {"x"}), made("low", "MaxPool", {"a"}),
                                           made("high", "Concat", {"z", "a"}),
                                           made("other", "Conv", {"a"})};
    CHECK(sourcesOf("a", graph) == Names{"high", "low"});
}

TEST_CASE("a diamond that closes again ends in one tensor")
{
    const std::vector<TensorInfo> graph = {made("a", "Conv", {"x"}), made("left", "MaxPool", {"a"}),
                                           made("right", "Identity", {"a"}),
                                           made("end", "Concat", {"left", "right"})};
    for (const char* name : {"a", "left", "right"})
        CHECK(sourcesOf(name, graph) == Names{"end"});
}

TEST_CASE("tensors that come back to themselves keep their own range")
{
    const std::vector<TensorInfo> graph = {made("a", "Identity", {"b"}),
                                           made("b", "Identity", {"a"}),
                                           made("self", "Identity", {"self"})};
    CHECK(sourcesOf("a", graph).empty());
    CHECK(sourcesOf("b", graph).empty());
    CHECK(sourcesOf("self", graph).empty());
}

TEST_CASE("a tensor without values in the middle is passed through, one at the end gives nothing")
{
    std::vector<TensorInfo> graph = {made("a", "Conv", {"x"}), made("b", "MaxPool", {"a"}),
                                     made("c", "Flatten", {"b"})};
    graph[1].unreadable = "it was not recorded";
    CHECK(sourcesOf("a", graph) == Names{"c"});
    graph[2].unreadable = "it was not recorded";
    CHECK(sourcesOf("a", graph).empty());
}

TEST_CASE("a tensor that the recipe leaves out has no range to give")
{
    const std::vector<TensorInfo> graph = {made("a", "Conv", {"x"}), made("b", "MaxPool", {"a"})};
    Recipe recipe = entropyEverywhere();
    recipe.rules[0].name = "a";
    CHECK(sourcesOf("a", graph, recipe).empty());
}

TEST_CASE("shapes and axes take no range, nor what ops read that cut values away")
{
    const std::vector<TensorInfo> graph = {made("shape", "Constant", {}), made("a", "Conv", {"x"}),
                                           made("b", "Reshape", {"a", "shape"}),
                                           made("part", "Slice", {"b"})};
    CHECK(sourcesOf("shape", graph).empty());
    CHECK(sourcesOf("b", graph).empty());
    CHECK(sourcesOf("a", graph) == Names{"b"});
}

TEST_CASE("inputs are found whose names were written with dots for slashes")
{
    const std::vector<TensorInfo> graph = {made("block/a", "Conv", {"x"}),
                                           made("b", "Identity", {"block.a"})};
    CHECK(sourcesOf("block/a", graph) == Names{"b"});
}

TEST_CASE("only recipes that say so propagate, and only to activations with one scale")
{
    const std::vector<TensorInfo> graph = {made("a", "Conv", {"x"}), made("b", "MaxPool", {"a"})};
    const Consumers consumers(graph);
    CHECK(choose(entropyEverywhere(), graph[0], consumers)->rangeFrom.size() == 1);
    CHECK(choose(recipe("nvidia-entropy"), graph[0], consumers)->rangeFrom.size() == 1);
    CHECK(choose(recipe("moffett-cnn"), graph[0], consumers)->rangeFrom.empty());
    TensorInfo weight = graph[0];
    weight.role = Role::Weight;
    CHECK(choose(entropyEverywhere(), weight, consumers)->rangeFrom.empty());
}

}  // namespace propagation_test
