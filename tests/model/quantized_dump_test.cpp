// SPDX-License-Identifier: GPL-3.0-or-later
// Quantized ONNX models opened like dumps.
#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/damaged_bytes.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/quantized_networks.h"
#include "tests/support/temporary_folder.h"

#include <numeric>

namespace quantized_dump_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("weights in integers are listed as the floats that these stand for")
{
    const TemporaryFolder folder;
    for (const auto& model : {qdqNetwork(), integerNetwork()}) {
        const auto dump = DumpFile::open(saved(model, folder.file("q.onnx")));
        CHECK(dump->warnings().empty());
        REQUIRE(dump->tensors().size() == 2);
        CHECK(dump->rules().front().tensors == 2);
        const TensorInfo& conv = dump->tensors()[0];
        CHECK(conv.path == "/W");
        CHECK(conv.graphName == "W");
        CHECK(conv.role == Role::Weight);
        CHECK(conv.op == "Conv");
        CHECK(conv.channelAxis == 0);
        CHECK(conv.elementType == ElementKind::Float32);
        CHECK(conv.storedType == "int8");
        CHECK(conv.shape == std::vector<std::uint64_t>{3, 2, 1, 1});
        REQUIRE(conv.evidence.size() == 2);
        CHECK(conv.evidence[1] ==
              "holds what the integers of W_quantized stand for, scale (integer - zero point): "
              "int8, 8 bits; 3 scales along axis 0, 0.125 to 0.5; zero point 0");
        CHECK(valuesOf(dump->source(0)) ==
              std::vector<float>{0.5F, -63.5F, 0.5F, 31.75F, -0.375F, 12.5F});
        const TensorInfo& product = dump->tensors()[1];
        CHECK(product.path == "/B");
        CHECK(product.channelAxis == 1);
        CHECK_THAT(product.evidence.back(), containsText("; scale 0.125; zero point 0"));
        CHECK(valuesOf(dump->source(1)) ==
              std::vector<float>{-16.0F, 15.875F, 0.0F, 1.0F, 2.0F, 3.0F});
        const ValueBoxes boxes = dump->boxes(product);
        CHECK(boxes.info.shape == std::vector<std::uint64_t>{3, 2});
        // Along an axis that is moved to the front.
        TensorInfo batches = product;
        batches.channelAxis.reset();
        batches.batchAxis = 1;
        batches.batchSize = 1;
        CHECK(valuesOf(dump->source(batches)) ==
              std::vector<float>{-16.0F, 0.0F, 2.0F, 15.875F, 1.0F, 3.0F});
    }
}

TEST_CASE("a large weight is read in blocks, each channel under its own scale")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    constexpr int rows = 3000;
    constexpr int columns = 1000;  // 3 MB: three blocks
    ::onnx::TensorProto large =
        shapedTensor("w_quantized", ::onnx::TensorProto::INT8, {rows, columns});
    std::string integers;
    std::vector<float> expected;
    std::vector<float> scales;
    for (int row = 0; row < rows; ++row) {
        scales.push_back(static_cast<float>(1 + row) / 1024.0F);
        for (int column = 0; column < columns; ++column) {
            const int integer = (row * 7 + column) % 255 - 127;
            integers.push_back(static_cast<char>(integer));
            expected.push_back(scales.back() * static_cast<float>(integer));
        }
    }
    large.set_raw_data(integers);
    addInitializer(graph, large);
    addInitializer(graph, floatTensor("s", {rows}, scales));
    setInt(addNode(graph, "DequantizeLinear", {"w_quantized", "s"}, {"w_DequantizeLinear_Output"}),
           "axis", 0);
    setInt(addNode(graph, "Gemm", {"x", "w_DequantizeLinear_Output"}, {"y"}), "transB", 1);
    const std::string path = saved(model, folder.file("q.onnx"));
    // The list and one block, not the weight: its 12 MB of floats would not fit.
    const auto dump = DumpFile::open(path, {.memoryBytes = std::uint64_t{10} << 20U});
    REQUIRE(dump->tensors().size() == 1);
    CHECK(dump->tensors()[0].isReadable());
    CHECK(valuesOf(dump->source(0)) == expected);
    const auto small = DumpFile::open(path, {.memoryBytes = std::uint64_t{4} << 20U});
    CHECK_THAT(small->tensors()[0].unreadable.sentence, containsText("of memory"));
}

