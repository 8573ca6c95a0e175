// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/parse_model.h"

#include "core/base/error.h"
#include "core/model/check_model.h"
#include "core/model/lift.h"
#include "core/model/model_file.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/onnx_model.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>

namespace parse_model_test {

using namespace calibscope;
using namespace calibscope::model;
using namespace calibscope::test;

std::string refusal(const std::string& path, std::uint64_t mostMemory)
{
    try {
        static_cast<void>(parsedModel(path, mostMemory));
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Input);
        return error.what();
    }
    return {};
}

/// Two weights of 1200 bytes, as raw data and as a list of floats, one in a branch, and a small
/// one.
::onnx::ModelProto weights()
{
    ::onnx::ModelProto model = emptyModel(12);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    setFloat(addNode(graph, "Clip", {"raw"}, {"clipped"}), "min", 0);
    addNode(graph, "Softmax", {"clipped"}, {"rows"});
    std::vector<float> values(300);
    std::iota(values.begin(), values.end(), 0.5F);
    ::onnx::TensorProto raw = shapedTensor("raw", ::onnx::TensorProto::FLOAT, {300});
    raw.set_raw_data(values.data(), values.size() * sizeof(float));
    raw.set_doc_string("kept");
    addInitializer(graph, raw);
    addInitializer(graph, floatTensor("list", {300}, values));
    addInitializer(graph, intTensor("small", {2}, {7, 8}));
    addInput(graph, "go", {}, ::onnx::TensorProto::BOOL);
    ::onnx::GraphProto& inner = addGraph(addNode(graph, "If", {"go"}, {"y"}), "then_branch");
    raw.set_name("inner");
    addConstant(inner, raw);
    model.GetReflection()->MutableUnknownFields(&model)->AddVarint(900, 7);
    model.GetReflection()->MutableUnknownFields(&model)->AddFixed32(901, 8);
    model.GetReflection()->MutableUnknownFields(&model)->AddFixed64(902, 9);
    return model;
}

TEST_CASE("the outline of a model has all but the values of large tensors, which it finds again")
{
    const TemporaryFolder folder;
    const std::string path = saved(weights(), folder.file("m.onnx"));
    ::onnx::ModelProto outline = outlinedModel(path, 1U << 20U);
    CHECK(outline.graph().initializer(0).raw_data().empty());
    CHECK(outline.graph().initializer(0).segment().end() -
              outline.graph().initializer(0).segment().begin() ==
          1200);
    CHECK(outline.ByteSizeLong() < weights().ByteSizeLong() - 2300);

    const auto whole = ModelFile::read(path);
    const auto outlined = ModelFile::readOutline(path, 1U << 20U);
    REQUIRE(outlined->tensors().size() == whole->tensors().size());
    for (std::size_t tensor = 0; tensor < whole->tensors().size(); ++tensor) {
        CHECK(outlined->tensors()[tensor].name == whole->tensors()[tensor].name);
        if (whole->tensors()[tensor].isConstant)
            CHECK(outlined->values(tensor) == whole->values(tensor));
    }
    // Without the places it is the model, unknown fields and all.
    ::onnx::TensorProto& raw = *outline.mutable_graph()->mutable_initializer(0);
    raw.clear_segment();
    raw.set_raw_data(whole->proto().graph().initializer(0).raw_data());
    ::onnx::TensorProto& inner = *outline.mutable_graph()
                                      ->mutable_node(2)
                                      ->mutable_attribute(0)
                                      ->mutable_g()
                                      ->mutable_node(0)
                                      ->mutable_attribute(0)
                                      ->mutable_t();
    inner.clear_segment();
    inner.set_raw_data(raw.raw_data());
    CHECK(outline.SerializeAsString() == weights().SerializeAsString());
}

