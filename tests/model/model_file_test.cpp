// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_file.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/onnx_model.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace model_file_test {

using namespace calibscope;
using namespace calibscope::model;
using namespace calibscope::test;

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

TEST_CASE("what is not a model is refused with a sentence")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("m.onnx");
    CHECK(refusal(path).find("could not be read: No such file") != std::string::npos);
    CHECK(refusal(folder.path().string()).find("not a regular file") != std::string::npos);

    std::ofstream(path) << "a text, long enough to be one";
    CHECK(refusal(path).find("not an ONNX model") != std::string::npos);
    std::ofstream(path, std::ios::trunc) << "";
    CHECK(refusal(path).find("without a graph") != std::string::npos);

    ::onnx::ModelProto model;
    model.set_ir_version(8);
    CHECK(refusal(saved(model, path)).find("without a graph") != std::string::npos);

    std::filesystem::resize_file(path, std::uintmax_t{1} << 31U);  // all but a few bytes are a hole
    CHECK(refusal(path).find("more than 2 GiB") != std::string::npos);
}

TEST_CASE(
    "chains of constants that grow without end, or move nothing without end, are not followed")
{
    const TemporaryFolder folder;
    for (const std::int64_t length : {4, 0}) {
        ::onnx::ModelProto model = emptyModel(13);
        ::onnx::GraphProto& graph = *model.mutable_graph();
        addInitializer(graph, floatTensor("c0", {length},
                                          std::vector<float>(static_cast<std::size_t>(length))));
        for (int link = 0; link < 60; ++link) {
            const std::string from = "c" + std::to_string(link);
            setInt(addNode(graph, "Concat", {from, from}, {"c" + std::to_string(link + 1)}), "axis",
                   0);
        }
        const auto file = ModelFile::read(saved(model, folder.file("m.onnx")));
        CHECK(tensorOf(*file, "c3").isConstant);
        CHECK(valuesOf(*file, "c3").size() == 8 * static_cast<std::size_t>(length));
        CHECK_FALSE(tensorOf(*file, "c60").isConstant);
    }
}

TEST_CASE("a constant's values: raw or typed, of every type; what contradicts its shape is refused")
{
    const TemporaryFolder folder;
    using Tensor = ::onnx::TensorProto;
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    const auto typed = [&](const std::string& name, int type) -> Tensor& {
        return *graph.add_initializer() = shapedTensor(name, type, {2});
    };
    const auto raw = [&](const std::string& name, int type, std::string_view bytes) {
        typed(name, type).set_raw_data(std::string(bytes));
    };
    using namespace std::string_view_literals;
    Tensor& doubles = typed("doubles", Tensor::DOUBLE);
    doubles.add_double_data(0.1);
    doubles.add_double_data(-2);
    Tensor& halves = typed("halves", Tensor::FLOAT16);
    halves.add_int32_data(0x3c00);
    halves.add_int32_data(0x0001);
    Tensor& small = typed("small", Tensor::INT8);
    small.add_int32_data(-128);
    small.add_int32_data(5);
    Tensor& large = typed("large", Tensor::UINT64);
    large.add_uint64_data(1);
    large.add_uint64_data(~std::uint64_t{0});
    raw("bfloats", Tensor::BFLOAT16, "\x80\x3f\x00\xc0"sv);
    raw("shorts", Tensor::UINT16, "\xff\xff\x01\x00"sv);
    raw("short of a value", Tensor::FLOAT, "\x00\x00\x80\x3f"sv);
    typed("words", Tensor::STRING).add_string_data("a");

    const auto file = ModelFile::read(saved(model, folder.file("m.onnx")));

    CHECK(valuesOf(*file, "doubles") == std::vector<float>{0.1F, -2});
    CHECK(valuesOf(*file, "halves") == std::vector<float>{1, 0x1p-24F});
    CHECK(valuesOf(*file, "small") == std::vector<float>{-128, 5});
    CHECK(valuesOf(*file, "large") == std::vector<float>{1, 0x1p64F});
    CHECK(valuesOf(*file, "bfloats") == std::vector<float>{1, -2});
    CHECK(valuesOf(*file, "shorts") == std::vector<float>{65535, 1});
    CHECK_THROWS_WITH(valuesOf(*file, "short of a value"),
                      containsText("it has 4 bytes, its shape needs 8"));
    CHECK_THROWS_WITH(valuesOf(*file, "words"), containsText("are not read as numbers"));

    addInitializer(graph, shapedTensor("negative", Tensor::FLOAT, {-1}));
    CHECK_THAT(refusal(saved(model, folder.file("m.onnx"))), containsText("the length -1"));
    *graph.mutable_initializer(graph.initializer_size() - 1) =
        shapedTensor("huge", Tensor::FLOAT, {std::int64_t{1} << 40, std::int64_t{1} << 40});
    CHECK_THAT(refusal(saved(model, folder.file("m.onnx"))),
               containsText("more elements than any"));
    *graph.mutable_initializer(graph.initializer_size() - 1) =
        shapedTensor("deep", Tensor::FLOAT, std::vector<std::int64_t>(65, 1));
    CHECK_THAT(refusal(saved(model, folder.file("m.onnx"))), containsText("65 axes"));
}

}  // namespace model_file_test