TEST_CASE("integers without scales are not listed, and what has others is counted")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = dynamicNetwork();
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addIntegerConstant(graph, "table", {2, 2}, {1, 2, 3, 4});
    addNode(graph, "Gather", {"table", "i"}, {"g"});
    addInitializer(graph, floatTensor("zero", {}, {0.0F}));
    addIntegerConstant(graph, "none_quantized", {2}, {1, 2});
    addNode(graph, "DequantizeLinear", {"none_quantized", "zero"}, {"n"});
    const auto dump = DumpFile::open(saved(model, folder.file("q.onnx")));
    std::string names;
    for (const TensorInfo& tensor : dump->tensors())
        names += tensor.name + " ";
    CHECK(names == "W B D R ");
    CHECK(valuesOf(dump->source(0)) == std::vector<float>{-64.0F, 0.0F, 63.5F, 1.0F});
    REQUIRE(dump->warnings().size() == 2);
    CHECK_THAT(dump->warnings()[0], containsText("1 weights of which a scale is 0"));
    CHECK_THAT(dump->warnings()[1], containsText("1 whose scales are found as the model runs"));
}

TEST_CASE("scales and integers in other files are read where that is allowed alone")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    ::onnx::TensorProto integers = shapedTensor("w_quantized", ::onnx::TensorProto::INT8, {2, 2});
    setExternal(integers, {{"location", "w.bin"}, {"length", "4"}});
    addInitializer(graph, integers);
    addInitializer(graph, floatTensor("s", {}, {0.5F}));
    addNode(graph, "DequantizeLinear", {"w_quantized", "s"}, {"w_DequantizeLinear_Output"});
    addNode(graph, "MatMul", {"x", "w_DequantizeLinear_Output"}, {"y"});
    writeBytes(folder.file("w.bin"), std::string_view("\x02\xff\x80\x7f", 4));
    const float scale = 0.25F;
    writeBytes(folder.file("s.bin"), std::string_view(reinterpret_cast<const char*>(&scale), 4));
    const std::string path = saved(model, folder.file("q.onnx"));
    const auto closed = DumpFile::open(path);
    REQUIRE(closed->tensors().size() == 1);
    CHECK(closed->tensors()[0].unreadable.reason == Unreadable::Reason::OtherFile);
    CHECK(valuesOf(DumpFile::open(path, {.allowExternal = true})->source(0)) ==
          std::vector<float>{1.0F, -0.5F, -64.0F, 63.5F});

    *graph.mutable_initializer(1) = shapedTensor("s", ::onnx::TensorProto::FLOAT, {});
    setExternal(*graph.mutable_initializer(1), {{"location", "s.bin"}});
    static_cast<void>(saved(model, path));
    CHECK(DumpFile::open(path)->tensors().empty());
    CHECK_THAT(DumpFile::open(path)->warnings().at(0), containsText("lie in another file"));
    CHECK(valuesOf(DumpFile::open(path, {.allowExternal = true})->source(0)) ==
          std::vector<float>{0.5F, -0.25F, -32.0F, 31.75F});
}

TEST_CASE("a weight whose shape lies has a sentence, and takes no memory")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = integerNetwork();
    for (::onnx::TensorProto& tensor : *model.mutable_graph()->mutable_initializer())
        if (tensor.name() == "B_quantized")
            tensor.set_dims(0, std::int64_t{1} << 40);
        else if (tensor.name() == "W_quantized")
            tensor.set_dims(1, 100);
    const auto dump = DumpFile::open(saved(model, folder.file("q.onnx")));
    REQUIRE(dump->tensors().size() == 2);
    CHECK_THROWS_WITH(valuesOf(dump->source(0)),
                      containsText("W_quantized: it has 6 bytes, its shape needs 300"));
    CHECK_THAT(dump->tensors()[1].unreadable.sentence, containsText("of memory"));
}

TEST_CASE("300 damaged quantized models each are refused, or read as they are; none crashes")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("q.onnx");
    for (const auto& model : {qdqNetwork(), integerNetwork(), dynamicNetwork()}) {
        const int refused =
            refusals(readBytes(saved(model, path)), 300, path, [&](const std::string& bytes) {
                writeBytes(path, bytes);
                const auto dump = DumpFile::open(path);
                for (std::size_t tensor = 0; tensor < dump->tensors().size(); ++tensor) {
                    if (!dump->tensors()[tensor].isReadable())
                        continue;
                    const std::vector<float> values = valuesOf(dump->source(tensor));
                    CHECK(values.size() == dump->tensors()[tensor].valueCount());
                }
            });
        CHECK(refused >= 90);  // nearly each that was cut
    }
}

}  // namespace quantized_dump_test
