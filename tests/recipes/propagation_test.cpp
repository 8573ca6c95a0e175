#include "core/recipes/propagation.h"

#include "tests/support/catch.h"

using namespace calibscope;

namespace {

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

std::vector<std::string> sourcesOf(const std::string& name, const std::vector<TensorInfo>& graph,
                                   const Recipe& recipe = entropyEverywhere())
{
    const Consumers consumers(graph);
    std::vector<std::string> names;
    for (const TensorInfo& tensor : graph)
        if (tensor.name == name)
            for (const RangeSource& source : rangeSources(recipe, tensor, consumers))
                names.push_back(source.tensor);
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

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
