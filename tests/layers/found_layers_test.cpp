// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/found_layers.h"

#include "tests/support/catch.h"

namespace found_layers_test {

using namespace calibscope;
using layers::BiasedLayer;
using layers::biasedLayers;
using layers::FoundLayer;
using layers::foundLayers;

TensorInfo activation(const std::string& name, const std::string& op,
                      std::vector<std::string> inputs)
{
    TensorInfo info;
    info.name = name;
    info.path = "/activations/" + name;
    info.role = Role::Activation;
    info.op = op;
    info.inputs = std::move(inputs);
    return info;
}

TensorInfo weight(const std::string& name, const std::string& op, const std::string& consumer = {})
{
    TensorInfo info;
    info.name = name;
    info.path = "/weights/" + name;
    info.role = Role::Weight;
    info.op = op;
    info.consumer = consumer;
    return info;
}

TEST_CASE("layers come after those that they take, and those that only weights tell of last")
{
    const std::vector<TensorInfo> tensors{activation("b", "Conv", {"a", "wb"}),
                                          activation("a", "Conv", {"x", "wa"}),
                                          activation("x", "Input", {}),
                                          weight("alone", "Gemm", "fc"),
                                          weight("wa", "Conv"),
                                          weight("wb", "Conv"),
                                          weight("table", "Gather")};
    const std::vector<FoundLayer> layers = foundLayers(tensors);
    REQUIRE(layers.size() == 3);
    CHECK(layers[0].name == "a");
    CHECK(layers[0].whyNot.empty());
    CHECK(*layers[0].input.tensor == 2);
    CHECK(*layers[0].weight.tensor == 4);
    CHECK(layers[1].name == "b");
    CHECK(layers[2].name == "fc");
    CHECK(layers[2].whyNot == "its output is not in the dump");
}

TEST_CASE("a missing operand is named, as the layer calls it")
{
    const std::vector<TensorInfo> tensors{activation("p2o.Add.71", "Add", {}),
                                          activation("a", "Conv", {"p2o.Add.5", "w"}),
                                          activation("b", "Conv", {"p2o.Add.71", "lost"}),
                                          activation("c", "MatMul", {}),
                                          activation("d", "MatMul", {"p2o.Add.71", "k"}),
                                          weight("w", "Conv")};
    const std::vector<FoundLayer> layers = foundLayers(tensors);
    REQUIRE(layers.size() == 4);
    CHECK(layers[0].whyNot == "input p2o.Add.5 is not in the dump");
    CHECK(layers[1].whyNot == "weight lost is not in the dump");
    CHECK(layers[2].whyNot == "its inputs were not recorded");
    CHECK(layers[3].whyNot == "second operand k is not in the dump");
}

TEST_CASE("names are found with slashes, behind separators, and as the graph has them")
{
    TensorInfo other = activation("short", "Relu", {});
    other.graphName = "/block/Relu_output_0";
    const std::vector<TensorInfo> tensors{
        activation("enc.0.Relu", "Relu", {}), other, weight("enc.0.w", "Conv"),
        activation("a", "Conv", {"/enc/0/Relu", "enc/0/w"}),
        activation("b", "Conv", {"/block/Relu_output_0", "enc.0.w"})};
    const std::vector<FoundLayer> layers = foundLayers(tensors);
    REQUIRE(layers.size() == 2);
    CHECK(*layers[0].input.tensor == 0);
    CHECK(*layers[0].weight.tensor == 2);
    CHECK(*layers[1].input.tensor == 1);
}

TEST_CASE("a weight is found by its consumer, the second operand may be an activation, the first a "
          "weight")
{
    TensorInfo output = activation("a", "Conv", {"x"});
    output.node = "conv1";
    const std::vector<TensorInfo> tensors{activation("x", "Input", {}),
                                          activation("k", "Transpose", {"x"}),
                                          output,
                                          activation("scores", "MatMul", {"x", "k"}),
                                          activation("first", "MatMul", {"w2", "x"}),
                                          weight("w1", "Conv", "conv1"),
                                          weight("w2", "MatMul")};
    const std::vector<FoundLayer> layers = foundLayers(tensors);
    REQUIRE(layers.size() == 3);
    CHECK(*layers[0].weight.tensor == 5);
    const auto named = [&](const std::string& name) {
        return *std::ranges::find(layers, name, &FoundLayer::name);
    };
    CHECK(named("scores").isWeightPerSample);
    CHECK(named("first").isWeightFirst);
    CHECK(*named("first").input.tensor == 0);
    CHECK(*named("first").weight.tensor == 6);
}

TEST_CASE("values are followed back through ops that move them, and circles end")
{
    const std::vector<TensorInfo> tensors{
        activation("x", "Relu", {"y"}),      activation("a", "Reshape", {"x", "shape"}),
        activation("b", "Transpose", {"a"}), activation("c", "Flatten", {"d"}),
        activation("d", "Squeeze", {"c"}),   activation("s", "Softmax", {"x"})};
    const NamedTensors names(tensors);
    CHECK(layers::movedFrom(names, 2) == std::vector<std::size_t>{1, 0});
    CHECK(layers::movedFrom(names, 5).empty());
    CHECK(layers::movedFrom(names, 3).size() <= 2);
    // A circle of inputs has an order all the same.
    const std::vector<TensorInfo> circle{activation("a", "Conv", {"b", "w"}),
                                         activation("b", "Conv", {"a", "w"}), weight("w", "Conv")};
    CHECK(foundLayers(circle).size() == 2);
    CHECK(foundLayers({}).empty());
}

TensorInfo tensor(const std::string& name, Role role, const std::string& op = {},
                  const std::vector<std::string>& inputs = {})
{
    return {.name = name, .path = "/" + name, .role = role, .op = op, .inputs = inputs};
}

TEST_CASE("a layer is found by its recorded inputs, names with slashes as dots")
{
    const std::vector<TensorInfo> tensors{
        tensor("a.x", Role::Activation), tensor("a.w", Role::Weight), tensor("a.b", Role::Bias),
        tensor("a.y", Role::Activation, "Conv", {"a/x", "a/w", "a/b"}),
        tensor("a.z", Role::Activation, "Relu", {"a/y"})};
    CHECK(biasedLayers(tensors) == std::vector<BiasedLayer>{{.weight = 1, .input = 0, .bias = 2}});
}

TEST_CASE("a weight of several layers is in each of them")
{
    const std::vector<TensorInfo> tensors{
        tensor("x", Role::Activation), tensor("w", Role::Weight), tensor("b", Role::Bias),
        tensor("y", Role::Activation, "Gemm", {"x", "w", "b"}),
        tensor("z", Role::Activation, "ConvTranspose", {"y", "w", "b"})};
    CHECK(biasedLayers(tensors).size() == 2);
}

TEST_CASE("a bias that an Add adds to a MatMul belongs to its weight, on either side")
{
    for (const bool isFirst : {false, true}) {
        const std::vector<std::string> inputs =
            isFirst ? std::vector<std::string>{"b", "m"} : std::vector<std::string>{"m", "b"};
        const std::vector<TensorInfo> tensors{tensor("x", Role::Activation),
                                              tensor("w", Role::Weight), tensor("b", Role::Bias),
                                              tensor("m", Role::Activation, "MatMul", {"x", "w"}),
                                              tensor("y", Role::Activation, "Add", inputs)};
        CHECK(biasedLayers(tensors) ==
              std::vector<BiasedLayer>{{.weight = 1, .input = 0, .bias = 2}});
    }
}

TEST_CASE("what was left out or not recorded is not a layer")
{
    CHECK(biasedLayers(std::vector{tensor("x", Role::Activation), tensor("w", Role::Weight),
                                   tensor("y", Role::Activation, "Conv", {"x", "w", ""}),
                                   tensor("z", Role::Activation, "Conv", {"x", "w"}),
                                   tensor("v", Role::Activation, "Conv", {"x", "w", "b"})})
              .empty());
    CHECK(biasedLayers({}).empty());
}

}  // namespace found_layers_test
