#include "core/model/model_file.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/onnx_model.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace calibscope;
using namespace calibscope::model;
using namespace calibscope::test;

namespace {

const GraphTensor& tensorOf(const ModelFile& file, const std::string& name)
{
    return *std::ranges::find(file.tensors(), name, &GraphTensor::name);
}

std::vector<float> valuesOf(const ModelFile& file, const std::string& name)
{
    return file.values(static_cast<std::size_t>(&tensorOf(file, name) - file.tensors().data()));
}

std::string namesOf(const ModelFile& file)
{
    std::string names;
    for (const GraphTensor& tensor : file.tensors())
        names += tensor.scope + ":" + tensor.name + "=" + tensor.op +
                 (tensor.isConstant ? "!" : "") + ">" + tensor.consumerOp + "\n";
    return names;
}

/// The sentence with which it is refused, without the folder's path.
std::string refusal(const std::string& path)
{
    try {
        static_cast<void>(ModelFile::read(path));
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Input);
        const std::string text = error.what();
        CHECK(text.starts_with(path));
        return text.substr(path.size());
    }
    return {};
}

}  // namespace

TEST_CASE("tensors of a model: of nested graphs too, outer graphs first, with scope and consumer")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {1, 2});
    addInput(graph, "go", {1}, ::onnx::TensorProto::BOOL);
    addInput(graph, "w", {2, 2});  // an initializer that is an input, as before IR 4
    addInitializer(graph, floatTensor("w", {2, 2}, {1, 2, 3, 4}));
    ::onnx::NodeProto& branch = addNode(graph, "If", {"go"}, {"y"});
    ::onnx::GraphProto& then = addGraph(branch, "then_branch");
    addConstant(then, floatTensor("b", {2}, {5, 6}));
    addNode(then, "MatMul", {"x", "w"}, {"p"});
    addNode(then, "Add", {"p", "b"}, {"then"});
    addNode(addGraph(branch, "else_branch"), "Identity", {"x"}, {"else"});
    branch.clear_name();

    const auto file = ModelFile::read(saved(model, folder.file("m.onnx")));

    CHECK(namesOf(*file) == ":x=Input>MatMul\n"
                            ":go=Input>If\n"
                            ":w=!>MatMul\n"
                            ":y=If>\n"
                            "If_0.then_branch:b=Constant!>Add\n"
                            "If_0.then_branch:p=MatMul>Add\n"
                            "If_0.then_branch:then=Add>\n"
                            "If_0.else_branch:else=Identity>\n");
    CHECK(tensorOf(*file, "w").consumerInput == 1);
    CHECK(tensorOf(*file, "w").shape == std::vector<std::uint64_t>{2, 2});
    CHECK(tensorOf(*file, "w").elementType == ElementKind::Float32);
    CHECK(valuesOf(*file, "b") == std::vector<float>{5, 6});
}

TEST_CASE("a name in a nested graph is the tensor nearest to it")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "go", {1}, ::onnx::TensorProto::BOOL);
    ::onnx::NodeProto& branch = addNode(graph, "If", {"go"}, {"y"});
    for (const float value : {1.0F, 2.0F}) {
        ::onnx::GraphProto& inner = addGraph(branch, value == 1 ? "then_branch" : "else_branch");
        addInitializer(inner, floatTensor("w", {1}, {value}));
        addNode(inner, "Identity", {"w"}, {value == 1 ? "a" : "b"});
    }
    const auto file = ModelFile::read(saved(model, folder.file("m.onnx")));
    CHECK(valuesOf(*file, "a") == std::vector<float>{1});
    CHECK(valuesOf(*file, "b") == std::vector<float>{2});
}

TEST_CASE("unknown fields survive")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = emptyModel(13);
    model.mutable_graph()
        ->GetReflection()
        ->MutableUnknownFields(model.mutable_graph())
        ->AddVarint(900, 7);
    const auto file = ModelFile::read(saved(model, folder.file("m.onnx")));
    CHECK(file->proto().SerializeAsString() == model.SerializeAsString());
}

TEST_CASE("what is no model is refused with a sentence")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("m.onnx");
    CHECK(refusal(path).find("could not be read: No such file") != std::string::npos);
    CHECK(refusal(folder.path().string()).find("not a regular file") != std::string::npos);

    std::ofstream(path) << "a text, long enough to be one";
    CHECK(refusal(path).find("no ONNX model") != std::string::npos);
    std::ofstream(path, std::ios::trunc) << "";
    CHECK(refusal(path).find("without a graph") != std::string::npos);

    ::onnx::ModelProto model;
    model.set_ir_version(8);
    CHECK(refusal(saved(model, path)).find("without a graph") != std::string::npos);

    std::filesystem::resize_file(path, std::uintmax_t{1} << 31U);  // all but a few bytes are a hole
    CHECK(refusal(path).find("more than 2 GiB") != std::string::npos);
}
