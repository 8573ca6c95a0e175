// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/tensor_selection.h"

#include "tests/support/catch.h"

namespace tensor_selection_test {

using namespace calibscope;
using calibscope::test::containsText;

const std::vector<TensorInfo> tensors = {
    {.name = "relu_0", .path = "/activations/relu_0", .role = Role::Activation},
    {.name = "relu_*", .path = "/activations/relu_*", .role = Role::Activation},
    {.name = "conv[1]", .path = "/weights/conv[1]", .role = Role::Weight}};

using Indices = std::vector<std::size_t>;

Indices select(const std::vector<std::string>& patterns, std::optional<Role> role = std::nullopt)
{
    return selectTensors(tensors, patterns, role);
}

TEST_CASE("without a pattern all tensors are selected, or all of a role")
{
    CHECK(select({}) == Indices{0, 1, 2});
    CHECK(select({}, Role::Weight) == Indices{2});
    CHECK(select({}, Role::Unknown).empty());
}

TEST_CASE("an exact name or path wins over a glob")
{
    CHECK(select({"relu_*"}) == Indices{1});
    CHECK(select({"relu*"}) == Indices{0, 1});
    CHECK(select({"conv[1]"}) == Indices{2});
    CHECK(select({"/activations/relu_0"}) == Indices{0});
    CHECK(select({"conv*", "relu_0", "relu*"}) == Indices{0, 1, 2});
}

TEST_CASE("a pattern that names nothing is refused with names like it")
{
    CHECK_THROWS_WITH(select({"Relu"}), containsText("there is no tensor Relu") &&
                                            containsText("similar names: relu_0, relu_*"));
    CHECK_THROWS_WITH(select({"relu_1"}), containsText("relu_0"));
    CHECK_THROWS_WITH(select({"xyz"}), containsText("there is no tensor xyz"));
}

TEST_CASE("a further path of a tensor selects it where nothing else has that name")
{
    const std::vector<TensorInfo> linked = {
        {.name = "a", .path = "/a", .otherPaths = {"/tied/embedding", "/b"}},
        {.name = "b", .path = "/other/b"}};
    const auto selected = [&](const std::string& pattern) {
        return selectTensors(linked, std::vector{pattern});
    };
    CHECK(selected("/tied/embedding") == Indices{0});
    CHECK(selected("embedding") == Indices{0});
    CHECK(selected("b") == Indices{1});
    CHECK(selected("/b") == Indices{0});
    CHECK_THROWS_WITH(selected("bedding"), containsText("there is no tensor bedding"));
}

TEST_CASE("a path selects without its first slash, as h5py writes it, behind names that are so")
{
    const std::vector<TensorInfo> recorded = {
        {.name = "conv", .path = "/activations/conv"},
        {.name = "conv", .path = "/weights/conv"},
        {.name = "weights/conv", .path = "/activations/weights/conv"},
        {.name = "steps", .path = "/steps", .parts = {"/steps/0", "/steps/1"}}};
    const auto selected = [&](const std::string& pattern) {
        return selectTensors(recorded, std::vector{pattern});
    };
    CHECK(selected("activations/conv") == Indices{0});
    CHECK(selected("weights/conv") == Indices{2});  // a name
    CHECK(selected("/weights/conv") == Indices{1});
    CHECK(selected("steps/1") == Indices{3});
    CHECK_THROWS_WITH(selected("ctivations/conv"), containsText("there is no tensor"));
    CHECK(isPathOf(recorded[0], "activations/conv"));
    CHECK_FALSE(isPathOf(recorded[0], "conv"));
    CHECK_FALSE(isPathOf(recorded[0], ""));
}

}  // namespace tensor_selection_test
