// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/graph_ops.h"

#include "core/model/model_file.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/onnx_model.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace graph_ops_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

/// A recording of y = Conv(x, w) with strides 2, and of z = Gemm(y, v) with v transposed; with the
/// operators or without.
void record(test::H5File& file, bool withOperators)
{
    file.attribute("/", "format", std::string("calibration-dump"));
    file.write("/activations/x", {1, 1, 1, 4}, std::vector<float>{1.0F, 0.3F, -0.7F, 0.5F});
    file.write("/weights/w", {1, 1, 1, 1}, std::vector<float>{2.0F});
    file.write("/activations/y", {1, 1, 1, 2}, std::vector<float>{2.0F, -1.4F});
    file.write("/activations/a", {1, 2}, std::vector<float>{2.0F, -1.4F});
    file.write("/weights/v", {2, 2}, std::vector<float>{1.0F, 0.5F, -0.25F, 1.0F});
    file.write("/activations/z", {1, 2}, std::vector<float>{1.3F, -1.9F});
    for (const char* name : {"y", "a", "z"})
        if (withOperators) {
            const std::string path = std::string("/activations/") + name;
            const bool isConv = *name == 'y';
            file.attribute(path, "op_type",
                           std::string(isConv         ? "Conv"
                                       : *name == 'a' ? "Flatten"
                                                      : "Gemm"));
            file.attribute(path, "inputs",
                           isConv         ? std::vector<std::string>{"x", "w"}
                           : *name == 'a' ? std::vector<std::string>{"y"}
                                          : std::vector<std::string>{"a", "v"});
            if (isConv)
                file.attribute(path, "strides", std::vector<std::int64_t>{1, 2});
            if (*name == 'z')
                file.attribute(path, "transB", std::int64_t{1});
        }
}

std::string modelOfRecording(const test::H5File& file)
{
    ::onnx::ModelProto model = test::emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    test::addInput(graph, "net/x", {1, 1, 1, 4});
    test::addInitializer(graph, test::floatTensor("net/w", {1, 1, 1, 1}, {2.0F}));
    test::addInitializer(graph, test::floatTensor("net/v", {2, 2}, {1.0F, 0.5F, -0.25F, 1.0F}));
    test::setInts(test::addNode(graph, "Conv", {"net/x", "net/w"}, {"net/y"}), "strides", {1, 2});
    test::addNode(graph, "Flatten", {"net/y"}, {"net/a"});
    test::setInt(test::addNode(graph, "Gemm", {"net/a", "net/v"}, {"net/z"}), "transB", 1);
    return test::saved(model, file.folder().file("m.onnx"));
}

TEST_CASE("a dump without operators has no layers, says so, and takes them from a model")
{
    test::H5File bare;
    record(bare, false);
    const auto run = [](const test::H5File& file, const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"layers",
                                           file.path(),
                                           "--calibrator",
                                           "min-max",
                                           "--columns",
                                           "layer,op,input,weight,output_sqnr_db,output_ac_db,"
                                           "residual,attributes"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runProgram("calib", arguments);
    };
    const ProgramRun without = run(bare, {});
    CHECK(without.exitCode == 3);
    CHECK_THAT(without.errors, test::containsText("were not recorded (attributes op_type and "
                                                  "inputs); an ONNX model supplies them: --onnx"));

    const ProgramRun with = run(bare, {"--onnx", modelOfRecording(bare)});
    CHECK(with.exitCode == 0);
    CHECK(with.errors.empty());
    CHECK_THAT(with.output, test::containsText("\ny,Conv,x,w,"));
    CHECK_THAT(with.output, test::containsText("\nz,Gemm,a,v,"));

    test::H5File recorded;
    record(recorded, true);
    CHECK(run(recorded, {}).output == with.output);
}

TEST_CASE("outputs that a dump lacks have the shape that their operands give")
{
    using Shape = std::vector<std::uint64_t>;
    ::onnx::ModelProto model = test::emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    std::vector<TensorInfo> tensors;
    const auto add = [&](const std::string& name, const Shape& shape, Role role) {
        TensorInfo& tensor = tensors.emplace_back();
        tensor.name = tensor.graphName = name;
        tensor.path = "/" + name;
        tensor.shape = shape;
        tensor.role = role;
        if (role == Role::Activation)
            tensor.batchAxis = 0;
    };
    add("x", {3, 4, 9, 12}, Role::Activation);
    add("rows", {3, 5, 6}, Role::Activation);
    add("known", {3, 8, 9, 12}, Role::Activation);
    add("w", {8, 4, 3, 3}, Role::Weight);
    add("t", {4, 2, 2, 2}, Role::Weight);
    add("m", {6, 7}, Role::Weight);
    add("g", {7, 6}, Role::Weight);
    auto& conv = test::addNode(graph, "Conv", {"x", "w"}, {"strided"});
    test::setInts(conv, "strides", {2, 1});
    test::setInts(conv, "pads", {1, 0, 0, 2});
    test::setInts(conv, "dilations", {1, 3});
    auto& transposed = test::addNode(graph, "ConvTranspose", {"x", "t"}, {"larger"});
    test::setInts(transposed, "strides", {2, 3});
    test::setInts(transposed, "output_padding", {1, 0});
    test::setInt(transposed, "group", 2);
    test::addNode(graph, "MatMul", {"rows", "m"}, {"product"});
    test::setInt(test::addNode(graph, "Gemm", {"rows", "g"}, {"turned"}), "transB", 1);
    test::addNode(graph, "Conv", {"x", "w"}, {"known"});
    test::addNode(graph, "Conv", {"strided", "w"}, {"onTop"});
    test::addNode(graph, "Relu", {"x"}, {"noLayer"});
    auto& same = test::addNode(graph, "Conv", {"x", "w"}, {"padded"});
    auto& attribute = *same.add_attribute();
    attribute.set_name("auto_pad");
    attribute.set_type(::onnx::AttributeProto::STRING);
    attribute.set_s("SAME_UPPER");
    const test::TemporaryFolder folder;
    const auto read = model::ModelFile::read(test::saved(model, folder.file("m.onnx")));
    const std::vector<TensorInfo> all = deploy::withComputedOutputs(tensors, *read);
    std::vector<std::pair<std::string, Shape>> added;
    for (std::size_t i = tensors.size(); i < all.size(); ++i) {
        added.emplace_back(all[i].name, all[i].shape);
        CHECK(all[i].path.empty());
        CHECK_FALSE(all[i].isReadable());
        CHECK(all[i].batchAxis == 0);
    }
    // (9 + 1 - 3) / 2 + 1, 12 + 2 - 7 + 1; 2 x 8 + 1 + 2, 3 x 11 + 2.
    CHECK(added == std::vector<std::pair<std::string, Shape>>{{"strided", {3, 8, 4, 8}},
                                                              {"larger", {3, 4, 19, 35}},
                                                              {"product", {3, 5, 7}},
                                                              {"turned", {3, 5, 7}}});
}

}  // namespace graph_ops_test
