// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/onnx_model.h"
#include "tests/support/run_program.h"

#include <cstdint>
#include <string>
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

}  // namespace graph_ops_test
