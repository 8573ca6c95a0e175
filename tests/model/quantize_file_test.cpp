// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/quantize_file.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/onnx_graph.h"
#include "tests/support/quantize_cases.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <fstream>

namespace quantize_file_test {

using namespace calibscope;
using namespace calibscope::model;
using test::OnnxGraph;
using test::quantizeCase;
using test::QuantizeCase;

std::shared_ptr<const ModelFile> written(const std::string& path, const ::onnx::ModelProto& model)
{
    std::ofstream(path, std::ios::binary) << model.SerializeAsString();
    return ModelFile::read(path);
}

::onnx::ModelProto readModel(const std::string& path)
{
    return ModelFile::read(path)->proto();
}

TEST_CASE("a quantized model is another file, whole and valid")
{
    const test::TemporaryFolder folder;
    const QuantizeCase given = quantizeCase("bias-int32");
    const auto source = written(folder.file("m.onnx"), given.model);
    const QuantizedFile file =
        quantizeFile(*source, given.scales, given.options, folder.file("q.onnx"));
    CHECK(file.model.activations.size() == 1);
    CHECK(file.data.empty());
    CHECK(plannedFile(*source, given.scales, given.options).model.lints.size() ==
          file.model.lints.size());
    CHECK(file.bytes == std::filesystem::file_size(folder.file("q.onnx")));
    CHECK(readModel(folder.file("q.onnx")).graph().node_size() == 5);
    CHECK(readModel(folder.file("m.onnx")).SerializeAsString() == given.model.SerializeAsString());
}

TEST_CASE("a model is never changed in place, and what is refused leaves nothing")
{
    const test::TemporaryFolder folder;
    const QuantizeCase given = quantizeCase("conv-int8");
    const auto source = written(folder.file("m.onnx"), given.model);
    CHECK_THROWS_WITH(quantizeFile(*source, given.scales, given.options, folder.file("m.onnx")),
                      test::containsText("never changed in place"));
    CHECK(readModel(folder.file("m.onnx")).SerializeAsString() == given.model.SerializeAsString());
    std::vector<TensorScales> others = given.scales;
    for (TensorScales& scales : others)
        scales.tensor += "?";
    CHECK_THROWS_AS(quantizeFile(*source, others, given.options, folder.file("q.onnx")), Error);
    CHECK(!std::filesystem::exists(folder.file("q.onnx")));
    CHECK_THROWS_AS(quantizeFile(*source, given.scales, given.options, folder.file("none/q.onnx")),
                    Error);
}

TEST_CASE("scopes are those of the model that was read, whatever lifting adds")
{
    // The If has no name, and the Squeeze before it gets a Constant when it is lifted: as its place
    // is another then, the scope by which it is known must be that of the file.
    const OnnxGraph::Dims dims{3, 2, 2, 2};
    const auto branch = [&](const std::string& output, const std::string& op) {
        return OnnxGraph()
            .weight("w", dims)
            .node(op, {"s"}, {"t"})
            .node("Conv", {"t", "w"}, {output})
            .output(output, {1, 3, 4, 4});
    };
    OnnxGraph graph = OnnxGraph()
                          .input("x", {1, 1, 2, 5, 5})
                          .input("which", {}, ::onnx::TensorProto::BOOL)
                          .node("Constant", {}, {"unused"})
                          .withTensor("value", {1}, {1.0F})
                          .node("Squeeze", {"x"}, {"s"})
                          .with("axes", OnnxGraph::Dims{0})
                          .node("If", {"which"}, {"y"})
                          .named("")
                          .with("then_branch", branch("a", "Sigmoid"))
                          .with("else_branch", branch("b", "Tanh"))
                          .output("y", {1, 3, 4, 4});
    const test::TemporaryFolder folder;
    const auto source = written(folder.file("m.onnx"), graph.model(11, 6));
    TensorScales inElse = quantizeCase("conv-int8").scales.front();
    inElse.tensor = "t";
    inElse.scope = "If_2.else_branch";
    TensorScales weight = quantizeCase("conv-int8").scales.back();
    weight.scope = inElse.scope;
    const std::vector<TensorScales> scales{inElse, weight};
    const QuantizedFile file = quantizeFile(*source, scales, {}, folder.file("q.onnx"));
    CHECK(file.model.activations.size() == 1);
    CHECK(file.model.weights.size() == 1);
    const ::onnx::ModelProto model = readModel(folder.file("q.onnx"));
    const ::onnx::NodeProto& condition = model.graph().node(model.graph().node_size() - 1);
    CHECK(condition.attribute(0).g().node_size() == 2);
    CHECK(condition.attribute(1).g().node_size() == 5);
}

}  // namespace quantize_file_test
