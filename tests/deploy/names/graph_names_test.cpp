// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/graph_names.h"

#include "core/dump/element_decoder.h"
#include "tests/support/catch.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace graph_names_test {

using namespace calibscope;
using deploy::GraphName;
using deploy::NameRule;
using deploy::roundedTo;
using deploy::ValuesFit;
using deploy::valuesFit;
using model::GraphTensor;
using test::containsText;

TensorInfo activation(const std::string& name)
{
    return {.name = name, .path = "/activations/" + name, .role = Role::Activation};
}

TensorInfo weight(const std::string& name)
{
    return {.name = name, .path = "/weights/" + name, .role = Role::Weight, .shape = {2}};
}

GraphTensor made(const std::string& name, const std::string& scope = {})
{
    return {.name = name, .scope = scope, .op = "Relu"};
}

GraphTensor constant(const std::string& name, const std::string& scope = {})
{
    return {.name = name, .scope = scope, .isConstant = true, .shape = {2}};
}

/// Values of the graph's tensors by place, and of the dump's weights.
struct Values
{
    std::vector<std::vector<float>> graph;
    std::vector<std::vector<float>> dump;
    ElementKind kind = ElementKind::Float32;  ///< of the dump's

    [[nodiscard]] deploy::GraphNaming naming() const
    {
        return {.fit =
                    [this](std::size_t tensor, std::span<const float> values) {
                        return deploy::valuesFit(dump.at(tensor), kind, values);
                    },
                .graphValues = [this](std::size_t place) { return graph.at(place); }};
    }
};

GraphName nameOf(const TensorInfo& tensor, const std::vector<GraphTensor>& graph,
                 const deploy::GraphNaming& naming = {})
{
    return deploy::graphNames(std::vector{tensor}, graph, naming).front();
}

TEST_CASE("the first rule that hits decides: map, attribute, equal, dots, suffix")
{
    const std::vector<GraphTensor> graph{made("x"), made("a.b"), made("/a/b"), made("m/a/b"),
                                         made("other")};
    TensorInfo tensor = activation("a.b");
    CHECK(nameOf(tensor, graph, {.map = {{"a.b", "other"}}}).tensor == 4U);
    CHECK(nameOf(tensor, graph, {.map = {{"/activations/a.b", "other"}}}).rule == NameRule::Map);
    CHECK(nameOf(tensor, graph).tensor == 1U);
    CHECK(nameOf(tensor, graph).rule == NameRule::Equal);
    tensor.graphName = "x";
    CHECK(nameOf(tensor, graph).tensor == 0U);
    CHECK(nameOf(tensor, graph).rule == NameRule::Attribute);
    tensor.graphName = "gone";  // of another version: names decide
    CHECK(nameOf(tensor, graph).tensor == 1U);
    const std::vector<GraphTensor> others{made("m/a/b"), made("/a/b")};
    const GraphName dots = nameOf(activation("a.b"), others);
    CHECK(dots.tensor == 1U);
    CHECK(dots.rule == NameRule::Dots);
    CHECK(dots.reason == "`/a/b` with dots for slashes");
    CHECK(nameOf(activation("a/b"), others).rule == NameRule::Dots);
}

TEST_CASE("a suffix counts behind one of . / : _ alone")
{
    for (const char* name : {"m.a", "m/a", "m:a", "m_a", "///m//a"}) {
        INFO(name);
        const GraphName found = nameOf(activation("a"), {made(name)});
        CHECK(found.tensor == 0U);
        CHECK(found.rule == NameRule::Suffix);
    }
    CHECK_FALSE(nameOf(activation("a"), {made("ma")}).tensor);
    CHECK_FALSE(nameOf(activation("a"), {made("m-a")}).tensor);
    CHECK_FALSE(nameOf(activation("m.a"), {made("a")}).tensor);  // the graph's is the shorter one
    CHECK(nameOf(activation("x::y [0]"), {made("m/x::y [0]")}).tensor == 0U);
}

TEST_CASE("a name that the map gives but the graph lacks is not replaced by another")
{
    const GraphName name = nameOf(activation("a"), {made("a")}, {.map = {{"a", "b"}}});
    CHECK_FALSE(name.tensor);
    CHECK(name.reason == "the map gives `b`, which is not in the graph");
}

