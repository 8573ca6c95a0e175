// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/quantize_decisions.h"

#include <utility>

namespace calibscope::test {

namespace {

void addSharedWeights(std::vector<QuantizeCase>& cases)
{
    const OnnxGraph::Dims square{3, 3};
    const auto twoLayers = [&](const std::string& second, std::int64_t transB) {
        OnnxGraph graph = OnnxGraph()
                              .input("x", {2, 3})
                              .weight("w", square)
                              .node("MatMul", {"x", "w"}, {"a"})
                              .node(second, {"x", "w"}, {"b"});
        if (second == "Gemm")
            graph.with("transB", transB);
        return graph.output("a", {2, 3}).output("b", {2, 3});
    };
    const std::vector<TensorScales> perColumn{activation("x", 0.05F), weightScales("w", square, 1)};
    cases.push_back({"shared-weight", twoLayers("MatMul", 0).model(), perColumn});
    cases.push_back({"shared-other-axis", twoLayers("Gemm", 1).model(), perColumn});
    cases.push_back({"shared-per-tensor",
                     twoLayers("Gemm", 1).model(),
                     {activation("x", 0.05F), weightScales("w", square, std::nullopt)}});
    OnnxGraph fed = convGraph();
    fed.input("w", convDims);
    cases.push_back({"weight-is-input", fed.model(), convScales()});
    OnnxGraph given = convGraph();
    given.output("w", convDims);
    cases.push_back({"weight-is-output", given.model(), convScales()});
    OnnxGraph squared = convGraph();
    squared.node("Mul", {"w", "w"}, {"ww"}).output("ww", convDims);
    cases.push_back({"weight-other-use", squared.model(), convScales()});
    const OnnxGraph::Dims stack{2, 3, 3};
    const auto stacked = [&](const std::string& name, std::optional<int> axis) {
        cases.push_back({name,
                         OnnxGraph()
                             .input("x", {2, 4, 3})
                             .weight("w", stack)
                             .node("MatMul", {"x", "w"}, {"y"})
                             .output("y", {2, 4, 3})
                             .model(),
                         {activation("x", 0.05F), weightScales("w", stack, axis)}});
    };
    stacked("stacked-matmul", 2);
    stacked("stacked-per-tensor", std::nullopt);
    const OnnxGraph::Dims grouped{4, 3, 2, 2};
    QuantizeOptions int32;
    int32.biases = BiasStorage::Int32;
    cases.push_back({"conv-transpose-groups",
                     OnnxGraph()
                         .input("x", {1, 4, 5, 5})
                         .weight("w", grouped)
                         .floats("b", {6}, {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F})
                         .node("ConvTranspose", {"x", "w", "b"}, {"y"})
                         .with("group", std::int64_t{2})
                         .output("y", {1, 6, 6, 6})
                         .model(),
                     {activation("x", 0.05F), weightScales("w", grouped, 1)},
                     int32});
    cases.push_back({"gemm-alpha",
                     OnnxGraph()
                         .input("x", {2, 3})
                         .weight("w", square)
                         .floats("b", {3}, {1.0F, 2.0F, 3.0F})
                         .node("Gemm", {"x", "w", "b"}, {"y"})
                         .withNumber("alpha", 0.5F)
                         .output("y", {2, 3})
                         .model(),
                     {activation("x", 0.05F), weightScales("w", square, 1)},
                     int32});
    cases.push_back({"weight-no-constant",
                     OnnxGraph()
                         .input("x", {2, 3})
                         .input("k", {3, 3})
                         .node("MatMul", {"x", "k"}, {"y"})
                         .output("y", {2, 3})
                         .model(),
                     {activation("x", 0.05F), activation("k", 0.02F)}});
    // The weight is made of two halves when the graph runs, of which nobody else takes one.
    const OnnxGraph::Dims half{1, 2, 2, 2};
    cases.push_back({"weight-folded",
                     OnnxGraph()
                         .input("x", {1, 2, 5, 5})
                         .weight("h1", half)
                         .weight("h2", half)
                         .node("Concat", {"h1", "h2"}, {"w"})
                         .with("axis", std::int64_t{0})
                         .node("Conv", {"x", "w"}, {"y"})
                         .output("y", {1, 2, 4, 4})
                         .model(),
                     {activation("x", 0.05F), [&] {
                          TensorScales scales = weightScales("w", half, 0);
                          scales.quantization.scales.push_back(scales.quantization.scales.front());
                          scales.quantization.zeroPoints.push_back(0);
                          return scales;
                      }()}});
}

OnnxGraph branch(const std::string& output, const std::vector<std::string>& inputs)
{
    return OnnxGraph().node("Conv", inputs, {output}).output(output, {1, 3, 4, 4});
}

void addInnerGraphs(std::vector<QuantizeCase>& cases)
{
    // Weight and activation outside, layers in both branches.
    OnnxGraph outside = OnnxGraph()
                            .input("x", {1, 2, 5, 5})
                            .input("which", {}, ::onnx::TensorProto::BOOL)
                            .weight("w", convDims)
                            .node("Abs", {"x"}, {"a"})
                            .node("If", {"which"}, {"y"})
                            .with("then_branch", branch("t", {"a", "w"}))
                            .with("else_branch", branch("e", {"x", "w"}))
                            .output("y", {1, 3, 4, 4});
    cases.push_back(
        {"if-weight-outside",
         outside.model(),
         {activation("x", 0.05F), activation("a", 0.04F), weightScales("w", convDims, 0)}});
    // Both branches have an s and a w.
    const auto own = [](const std::string& op, const std::string& output) {
        return OnnxGraph()
            .weight("w", convDims)
            .node(op, {"x"}, {"s"})
            .node("Conv", {"s", "w"}, {output})
            .output(output, {1, 3, 4, 4});
    };
    OnnxGraph same = OnnxGraph()
                         .input("x", {1, 2, 5, 5})
                         .input("which", {}, ::onnx::TensorProto::BOOL)
                         .node("If", {"which"}, {"y"})
                         .with("then_branch", own("Sigmoid", "t"))
                         .with("else_branch", own("Tanh", "e"))
                         .output("y", {1, 3, 4, 4});
    const std::string inThen = "y_node.then_branch";
    const std::string inElse = "y_node.else_branch";
    cases.push_back(
        {"if-same-names",
         same.model(),
         {activation("s", 0.01F, 0, inThen), activation("s", 0.02F, 0, inElse),
          weightScales("w", convDims, 0, inThen), weightScales("w", convDims, 0, inElse)}});
    OnnxGraph body = OnnxGraph()
                         .input("i", {}, ::onnx::TensorProto::INT64)
                         .input("go", {}, ::onnx::TensorProto::BOOL)
                         .input("v", {2, 3})
                         .node("Identity", {"go"}, {"go_on"})
                         .node("MatMul", {"v", "w"}, {"m"})
                         .node("Tanh", {"m"}, {"next"})
                         .output("go_on", {}, ::onnx::TensorProto::BOOL)
                         .output("next", {2, 3});
    const OnnxGraph::Dims square{3, 3};
    OnnxGraph loop = OnnxGraph()
                         .input("x", {2, 3})
                         .input("n", {}, ::onnx::TensorProto::INT64)
                         .input("yes", {}, ::onnx::TensorProto::BOOL)
                         .weight("w", square)
                         .node("Loop", {"n", "yes", "x"}, {"y"})
                         .with("body", body)
                         .output("y", {2, 3});
    cases.push_back({"loop-body",
                     loop.model(),
                     {activation("v", 0.01F, 0, "y_node.body"),
                      activation("m", 0.02F, 0, "y_node.body"), weightScales("w", square, 1)}});
}

void addRefusals(std::vector<QuantizeCase>& cases)
{
    const auto withX = [&](const std::string& name, TensorScales x, QuantizeOptions options = {}) {
        cases.push_back({name,
                         convGraph().model(),
                         {std::move(x), weightScales("w", convDims, 0)},
                         std::move(options)});
    };
    TensorScales channels = activation("x", 0.05F);
    channels.quantization.scales = {0.05F, 0.06F};
    channels.quantization.zeroPoints = {0, 0};
    channels.quantization.axis = 1;
    withX("activation-channels", channels);
    QuantizeOptions allowed;
    allowed.allowsChannelActivations = true;
    withX("activation-channels-allowed", channels, allowed);
    TensorScales real = activation("x", 0.05F);
    real.quantization.roundsWithZeroPoint = true;
    withX("affine-real", real);
    TensorScales away = activation("x", 0.05F);
    away.roundsHalfEven = false;
    withX("rounding", away);
    TensorScales bits = activation("x", 0.05F);
    bits.quantization.format = NumberFormat::integers(-32, 31);
    withX("bits", bits);
    TensorScales wide = activation("x", 0.0002F, -700);
    wide.quantization.format = NumberFormat::integers(-32768, 32767);
    withX("activation-16-bits", wide);
    QuantizeOptions unsignedOnes;
    unsignedOnes.activations = ActivationIntegers::UInt8;
    withX("activation-16-bits-unsigned", wide, unsignedOnes);
    withX("restricted", restricted(activation("x", 0.05F)));
    withX("scale-zero", activation("x", 0.0F));
    withX("scale-nan", activation("x", std::nanf("")));
    withX("scale-infinite", activation("x", HUGE_VALF));
    withX("scale-negative", activation("x", -0.05F));
    TensorScales clipped = activation("x", 0.05F);
    clipped.clippedShare = 0.2;
    clipped.samples = 4;
    withX("clipped", clipped);
    OnnxGraph left = OnnxGraph()
                         .input("x", {1, 2, 5, 5})
                         .weight("w", convDims)
                         .node("Conv", {"x", "w", ""}, {"c"})
                         .node("Clip", {"c", "", "most"}, {"y"})
                         .floats("most", {}, {6.0F})
                         .output("y", {1, 3, 4, 4});
    cases.push_back({"left-out", left.model(), joined(convScales(), {activation("c", 0.1F)})});
    ::onnx::ModelProto functions = convGraph().model(15, 8);
    ::onnx::FunctionProto& function = *functions.add_functions();
    function.set_name("f");
    function.set_domain("d");
    function.add_input("x");
    function.add_output("y");
    ::onnx::OperatorSetIdProto& import = *functions.add_opset_import();
    import.set_domain("d");
    import.set_version(1);
    *function.add_opset_import() = functions.opset_import(0);
    ::onnx::NodeProto& inside = *function.add_node();
    inside.set_op_type("Relu");
    inside.add_input("x");
    inside.add_output("y");
    cases.push_back({"functions", functions, convScales()});
    QuantizeOptions to63;
    to63.mostWeightLevel = 63;
    cases.push_back({"weights-to-63", convGraph().model(), convScales(), to63});
    QuantizeOptions tensorRt;
    tensorRt.target = model::TargetRuntime::TensorRt;
    tensorRt.biases = BiasStorage::Int32;
    TensorScales full = weightScales("w", convDims, 0);
    full.quantization.format = NumberFormat();
    for (float& scale : full.quantization.scales)
        scale *= 0.9F;
    cases.push_back({"tensorrt", convGraph().model(), {activation("x", 0.05F, 3), full}, tensorRt});
    // A channel of 1e-6 with a bias of -0.7: the scale becomes 0.7 / (0.05 2^30).
    OnnxGraph small = OnnxGraph()
                          .input("x", {1, 2, 5, 5})
                          .floats("w", {2, 2, 1, 1}, {1e-6F, -5e-7F, 0.5F, 0.25F})
                          .floats("b", {2}, {-0.7F, 0.1F})
                          .node("Conv", {"x", "w", "b"}, {"y"})
                          .output("y", {1, 2, 5, 5});
    TensorScales smallScales = weightScales("w", {2, 2, 1, 1}, 0);
    smallScales.quantization.scales = {1e-6F / 127.0F, 0.5F / 127.0F};
    QuantizeOptions int32;
    int32.biases = BiasStorage::Int32;
    cases.push_back({"raised", small.model(), {activation("x", 0.05F), smallScales}, int32});
    // The same for a MatMul whose Add becomes its bias: 1e-12 in the first column.
    OnnxGraph added = OnnxGraph()
                          .input("x", {1, 2})
                          .floats("w", {2, 2}, {1e-12F, 0.5F, -5e-13F, 0.25F})
                          .floats("b", {2}, {-0.7F, 0.1F})
                          .node("MatMul", {"x", "w"}, {"m"})
                          .node("Add", {"b", "m"}, {"a"})
                          .node("Sigmoid", {"a"}, {"y"})
                          .output("y", {1, 2});
    TensorScales columns = weightScales("w", {2, 2}, 1);
    columns.quantization.scales = {1e-12F / 127.0F, 0.5F / 127.0F};
    cases.push_back({"raised-matmul",
                     added.model(),
                     {activation("x", 0.05F), columns, activation("a", 0.02F)},
                     placedAt(PairPlaces::Decided)});
    TensorScales fewBits = weightScales("w", convDims, 0);
    fewBits.quantization.format = NumberFormat::integers(-7, 7);
    for (float& scale : fewBits.quantization.scales)
        scale *= 127.0F / 7.0F;
    cases.push_back({"weight-4-bits", convGraph().model(), {activation("x", 0.05F), fewBits}});
    // 6 x 5 values in groups of 3: 2 x 5 scales of columns, or of rows 6 x 2 if it is transposed.
    for (const bool isTransposed : {false, true}) {
        const OnnxGraph::Dims dims = isTransposed ? OnnxGraph::Dims{5, 6} : OnnxGraph::Dims{6, 5};
        OnnxGraph product = OnnxGraph()
                                .input("x", {1, 6})
                                .weight("w", dims)
                                .node("Gemm", {"x", "w"}, {"y"})
                                .with("transB", isTransposed ? 1 : 0)
                                .output("y", {1, 5});
        TensorScales groups = weightScales("w", dims, isTransposed ? 1 : 0);
        groups.quantization.group = 3;
        groups.quantization.format = NumberFormat::integers(-8, 7);
        groups.quantization.scales.clear();
        for (int group = 0; group < 10; ++group)
            groups.quantization.scales.push_back(0.08F + 0.03F * static_cast<float>(group));
        groups.quantization.zeroPoints.assign(10, 0.0);
        groups.quantization.zeroPoints[7] = -2.0;
        cases.push_back({isTransposed ? "groups-of-rows" : "groups-of-columns",
                         product.model(),
                         {activation("x", 0.05F), groups}});
    }
    TensorScales affine = weightScales("w", convDims, std::nullopt);
    affine.quantization.format = NumberFormat();
    affine.quantization.zeroPoints = {-5};
    cases.push_back({"weight-affine", convGraph().model(), {activation("x", 0.05F), affine}});
    TensorScales count = weightScales("w", convDims, 0);
    count.quantization.scales.pop_back();
    count.quantization.zeroPoints.pop_back();
    cases.push_back({"scale-count", convGraph().model(), {activation("x", 0.05F), count}});
    OnnxGraph notNumber = OnnxGraph()
                              .input("x", {1, 1})
                              .floats("w", {1, 1}, {std::nanf("")})
                              .node("MatMul", {"x", "w"}, {"y"})
                              .output("y", {1, 1});
    TensorScales ofNan = weightScales("w", {1, 1}, 1);
    ofNan.quantization.scales = {1.0F};
    cases.push_back({"weight-nan", notNumber.model(), {activation("x", 0.05F), ofNan}});
    // y = Conv of what is quantized already, then a layer that is not.
    OnnxGraph half = OnnxGraph()
                         .input("x", {1, 2, 5, 5})
                         .weight("w", convDims)
                         .floats("s", {}, {0.1F})
                         .node("QuantizeLinear", {"x", "s"}, {"q"})
                         .node("DequantizeLinear", {"q", "s"}, {"d"})
                         .node("Conv", {"d", "w"}, {"y"})
                         .output("y", {1, 3, 4, 4});
    cases.push_back({"quantized-partly", half.model(), convScales()});
}

}  // namespace

void addOddCases(std::vector<QuantizeCase>& cases)
{
    addSharedWeights(cases);
    addInnerGraphs(cases);
    addRefusals(cases);
}

}  // namespace calibscope::test
