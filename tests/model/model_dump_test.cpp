// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "core/engine/engine_parts.h"
#include "core/engine/subject.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/onnx_model.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace model_dump_test {

using namespace calibscope;
using namespace calibscope::test;

std::vector<float> counting(std::size_t count)
{
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0F);
    return values;
}

/// Path, role, op, channel axis and shape of all, a line each.
std::string listOf(const DumpFile& dump)
{
    std::string text;
    for (const TensorInfo& info : dump.tensors())
        text += info.path + " " + std::string(roleText(info.role)) + " " + info.op + " " +
                (info.channelAxis ? std::to_string(*info.channelAxis) : "-") + " " +
                shapeText(info.shape) + (info.isReadable() ? "" : " unreadable") + "\n";
    return text;
}

TEST_CASE("a model is a dump of its weights, with the channels of the layers that take them")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = emptyModel(13);
    model.set_producer_name("exporter");
    model.set_producer_version("2");
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {1, 2, 4});
    addInitializer(graph, floatTensor("/net/conv.w", {3, 2, 1}, counting(6)));
    addInitializer(graph, floatTensor("conv.b", {3}, {1, 2, 3}));
    addInitializer(graph, floatTensor("up.w", {3, 5, 1}, counting(15)));
    addInitializer(graph, floatTensor("square", {4, 4}, counting(16)));
    addInitializer(graph, floatTensor("add.b", {4}, counting(4)));
    addInitializer(graph, floatTensor("scale", {1}, {2}));
    addInitializer(graph, intTensor("shape", {2}, {-1, 4}));
    addInitializer(graph, floatTensor("gates", {1, 8, 2}, counting(16)));
    addInitializer(graph, floatTensor("table", {7, 2}, counting(14)));
    addInitializer(graph, floatTensor("lin.w", {6, 4}, counting(24)));
    addNode(graph, "Conv", {"x", "/net/conv.w", "conv.b"}, {"c"});
    addNode(graph, "ConvTranspose", {"c", "up.w"}, {"u"});
    addNode(graph, "Mul", {"u", "scale"}, {"s"});
    addNode(graph, "Reshape", {"s", "shape"}, {"r"});
    addNode(graph, "Shape", {"square"}, {"unused"});  // no layer, though the first that takes it
    addNode(graph, "MatMul", {"r", "square"}, {"m"});
    addNode(graph, "Add", {"add.b", "m"}, {"a"});
    setInt(addNode(graph, "Gemm", {"a", "lin.w"}, {"g"}), "transB", 1);
    addNode(graph, "Gather", {"table", "i"}, {"e"});
    // W of the recurrent layer is put together of a constant, as exporters do.
    setInts(addNode(graph, "Transpose", {"gates"}, {"W"}), "perm", {0, 1, 2});
    addNode(graph, "LSTM", {"e", "W", "R"}, {"h"});
    const std::string path = saved(model, folder.file("m.onnx"));

    const auto dump = DumpFile::open(path);

    CHECK(listOf(*dump) == "/net.conv.w weight Conv 0 3 x 2 x 1\n"
                           "/conv.b bias Conv 0 3\n"
                           "/up.w weight ConvTranspose 1 3 x 5 x 1\n"
                           "/square weight MatMul 1 4 x 4\n"
                           "/add.b bias Add 0 4\n"
                           "/table weight Gather 0 7 x 2\n"
                           "/lin.w weight Gemm 0 6 x 4\n"
                           "/W weight LSTM 1 1 x 8 x 2\n");
    CHECK(dump->attributes().at("source") == "exporter 2");
    CHECK(dump->attributes().at("opset") == "13");
    CHECK(dump->warnings().empty());
    REQUIRE(dump->rules().size() == 1);
    CHECK(dump->rules().front().tensors == 8);
    CHECK(dump->identity().bytes == std::filesystem::file_size(path));
    CHECK(dump->tensors()[0].name == "net.conv.w");
    CHECK(dump->tensors()[0].graphName == "/net/conv.w");
    CHECK(dump->tensors()[0].consumer == "make_c");
    CHECK(valuesOf(dump->source(dump->indexOf("net.conv.w"))) == counting(6));
    CHECK(valuesOf(dump->source(dump->indexOf("W"))) == counting(16));
}

