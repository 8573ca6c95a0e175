// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/match.h"

#include "tests/support/catch.h"

#include <algorithm>

namespace match_test {

using namespace calibscope;
using Lines = std::vector<std::string>;
using Places = std::vector<std::size_t>;
using calibscope::normalizedName;

TensorInfo activation(const std::string& name, std::vector<std::uint64_t> shape = {8, 4})
{
    return {.name = name,
            .path = "/activations/" + name,
            .role = Role::Activation,
            .shape = std::move(shape),
            .batchAxis = 0};
}

TensorInfo weight(const std::string& name, std::vector<std::uint64_t> shape = {4, 3})
{
    return {
        .name = name, .path = "/weights/" + name, .role = Role::Weight, .shape = std::move(shape)};
}

/// "0-1 name" for each pair.
std::vector<std::string> texts(const TensorMatches& matches)
{
    std::vector<std::string> lines;
    for (const TensorPair& pair : matches.pairs)
        lines.push_back(std::to_string(pair.a) + "-" + std::to_string(pair.b) + " " +
                        std::string(matchRuleText(pair.rule)));
    return lines;
}

TEST_CASE("a dump matches itself by name, an activation and a weight of one name apart")
{
    const std::vector<TensorInfo> tensors = {activation("fc"), weight("fc"), activation("relu")};
    const TensorMatches matches = matchTensors(tensors, tensors);
    CHECK(texts(matches) == Lines{"0-0 name", "1-1 name", "2-2 name"});
    CHECK(matches.onlyA.empty());
    CHECK(matches.onlyB.empty());
}

TEST_CASE("a missing tensor is unmatched, and nothing takes its place")
{
    const std::vector<TensorInfo> a = {activation("x"), activation("y"), activation("z")};
    const std::vector<TensorInfo> b = {activation("x"), activation("z")};
    const TensorMatches matches = matchTensors(a, b);
    CHECK(texts(matches) == Lines{"0-0 name", "2-1 name"});
    CHECK(matches.onlyA == Places{1});
    CHECK(matches.onlyB.empty());
}

TEST_CASE("names match beyond separators, wrappers and output numbers")
{
    const std::vector<TensorInfo> a = {activation("module.layer1.0.relu"), activation("add:0")};
    const std::vector<TensorInfo> b = {activation("add"), activation("layer1/0/relu")};
    CHECK(texts(matchTensors(a, b)) == Lines{"0-1 normalized name", "1-0 normalized name"});
}

TEST_CASE("the end of a name matches where it is the only one and shapes agree")
{
    const std::vector<TensorInfo> a = {activation("backbone.conv1"), activation("neck.conv2")};
    const std::vector<TensorInfo> b = {activation("conv1"), activation("net.neck.conv2")};
    CHECK(texts(matchTensors(a, b)) == Lines{"0-0 end of name", "1-1 end of name"});

    // Both names of A end with it.
    const std::vector<TensorInfo> twice = {activation("left.conv1"), activation("right.conv1")};
    const TensorMatches none = matchTensors(twice, std::vector{activation("conv1")});
    CHECK(none.pairs.empty());
    CHECK(none.onlyA == Places{0, 1});

    CHECK(matchTensors(std::vector{activation("backbone.conv1", {8, 5})},
                       std::vector{activation("conv1")})
              .pairs.empty());
}

TEST_CASE("what no name tells is matched by order among equal roles, ops and shapes")
{
    const std::vector<TensorInfo> a = {weight("w0"), weight("w1"), weight("w2", {9, 9})};
    const std::vector<TensorInfo> b = {weight("k2", {9, 9}), weight("k0"), weight("k1")};
    const TensorMatches matches = matchTensors(a, b);
    CHECK(texts(matches) ==
          Lines{"0-1 order and shape", "1-2 order and shape", "2-0 order and shape"});
}

TEST_CASE("order decides nothing where one dump has more of a kind")
{
    const std::vector<TensorInfo> a = {weight("w0"), weight("w1")};
    const std::vector<TensorInfo> b = {weight("k0")};
    const TensorMatches matches = matchTensors(a, b);
    CHECK(matches.pairs.empty());
    CHECK(matches.onlyA == Places{0, 1});
    CHECK(matches.onlyB == Places{0});
}

TEST_CASE("another number of samples is the same shape, another number of channels is not")
{
    const std::vector<TensorInfo> a = {activation("x", {8, 4}), activation("y", {8, 4})};
    const std::vector<TensorInfo> b = {activation("x", {32, 4}), activation("y", {8, 5})};
    const TensorMatches matches = matchTensors(a, b);
    REQUIRE(matches.pairs.size() == 2);
    CHECK(matches.pairs[0].isSameShape);
    CHECK_FALSE(matches.pairs[1].isSameShape);
}

TEST_CASE("the user's pairs come first, and paths that are not there are passed over")
{
    const std::vector<TensorInfo> a = {activation("x"), activation("y")};
    const std::vector<TensorInfo> b = {activation("x"), activation("y")};
    const std::vector<std::pair<std::string, std::string>> manualRange = {
        {"/activations/x", "/activations/y"}, {"/activations/gone", "/activations/x"}};
    const TensorMatches matches = matchTensors(a, b, manualRange);
    CHECK(texts(matches) == Lines{"0-1 manual", "1-0 order and shape"});
}

TEST_CASE("roles that contradict each other don't match, an unknown one matches any")
{
    TensorInfo unknown = weight("fc");
    unknown.role = Role::Unknown;
    CHECK(matchTensors(std::vector{activation("fc")}, std::vector{weight("fc")}).pairs.empty());
    CHECK(texts(matchTensors(std::vector{weight("fc")}, std::vector{unknown})) ==
          Lines{"0-0 name"});
}

TEST_CASE("what lies beside the tensors is in no list")
{
    TensorInfo counter = activation("step", {});
    counter.isBeside = true;
    const TensorMatches matches = matchTensors(std::vector{counter}, std::vector{counter});
    CHECK(matches.pairs.empty());
    CHECK(matches.onlyA.empty());
    CHECK(matches.onlyB.empty());
}

TEST_CASE("twenty thousand names without a partner are worked through quickly")
{
    std::vector<TensorInfo> a;
    std::vector<TensorInfo> b;
    for (int place = 0; place < 20000; ++place) {
        a.push_back(activation("a.block." + std::to_string(place) + ".left", {8, 3}));
        b.push_back(activation("b.block." + std::to_string(place) + ".right", {8, 2}));
    }
    const TensorMatches matches = matchTensors(a, b);
    CHECK(matches.pairs.empty());
    CHECK(matches.onlyA.size() == 20000);
}

TEST_CASE("separators of different tools become the same")
{
    CHECK(normalizedName("layer1/0/conv1") == "layer1.0.conv1");
    CHECK(normalizedName("layer1.0.conv1") == "layer1.0.conv1");
    CHECK(normalizedName("layer1:0:conv1") == "layer1.0.conv1");
    CHECK(normalizedName("/layer1//0/conv1/") == "layer1.0.conv1");
}

TEST_CASE("an output number behind the name goes")
{
    CHECK(normalizedName("relu:0") == "relu");
    CHECK(normalizedName("block/relu:12") == "block.relu");
    CHECK(normalizedName("relu:a0") == "relu.a0");
    CHECK(normalizedName("relu:") == "relu");
}

TEST_CASE("wrappers around the model in front of the name go")
{
    CHECK(normalizedName("module.conv1.weight") == "conv1.weight");
    CHECK(normalizedName("_orig_mod.module.conv1") == "conv1");
    CHECK(normalizedName("model/conv1") == "conv1");
    CHECK(normalizedName("modelling.conv1") == "modelling.conv1");
}

TEST_CASE("a name never becomes empty, and case is kept")
{
    CHECK(normalizedName("module.") == "module");
    CHECK(normalizedName("/") == "/");
    CHECK(normalizedName(":0") == "0");
    CHECK(normalizedName("") == "");
    CHECK(normalizedName("Conv1") == "Conv1");
}

}  // namespace match_test
