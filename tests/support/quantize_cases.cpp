// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/quantize_cases.h"

#include "tests/support/quantize_decisions.h"

#include <algorithm>
#include <stdexcept>

namespace calibscope::test {

namespace {

/// x -> Conv -> c -> an op -> y.
OnnxGraph convThen(const std::string& op)
{
    OnnxGraph graph = OnnxGraph()
                          .input("x", {1, 2, 5, 5})
                          .weight("w", convDims)
                          .node("Conv", {"x", "w"}, {"c"})
                          .node(op, {"c"}, {"r"})
                          .node("Sigmoid", {"r"}, {"y"})
                          .output("y", {1, 3, 4, 4});
    return graph;
}

void addPatterns(std::vector<QuantizeCase>& cases)
{
    cases.push_back({"conv-int8", convGraph().model(), convScales()});
    QuantizeOptions uint8;
    uint8.activations = ActivationIntegers::UInt8;
    cases.push_back({"conv-uint8",
                     convGraph().model(),
                     {activation("x", 0.04F, -100), weightScales("w", convDims, 0)},
                     uint8});
    QuantizeOptions int32;
    int32.biases = BiasStorage::Int32;
    cases.push_back({"bias-int32", convGraph().model(), convScales(), int32});
    cases.push_back({"weight-per-tensor",
                     convGraph().model(),
                     {activation("x", 0.05F), weightScales("w", convDims, std::nullopt)},
                     int32});
    const OnnxGraph::Dims oneChannel{1, 2, 2, 2};
    cases.push_back({"one-channel",
                     OnnxGraph()
                         .input("x", {1, 2, 5, 5})
                         .weight("w", oneChannel)
                         .node("Conv", {"x", "w"}, {"y"})
                         .output("y", {1, 1, 4, 4})
                         .model(),
                     {activation("x", 0.05F), weightScales("w", oneChannel, 0)}});
    QuantizeOptions outputs;
    outputs.quantizesOutputs = true;
    cases.push_back(
        {"outputs", convGraph().model(), joined(convScales(), {activation("y", 0.1F)}), outputs});
    outputs.places = PairPlaces::Operands;
    OnnxGraph twice = convGraph();
    twice.node("Sigmoid", {"y"}, {"z"}).output("z", {1, 3, 4, 4});
    cases.push_back(
        {"outputs-taken", twice.model(), joined(convScales(), {activation("y", 0.1F)}), outputs});
    OnnxGraph taken = convGraph();
    taken.node("Sigmoid", {"y"}, {"x_scale"})
        .named("x_QuantizeLinear")
        .node("Tanh", {"x_scale"}, {"w_quantized"})
        .named("x_QuantizeLinear_2")
        .output("w_quantized", {1, 3, 4, 4});
    cases.push_back({"names-taken", taken.model(), convScales()});
    OnnxGraph shapes = convThen("Relu");
    shapes.shape("c", {1, 3, 4, 4}).shape("r", {1, 3, 4, 4}).proto().set_doc_string("kept");
    QuantizeOptions told = placedAt(PairPlaces::Layers);
    told.metadata = {{"calibscope.version", "1.2"}, {"calibscope.dump_sha256", "ab"}};
    cases.push_back(
        {"value-info", shapes.model(), joined(convScales(), {activation("c", 0.1F)}), told});
}

void addAxes(std::vector<QuantizeCase>& cases)
{
    const OnnxGraph::Dims transposed{2, 3, 2, 2};
    cases.push_back({"conv-transpose",
                     OnnxGraph()
                         .input("x", {1, 2, 5, 5})
                         .weight("w", transposed)
                         .node("ConvTranspose", {"x", "w"}, {"y"})
                         .output("y", {1, 3, 6, 6})
                         .model(),
                     {activation("x", 0.05F), weightScales("w", transposed, 1)}});
    const OnnxGraph::Dims square{3, 3};
    const auto gemm = [&](const std::string& name, std::int64_t transB, int axis) {
        cases.push_back({name,
                         OnnxGraph()
                             .input("x", {2, 3})
                             .weight("w", square)
                             .floats("b", {3}, {1.0F, 2.0F, 3.0F})
                             .node("Gemm", {"x", "w", "b"}, {"y"})
                             .with("transB", transB)
                             .output("y", {2, 3})
                             .model(),
                         {activation("x", 0.05F), weightScales("w", square, axis)}});
    };
    gemm("gemm", 0, 1);
    gemm("gemm-trans-b", 1, 0);
    const auto gemmA = [&](const std::string& name, std::int64_t transA, int axis) {
        cases.push_back({name,
                         OnnxGraph()
                             .input("x", {3, 2})
                             .weight("w", square)
                             .node("Gemm", {"w", "x"}, {"y"})
                             .with("transA", transA)
                             .output("y", {3, 2})
                             .model(),
                         {activation("x", 0.05F), weightScales("w", square, axis)}});
    };
    gemmA("gemm-a", 0, 0);
    gemmA("gemm-trans-a", 1, 1);
    const auto matMul = [&](const std::string& name, bool isFirst, int axis) {
        cases.push_back({name,
                         OnnxGraph()
                             .input("x", {3, 3})
                             .weight("w", square)
                             .node("MatMul",
                                   isFirst ? std::vector<std::string>{"w", "x"}
                                           : std::vector<std::string>{"x", "w"},
                                   {"y"})
                             .output("y", {3, 3})
                             .model(),
                         {activation("x", 0.05F), weightScales("w", square, axis)}});
    };
    matMul("matmul", false, 1);
    matMul("matmul-first", true, 0);
    const OnnxGraph::Dims table{5, 3};
    cases.push_back({"gather-table",
                     OnnxGraph()
                         .input("i", {2}, ::onnx::TensorProto::INT64)
                         .weight("w", table)
                         .node("Gather", {"w", "i"}, {"y"})
                         .output("y", {2, 3})
                         .model(),
                     {weightScales("w", table, 0)}});
    const OnnxGraph::Dims gates{1, 8, 3};
    const OnnxGraph::Dims states{1, 8, 2};
    cases.push_back({"lstm",
                     OnnxGraph()
                         .input("x", {4, 1, 3})
                         .weight("W", gates)
                         .weight("R", states)
                         .node("LSTM", {"x", "W", "R"}, {"y"})
                         .with("hidden_size", std::int64_t{2})
                         .output("y", {4, 1, 1, 2})
                         .model(),
                     {weightScales("W", gates, 1), weightScales("R", states, 1)}});
}

void addPlaces(std::vector<QuantizeCase>& cases)
{
    // x -> Conv -> c -> Sigmoid -> s -> Conv -> d -> Sigmoid -> y, and c is taken by an Add, too.
    const OnnxGraph::Dims second{2, 3, 1, 1};
    OnnxGraph graph = OnnxGraph()
                          .input("x", {1, 2, 5, 5})
                          .weight("w", convDims)
                          .weight("v", second)
                          .node("Conv", {"x", "w"}, {"c"})
                          .node("Sigmoid", {"c"}, {"s"})
                          .node("Conv", {"s", "v"}, {"d"})
                          .node("Add", {"c", "s"}, {"a"})
                          .node("Sigmoid", {"d"}, {"y"})
                          .output("y", {1, 2, 4, 4})
                          .output("a", {1, 3, 4, 4});
    const std::vector<TensorScales> scales = joined(
        convScales(), {weightScales("v", second, 0), activation("c", 0.1F), activation("s", 0.01F),
                       activation("d", 0.2F), activation("a", 0.3F), activation("y", 0.01F)});
    cases.push_back({"places-operands", graph.model(), scales, placedAt(PairPlaces::Operands)});
    cases.push_back({"places-layers", graph.model(), scales, placedAt(PairPlaces::Layers)});
    cases.push_back({"places-decided", graph.model(), scales, placedAt(PairPlaces::Decided)});

    QuantizeOptions uint8 = placedAt(PairPlaces::Layers);
    uint8.activations = ActivationIntegers::UInt8;
    cases.push_back({"relu-uint8", convThen("Relu").model(),
                     joined(convScales(), {activation("c", 0.1F, 3), activation("r", 0.05F, -128)}),
                     uint8});
    cases.push_back({"relu-int8", convThen("Relu").model(),
                     joined(convScales(), {activation("c", 0.1F), activation("r", 0.1F)}),
                     placedAt(PairPlaces::Layers)});
    cases.push_back({"clip-uint8", convThen("Clip").model(),
                     joined(convScales(), {activation("c", 0.1F, 3), activation("r", 0.05F, -128)}),
                     uint8});
    cases.push_back({"leaky-relu", convThen("LeakyRelu").model(),
                     joined(convScales(), {activation("c", 0.1F, 3), activation("r", 0.05F, -100)}),
                     uint8});
    OnnxGraph norm = OnnxGraph()
                         .input("x", {1, 2, 5, 5})
                         .weight("w", convDims)
                         .floats("g", {3}, {1.0F, 2.0F, 3.0F})
                         .floats("o", {3}, {0.0F, 0.5F, 1.0F})
                         .floats("m", {3}, {0.1F, 0.2F, 0.3F})
                         .floats("v", {3}, {1.0F, 1.5F, 2.0F})
                         .node("Conv", {"x", "w"}, {"c"})
                         .node("BatchNormalization", {"c", "g", "o", "m", "v"}, {"n"})
                         .node("Sigmoid", {"n"}, {"y"})
                         .output("y", {1, 3, 4, 4});
    cases.push_back({"batch-norm", norm.model(),
                     joined(convScales(), {activation("c", 4.0F), activation("n", 0.1F)}),
                     placedAt(PairPlaces::Decided)});
}

void addMoves(std::vector<QuantizeCase>& cases)
{
    // Conv -> MaxPool -> Reshape -> MatMul: the integers of c arrive at the MatMul.
    const OnnxGraph::Dims last{12, 4};
    OnnxGraph graph = OnnxGraph()
                          .input("x", {1, 2, 5, 5})
                          .weight("w", convDims)
                          .weight("v", last)
                          .integers("to", {2}, {1, 12})
                          .node("Conv", {"x", "w"}, {"c"})
                          .node("MaxPool", {"c"}, {"p"})
                          .with("kernel_shape", OnnxGraph::Dims{2, 2})
                          .with("strides", OnnxGraph::Dims{2, 2})
                          .node("Reshape", {"p", "to"}, {"f"})
                          .node("MatMul", {"f", "v"}, {"y"})
                          .output("y", {1, 4});
    cases.push_back({"moves", graph.model(),
                     joined(convScales(), {weightScales("v", last, 1), activation("c", 0.1F),
                                           activation("p", 0.1F), activation("f", 0.08F)}),
                     placedAt(PairPlaces::Layers)});
    cases.push_back({"moves-operands", graph.model(),
                     joined(convScales(), {weightScales("v", last, 1), activation("c", 0.1F),
                                           activation("f", 0.08F)}),
                     placedAt(PairPlaces::Operands)});
    const auto pad = [&](const std::string& name, float value, bool isTold) {
        const OnnxGraph::Dims second{2, 3, 1, 1};
        cases.push_back({name,
                         OnnxGraph()
                             .input("x", {1, 2, 5, 5})
                             .weight("w", convDims)
                             .weight("v", second)
                             .integers("by", {8}, {0, 0, 1, 1, 0, 0, 1, 1})
                             .floats("value", {}, {value})
                             .node("Conv", {"x", "w"}, {"c"})
                             .node("Pad",
                                   isTold ? std::vector<std::string>{"c", "by", "value"}
                                          : std::vector<std::string>{"c", "by"},
                                   {"p"})
                             .node("Conv", {"p", "v"}, {"y"})
                             .output("y", {1, 2, 6, 6})
                             .model(),
                         joined(convScales(), {weightScales("v", second, 0), activation("c", 0.1F),
                                               activation("p", 0.2F)}),
                         placedAt(PairPlaces::Decided)});
    };
    pad("pad-zero", 0.0F, false);
    pad("pad-told-zero", 0.0F, true);
    pad("pad-number", 9.0F, true);
    OnnxGraph concat = OnnxGraph()
                           .input("x", {1, 2, 5, 5})
                           .weight("w", convDims)
                           .weight("u", convDims)
                           .node("Conv", {"x", "w"}, {"c"})
                           .node("Conv", {"x", "u"}, {"d"})
                           .node("Transpose", {"d"}, {"t"})
                           .with("perm", OnnxGraph::Dims{0, 1, 2, 3})
                           .node("Concat", {"c", "t"}, {"j"})
                           .with("axis", std::int64_t{1})
                           .node("Sigmoid", {"j"}, {"y"})
                           .output("y", {1, 6, 4, 4});
    const std::vector<TensorScales> both = joined(convScales(), {weightScales("u", convDims, 0)});
    cases.push_back(
        {"concat", concat.model(),
         joined(both, {activation("c", 0.1F), activation("d", 0.2F), activation("j", 0.15F)}),
         placedAt(PairPlaces::Decided)});
    QuantizeOptions uint8 = placedAt(PairPlaces::Decided);
    uint8.activations = ActivationIntegers::UInt8;
    // -1 to 24.5 and -24.5 to 1: together -24.5 to 24.5.
    cases.push_back({"concat-affine", concat.model(),
                     joined(both, {activation("c", 0.1F, -118), activation("d", 0.1F, 117)}),
                     uint8});
}

}  // namespace

std::vector<QuantizeCase> quantizeCases()
{
    std::vector<QuantizeCase> cases;
    addPatterns(cases);
    addAxes(cases);
    addPlaces(cases);
    addMoves(cases);
    addOddCases(cases);
    return cases;
}

QuantizeCase quantizeCase(const std::string& name)
{
    const std::vector<QuantizeCase> cases = quantizeCases();
    const auto found = std::ranges::find(cases, name, &QuantizeCase::name);
    if (found == cases.end())
        throw std::invalid_argument("there is no case " + name);
    return *found;
}

}  // namespace calibscope::test