TEST_CASE("large weights are read in blocks, half floats as the values they are")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    const std::vector<float> values = counting(600'000);
    ::onnx::TensorProto large = shapedTensor("large", ::onnx::TensorProto::FLOAT, {600, 1000});
    large.set_raw_data(values.data(), values.size() * 4);
    addInitializer(graph, large);
    ::onnx::TensorProto half = shapedTensor("half", ::onnx::TensorProto::FLOAT16, {2, 1});
    half.set_raw_data(std::string("\x00\x3c\x00\xc0", 4));
    addInitializer(graph, half);
    addNode(graph, "MatMul", {"x", "large"}, {"y"});
    addNode(graph, "MatMul", {"x", "half"}, {"z"});
    const auto dump = DumpFile::open(saved(model, folder.file("m.onnx")));
    REQUIRE(dump->tensors().size() == 2);
    CHECK(valuesOf(dump->source(0)) == values);
    CHECK(valuesOf(dump->source(1)) == std::vector<float>{1, -2});

    // Understood as batches along either axis.
    TensorInfo batches = dump->tensors()[0];
    batches.channelAxis.reset();
    batches.batchAxis = 0;
    batches.batchSize = 400;
    std::vector<std::uint64_t> seen;
    dump->source(batches).visit(
        [&](const Block& block) {
            if (seen.size() <= block.batch)
                seen.resize(block.batch + 1);
            seen[block.batch] += block.values.size();
        },
        {});
    CHECK(seen == std::vector<std::uint64_t>{400'000, 200'000});
    CHECK(valuesOf(dump->source(batches, 1)).size() == 400'000);
    batches.batchAxis = 1;
    const std::vector<float> moved = valuesOf(dump->source(batches));
    CHECK(moved.size() == 600'000);
    CHECK(moved[1] == 1000);
    CHECK(moved[600] == 1);
}

TEST_CASE("data of a model in another file is read where that is allowed, from its folder alone")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    ::onnx::TensorProto weight = shapedTensor("w", ::onnx::TensorProto::FLOAT, {2, 2});
    setExternal(weight, {{"location", "w.bin"}, {"offset", "4"}});
    addInitializer(graph, weight);
    addNode(graph, "MatMul", {"x", "w"}, {"y"});
    const std::string path = saved(model, folder.file("m.onnx"));
    const std::vector<float> values = {9, 1, 2, 3, 4};
    writeBytes(folder.file("w.bin"),
               std::string_view(reinterpret_cast<const char*>(values.data()), 20));

    const auto closed = DumpFile::open(path);
    CHECK(closed->tensors()[0].unreadable.reason == Unreadable::Reason::OtherFile);
    CHECK_THAT(closed->tensors()[0].unreadable.sentence, containsText("w.bin"));
    const auto open = DumpFile::open(path, {.allowExternal = true});
    CHECK(valuesOf(open->source(0)) == std::vector<float>{1, 2, 3, 4});

    for (const char* location : {"../w.bin", "/etc/passwd", "sub/../../w.bin", "link", ""}) {
        ::onnx::TensorProto& outside = *model.mutable_graph()->mutable_initializer(0);
        outside.mutable_external_data(0)->set_value(location);
        std::filesystem::remove(folder.file("link"));
        std::filesystem::create_symlink("/etc/passwd", folder.file("link"));
        CHECK_THROWS_WITH(
            DumpFile::open(saved(model, path), {.allowExternal = true}),
            containsText(*location == '\0' ? "not named" : "a file outside of its folder"));
    }
}

TEST_CASE("a model that changes while it is open, or asks for too much, is refused with a sentence")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    ::onnx::TensorProto weight = shapedTensor("w", ::onnx::TensorProto::FLOAT, {100, 100});
    weight.set_raw_data(counting(10'000).data(), 40'000);
    addInitializer(graph, weight);
    setInts(addNode(graph, "Transpose", {"w"}, {"t"}), "perm", {1, 0});
    addNode(graph, "MatMul", {"x", "t"}, {"y"});
    const std::string path = saved(model, folder.file("m.onnx"));
    const auto dump = DumpFile::open(path);
    CHECK(valuesOf(dump->source(0))[1] == 100);

    CHECK_THROWS_WITH(DumpFile::open(path, {.memoryBytes = 3'000}), containsText("of memory"));
    const auto small = DumpFile::open(path, {.memoryBytes = 60'000});
    CHECK_THAT(small->tensors()[0].unreadable.sentence, containsText("of memory"));
    CHECK_THROWS_WITH(small->source(0).visit([](const Block&) {}, {}), containsText("of memory"));

    model.set_doc_string("another");
    static_cast<void>(saved(model, path));
    CHECK_THROWS_WITH(valuesOf(dump->source(0)), containsText("was changed since"));
}

TEST_CASE("values in another file that change while the model is open are told")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::TensorProto weight = shapedTensor("w", ::onnx::TensorProto::FLOAT, {2, 2});
    setExternal(weight, {{"location", "w.bin"}});
    addInitializer(*model.mutable_graph(), weight);
    addNode(*model.mutable_graph(), "MatMul", {"x", "w"}, {"y"});
    const std::string path = saved(model, folder.file("m.onnx"));
    const auto write = [&](const std::vector<float>& values) {
        writeBytes(folder.file("w.bin"),
                   std::string_view(reinterpret_cast<const char*>(values.data()), 16));
    };
    write({1, 2, 3, 4});
    const auto dump = DumpFile::open(path, {.allowExternal = true});
    CHECK(dump->dataFiles() == std::vector<std::string>{folder.file("w.bin")});
    CHECK(valuesOf(dump->source(0)) == std::vector<float>{1, 2, 3, 4});
    const engine::EngineParts parts = engine::dumpFileParts(1 << 20);
    engine::DumpCache dumps(parts);
    const auto opened = dumps.open(path, true, {});
    CHECK(dumps.asOpened(path, true, {}) == opened);

    write({5, 6, 7, 8});
    CHECK_THROWS_WITH(valuesOf(dump->source(0)), containsText("was changed since it was opened"));
    CHECK_THROWS_WITH(dumps.asOpened(path, true, {}), containsText("was changed since"));
    const auto again = dumps.open(path, true, {});
    CHECK(again != opened);
    CHECK(valuesOf(again->source(again->tensors[0], 0)) == std::vector<float>{5, 6, 7, 8});
    std::filesystem::remove(folder.file("w.bin"));
    CHECK_THROWS_WITH(dumps.asOpened(path, true, {}), containsText("was changed since"));
    CHECK(DumpFile::open(path)->dataFiles().empty());  // not read, so no matter
}

TEST_CASE("a damaged model is refused as a model, not as HDF5")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = emptyModel(13);
    addInitializer(*model.mutable_graph(), floatTensor("w", {4, 4}, counting(16)));
    const std::string path = saved(model, folder.file("m.onnx"));
    const std::string bytes = readBytes(path);
    writeBytes(path, bytes.substr(0, 40));
    CHECK_THROWS_WITH(DumpFile::open(path), containsText("not an ONNX model, or it is damaged"));
    // Without a layer there is nothing to show.
    writeBytes(path, bytes);
    CHECK(DumpFile::open(path)->tensors().empty());
    CHECK_THAT(DumpFile::open(path)->warnings().front(), containsText("no layer whose weight"));
}

}  // namespace model_dump_test