TEST_CASE("a model of many empty messages is refused before it takes the memory")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("m.onnx");
    // A graph of 2,000,000 empty nodes, two bytes each, would take 300 MB.
    std::string nodes;
    for (int node = 0; node < 2'000'000; ++node)
        nodes += std::string("\x0a\x00", 2);
    ::onnx::ModelProto model = emptyModel(13);
    std::string graph;
    model.graph().SerializeToString(&graph);
    model.clear_graph();
    graph += nodes;
    // Field 7, with its length as a varint.
    std::string bytes = model.SerializeAsString() + '\x3a';
    for (std::size_t length = graph.size(); length > 0; length >>= 7U)
        bytes += static_cast<char>((length & 0x7fU) | (length > 0x7fU ? 0x80U : 0U));
    writeBytes(path, bytes + graph);
    CHECK_THAT(refusal(path, 64U << 20U), containsText("would take more than 64 MiB of memory"));
    CHECK_THROWS_WITH(outlinedModel(path, 64U << 20U), containsText("more than 64 MiB"));
}

TEST_CASE("graphs within graphs without end are refused")
{
    const TemporaryFolder folder;
    const auto nested = [&](int depth) {
        ::onnx::ModelProto model = emptyModel(13);
        ::onnx::GraphProto* graph = model.mutable_graph();
        for (int level = 0; level < depth; ++level)
            graph = &addGraph(addNode(*graph, "If", {}, {}), "then_branch");
        return saved(model, folder.file("m.onnx"));
    };
    CHECK(refusal(nested(30), mostModelMemory).empty());
    CHECK_THAT(refusal(nested(32), mostModelMemory), containsText("nested too deep"));
    CHECK_THAT(refusal(nested(1000), mostModelMemory), containsText("nested too deep"));
    CHECK_THROWS_WITH(outlinedModel(nested(1000), mostModelMemory), containsText("too deep"));
}

TEST_CASE("a tensor in segments is refused: its place in the file would be the file's to tell")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = weights();
    model.mutable_graph()->mutable_initializer(2)->mutable_segment()->set_end(5);
    CHECK_THAT(refusal(saved(model, folder.file("m.onnx")), mostModelMemory),
               containsText("in segments"));
}

TEST_CASE("a model is known by its outermost fields")
{
    const TemporaryFolder folder;
    const std::string path = saved(weights(), folder.file("m.onnx"));
    CHECK(isModel(path));
    const std::string bytes = readBytes(path);
    writeBytes(path, bytes.substr(0, bytes.size() / 2));
    CHECK_FALSE(isModel(path));
    writeBytes(path, "tensor,scale\nx,0.5\n");
    CHECK_FALSE(isModel(path));
    writeBytes(path, "");
    CHECK_FALSE(isModel(path));
    writeBytes(path, std::string("\x89HDF\r\n\x1a\n", 8) + std::string(1000, '\0'));
    CHECK_FALSE(isModel(path));
    CHECK_FALSE(isModel(folder.path().string()));
    CHECK_FALSE(isModel(folder.file("none")));
}

TEST_CASE("1000 damaged models are read, checked and lifted, or refused")
{
    const TemporaryFolder folder;
    const std::string path = saved(weights(), folder.file("m.onnx"));
    const std::string sound = readBytes(path);
    std::mt19937 random(16);
    const auto below = [&](std::size_t end) { return random() % end; };
    int read = 0;
    for (int variant = 0; variant < 1000; ++variant) {
        std::string bytes = sound;
        // Half of them near the front, where names and shapes are.
        const std::size_t end = variant % 2 == 0 ? bytes.size() : 60;
        for (std::size_t change = 0; change <= below(3); ++change)
            bytes[below(end)] = static_cast<char>(random());
        if (variant % 5 == 0)
            bytes.resize(below(bytes.size()));
        writeBytes(path, bytes);
        const auto valuesOf = [&](const std::shared_ptr<const ModelFile>& file) {
            for (std::size_t tensor = 0; tensor < file->tensors().size(); ++tensor)
                try {
                    if (file->tensors()[tensor].isConstant)
                        static_cast<void>(file->values(tensor));
                } catch (const Error&) {
                    // An unreadable tensor is an answer.
                }
        };
        try {
            valuesOf(ModelFile::readOutline(path, 1U << 20U));
            const auto whole = ModelFile::read(path);
            valuesOf(whole);
            ++read;
            ::onnx::ModelProto model = whole->proto();
            static_cast<void>(faultOf(model));
            static_cast<void>(lift(model, path));
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Input);
            CHECK_THAT(error.what(), containsText(path));
        }
    }
    CHECK(read > 100);
    CHECK(read < 900);
}

}  // namespace parse_model_test