TEST_CASE("weights are settled by their values, activations by where the weights are")
{
    const std::vector<GraphTensor> graph{
        constant("p/w", "If.then_branch"), made("p/y", "If.then_branch"),
        constant("q/w", "If.else_branch"), made("q/y", "If.else_branch"), made("out")};
    const std::vector<TensorInfo> tensors{activation("y"), weight("w"), activation("out")};
    const Values values{.graph = {{1, 2}, {}, {3, 4}}, .dump = {{}, {3, 4}}};
    const auto names = deploy::graphNames(tensors, graph, values.naming());
    CHECK(names[1].tensor == 2U);
    CHECK(names[1].reason == "`q/w` ends in it; of 2 the one of equal values");
    CHECK(names[0].tensor == 3U);
    CHECK(names[0].reason ==
          "`q/y` ends in it; of 2 the one in `If.else_branch`, where the weights are");
    CHECK(names[2].tensor == 4U);
}

TEST_CASE("graphs within those of the weights count where none of theirs is a candidate")
{
    const std::vector<GraphTensor> graph{constant("p/w", "If.then_branch"),
                                         made("p/y", "If.then_branch/If_1.then_branch"),
                                         made("q/y", "If.else_branch/If_1.then_branch")};
    const Values values{.graph = {{1, 2}}, .dump = {{}, {1, 2}}};
    const auto names =
        deploy::graphNames(std::vector{activation("y"), weight("w")}, graph, values.naming());
    CHECK(names[0].tensor == 1U);
}

TEST_CASE("what stays ambiguous is not placed, and lists all that it could be")
{
    const GraphName name = nameOf(activation("y"), {made("p/y", "If.then_branch"), made("q/y")});
    CHECK_FALSE(name.tensor);
    CHECK(name.candidates == std::vector<std::size_t>{0, 1});
    CHECK(name.reason == "could be `p/y` in `If.then_branch` or `q/y` (give its name with --map)");
    // Two names of the graph that become one of the dump.
    CHECK_FALSE(nameOf(activation("a.b"), {made("a/b"), made("/a.b")}).tensor);
    // Weights of equal values in two graphs, and no other weight to tell which.
    const Values values{.graph = {{1, 2}, {1, 2}}, .dump = {{1, 2}}};
    CHECK(nameOf(weight("w"), {constant("p/w"), constant("q/w", "If.then_branch")}, values.naming())
              .candidates.size() == 2);
}

TEST_CASE("a weight whose values differ from the graph's is an error, unless the graph's are taken")
{
    const Values values{.graph = {{1, 2}, {3, 4}}, .dump = {{1, 2.5F}}};
    deploy::GraphNaming naming = values.naming();
    const GraphName one = nameOf(weight("w"), {constant("w")}, naming);
    CHECK_FALSE(one.tensor);
    CHECK(one.differs);
    CHECK(one.reason == "differs from the model's: recorded from another version?");
    const GraphName two = nameOf(weight("w"), {constant("p/w"), constant("q/w")}, naming);
    CHECK(two.differs);
    CHECK_THAT(two.reason, containsText("`p/w` or `q/w`"));
    naming.takesGraphWeights = true;
    const GraphName taken = nameOf(weight("w"), {constant("w")}, naming);
    CHECK(taken.tensor == 0U);
    CHECK_THAT(taken.reason, containsText("the model's are taken"));
    GraphTensor other = constant("w");
    other.shape = {1, 2};
    CHECK_FALSE(nameOf(weight("w"), {other}, naming).tensor);  // no weight of that shape
}

TEST_CASE("a weight without a name in the graph is told whose values it has, and not placed")
{
    const Values values{.graph = {{1, 2}, {3, 4}}, .dump = {{3, 4}}};
    const GraphName name =
        nameOf(weight("rnn.W"), {constant("concat_1"), constant("concat_2")}, values.naming());
    CHECK_FALSE(name.tensor);
    CHECK(name.candidates == std::vector<std::size_t>{1});
    CHECK(name.reason == "is not in the graph, but its values are those of `concat_2` (give its "
                         "name with --map)");
    CHECK(nameOf(activation("y"), {made("x")}).reason == "is not in the graph");
}

