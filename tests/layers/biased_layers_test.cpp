// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/biased_layers.h"

#include "tests/support/catch.h"

namespace biased_layers_test {

using namespace calibscope;
using layers::BiasedLayer;
using layers::biasedLayers;

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

TEST_CASE("what was left out or not recorded is no layer")
{
    CHECK(biasedLayers(std::vector{tensor("x", Role::Activation), tensor("w", Role::Weight),
                                   tensor("y", Role::Activation, "Conv", {"x", "w", ""}),
                                   tensor("z", Role::Activation, "Conv", {"x", "w"}),
                                   tensor("v", Role::Activation, "Conv", {"x", "w", "b"})})
              .empty());
    CHECK(biasedLayers({}).empty());
}

}  // namespace biased_layers_test