TEST_CASE("a weight without a name in the graph is placed by its layer and every value")
{
    // The LSTM of a module that was exported twice, and a sibling's: layers of both names.
    const std::vector<GraphTensor> graph{constant("Concat_1"), constant("Concat_2"),
                                         constant("Concat_3"), constant("Concat_4")};
    std::vector<model::LayerConstant> layers;
    for (const char* node : {"p/rnn/LSTM", "p/rnn_1/LSTM", "q/rnn/LSTM", "p/rnn/LSTM"})
        layers.push_back({.tensor = layers.size(), .op = "LSTM", .node = node, .input = 1});
    const Values values{.graph = {{1, 2}, {1, 2}, {3, 4}, {5, 6}}, .dump = {{1, 2}}};
    deploy::GraphNaming naming = values.naming();
    TensorInfo tensor = weight("rnn.W");
    CHECK_FALSE(nameOf(tensor, graph, naming).tensor);  // nothing tells the layer
    naming.layers = layers;
    CHECK_FALSE(nameOf(tensor, graph, naming).tensor);
    tensor.consumer = "rnn.LSTM";
    tensor.op = "LSTM";
    const GraphName found = nameOf(tensor, graph, naming);
    CHECK(found.tensor == 0U);
    CHECK(found.rule == NameRule::Layer);
    CHECK(found.reason == "`Concat_1` has its values, and is taken by its layer");
    naming.map = {{"rnn.W", "gone"}};  // what the user says is not replaced
    CHECK_FALSE(nameOf(tensor, graph, naming).tensor);
    naming.map.clear();
    tensor.op = "GRU";
    CHECK_FALSE(nameOf(tensor, graph, naming).tensor);
    tensor.op = "LSTM";
    tensor.consumer = "nn.LSTM";  // behind a separator alone
    CHECK_FALSE(nameOf(tensor, graph, naming).tensor);
    tensor.consumer = "rnn.LSTM";
    layers[2].node = "q/p/rnn/LSTM";
    const Values twice{.graph = {{1, 2}, {7, 8}, {1, 2}, {5, 6}}, .dump = {{1, 2}}};
    naming = twice.naming();
    naming.layers = layers;
    CHECK_FALSE(nameOf(tensor, graph, naming).tensor);  // two layers of that name, equal values
}

TEST_CASE("a weight that was recorded as float16 is the model's that rounds to it")
{
    // 0.1 and 1/3 as float16, by hand: 0x2E66 and 0x3555.
    const std::vector<float> recorded{0.0999755859375F, 0.333251953125F};
    Values values{.graph = {{0.1F, 1.0F / 3.0F}, {0.1F, 0.334F}}, .dump = {recorded}};
    const std::vector<GraphTensor> graph{constant("p/w"), constant("q/w")};
    CHECK(nameOf(weight("w"), graph, values.naming()).differs);  // as float32
    values.kind = ElementKind::Float16;
    TensorInfo tensor = weight("w");
    tensor.elementType = ElementKind::Float16;
    const GraphName found = nameOf(tensor, graph, values.naming());
    CHECK(found.tensor == 0U);
    CHECK(found.isRounded);
    CHECK(found.reason == "`p/w` ends in it; of 2 the one of equal values; its values are the "
                          "model's, rounded to float16");
    // Of one that is equal and one that rounds to it, it is the equal one.
    values.graph[1] = recorded;
    const GraphName equal = nameOf(tensor, graph, values.naming());
    CHECK(equal.tensor == 1U);
    CHECK_FALSE(equal.isRounded);
}

TEST_CASE("a weight that the graph computes when it runs is placed by its name, and says so")
{
    const GraphName name = nameOf(weight("w"), {made("w")});
    CHECK(name.tensor == 0U);
    CHECK_THAT(name.reason, containsText("its values were not compared"));
}

TEST_CASE("two tensors of a dump that lead to one of the graph by the same rule are not placed")
{
    const auto names = deploy::graphNames(std::vector{activation("a.b"), activation("a/b")},
                                          std::vector{made("/a/b")}, {});
    CHECK_FALSE(names[0].tensor);
    CHECK_FALSE(names[1].tensor);
    CHECK(names[0].reason == "leads to `/a/b`, as `a/b` does (give its name with --map)");
    // The better rule wins: a name is that of the tensor that has it.
    const auto two = deploy::graphNames(std::vector{activation("b"), activation("/a/b")},
                                        std::vector{made("/a/b")}, {});
    CHECK_FALSE(two[0].tensor);
    CHECK(two[1].tensor == 0U);
}

TEST_CASE("where nothing matches, a sentence shows how names look on both sides")
{
    const std::vector<TensorInfo> tensors{activation("c"), activation("d")};
    const std::vector<GraphTensor> graph{constant("w"), made("a/b")};
    const auto names = deploy::graphNames(tensors, graph, {});
    CHECK(deploy::whyNoneIsThere(tensors, graph, names) ==
          "none of the 2 tensors is in the graph; names look like `a/b`, the dump's like `c`");
    CHECK(deploy::whyNoneIsThere(tensors, {}, names) ==
          "none of the 2 tensors is in the graph, which has none");
    const std::vector<GraphTensor> same{made("c")};
    CHECK(deploy::whyNoneIsThere(tensors, same, deploy::graphNames(tensors, same, {})).empty());
}

TEST_CASE("long hostile names cost no more than their length")
{
    std::vector<GraphTensor> graph{made(std::string(1 << 20, '/') + "a"),
                                   made(std::string(1 << 20, '.'))};
    CHECK(nameOf(activation("a"), graph).tensor == 0U);
    CHECK_FALSE(nameOf(activation(std::string(1 << 16, '.')), graph).tensor);
}

constexpr float infinity = std::numeric_limits<float>::infinity();

/// The value of a 16-bit pattern, as the reader of dumps decodes it.
float valueOf(ElementKind kind, unsigned pattern)
{
    const std::array bytes{static_cast<std::byte>(pattern & 0xFFU),
                           static_cast<std::byte>(pattern >> 8U)};
    return ElementDecoder({.kind = kind}).decode(bytes).front();
}

TEST_CASE("values between two neighbours of 16 bits round to the nearer one, ties to the even one")
{
    // By definition: all patterns from 0 to the greatest finite one, and what lies between them.
    for (const auto& [kind, patterns] :
         {std::pair{ElementKind::Float16, 0x7C00U}, std::pair{ElementKind::Bfloat16, 0x7F80U}}) {
        std::uint64_t wrong = 0;
        for (unsigned pattern = 0; pattern + 1 < patterns; ++pattern) {
            const float low = valueOf(kind, pattern);
            const float high = valueOf(kind, pattern + 1);
            const float middle = low + (high - low) / 2.0F;  // exact, with one digit more
            const float even = pattern % 2 == 0 ? low : high;
            for (const float sign : {1.0F, -1.0F}) {
                wrong += roundedTo(kind, sign * low) == sign * low ? 0U : 1U;
                wrong += roundedTo(kind, sign * middle) == sign * even ? 0U : 1U;
                wrong +=
                    roundedTo(kind, sign * std::nextafter(middle, 0.0F)) == sign * low ? 0U : 1U;
                wrong += roundedTo(kind, sign * std::nextafter(middle, infinity)) == sign * high
                             ? 0U
                             : 1U;
            }
        }
        INFO(elementText(kind));
        CHECK(wrong == 0);
    }
}

TEST_CASE("what has no finite neighbour of 16 bits is rounded to nothing, infinities stay")
{
    CHECK(roundedTo(ElementKind::Float16, 65519.996F) == 65504.0F);
    CHECK_FALSE(roundedTo(ElementKind::Float16, 65520.0F));
    CHECK_FALSE(roundedTo(ElementKind::Bfloat16, std::numeric_limits<float>::max()));
    CHECK(roundedTo(ElementKind::Float16, -infinity) == -infinity);
    CHECK(std::isnan(roundedTo(ElementKind::Float16, std::nanf("")).value()));
    CHECK(roundedTo(ElementKind::Float32, 0.1F) == 0.1F);
    CHECK(roundedTo(ElementKind::Float16, 1e-8F) == 0.0F);
}

TEST_CASE("values fit as they are, as rounded, or not at all")
{
    const std::vector<float> values{0.1F, 1.0F, std::nanf("")};
    const std::vector<float> half{0.0999755859375F, 1.0F, std::nanf("")};
    CHECK(valuesFit(values, ElementKind::Float32, values) == ValuesFit::Equal);
    CHECK(valuesFit(values, ElementKind::Float16, values) == ValuesFit::Equal);
    CHECK(valuesFit(half, ElementKind::Float16, values) == ValuesFit::Rounded);
    CHECK(valuesFit(half, ElementKind::Float32, values) == ValuesFit::Differ);
    CHECK(valuesFit(half, ElementKind::Bfloat16, values) == ValuesFit::Differ);
    CHECK(valuesFit({}, ElementKind::Float16, {}) == ValuesFit::Equal);
    CHECK(valuesFit(half, ElementKind::Float16, {}) == ValuesFit::Differ);
    // A recorder that overflowed is not taken for one that rounded.
    CHECK(valuesFit(std::vector{infinity}, ElementKind::Float16, std::vector{1e6F}) ==
          ValuesFit::Differ);
}

}  // namespace graph_names_test
