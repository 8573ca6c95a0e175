// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/engine/engine_parts.h"
#include "core/engine/methods.h"
#include "core/exchange/entry_lints.h"
#include "core/exchange/exchange_format.h"
#include "tests/support/catch.h"
#include "tests/support/damaged_bytes.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/quantized_networks.h"
#include "tests/support/run_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace onnx_scales_test {

using namespace calibscope;
using namespace calibscope::exchange;
using namespace calibscope::test;

const ScaleEntry& entryOf(const ScaleFile& file, const std::string& name)
{
    const auto found = std::ranges::find(file.entries, name, &ScaleEntry::name);
    REQUIRE(found != file.entries.end());
    return *found;
}

TEST_CASE("a quantized model is a file of scales, in pairs or in operators of integers")
{
    const TemporaryFolder folder;
    for (const auto& model : {qdqNetwork(), integerNetwork()}) {
        const ScaleFile file = readScaleFile(saved(model, folder.file("q.onnx")));
        CHECK(file.format == "onnx-model");
        CHECK(file.oddities.empty());
        REQUIRE(file.entries.size() == 7);
        const ScaleEntry input = entryOf(file, "x");
        CHECK(input.role == Role::Activation);
        CHECK(input.format == NumberFormat::integers(-128, 127));
        CHECK(input.isSymmetric == false);
        REQUIRE(input.values.size() == 1);
        CHECK(input.values[0].range ==
              Range{-114.0 / 16, 141.0 / 16});  // (0 - 114) and (255 - 114)
        CHECK(input.values[0].scale == 0.0625);
        CHECK(input.values[0].zeroPoint == -14.0);
        CHECK(!input.values[0].threshold);
        CHECK(entryOf(file, "z").values.at(0).range == Range{-64.0, 63.5});
        CHECK(entryOf(file, "z").isSymmetric == true);
        const ScaleEntry weight = entryOf(file, "W");
        CHECK(weight.role == Role::Weight);
        CHECK(weight.isPerChannel);
        CHECK(weight.format == NumberFormat::integers(-127, 127));
        REQUIRE(weight.values.size() == 3);
        CHECK(weight.values[1].threshold == 31.75);  // 127 / 4
        CHECK(weight.values[1].range == Range{-31.75, 31.75});
        const ScaleEntry product = entryOf(file, "B");  // it has -128
        CHECK_FALSE(product.isPerChannel);
        CHECK(product.values.at(0).range == Range{-16.0, 15.875});
        CHECK(!product.values[0].threshold);
        for (const ScaleEntry& entry : file.entries)
            CHECK(lintsOf(entry).empty());
    }
}

TEST_CASE("scales of 4 bits are read, those of groups are said to be such")
{
    ::onnx::ModelProto model = emptyModel(21);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInitializer(graph, floatTensor("s", {2}, {0.5F, 0.25F}));
    addInitializer(graph, floatTensor("t", {2, 2}, {0.5F, 0.25F, 1.0F, 2.0F}));
    for (const std::string name : {"v", "w"}) {
        ::onnx::TensorProto tensor = shapedTensor(name + "_quantized", 22, {2, 4});
        tensor.set_raw_data("\x21\xf7\x65\x11");
        addInitializer(graph, tensor);
        ::onnx::NodeProto& node =
            addNode(graph, "DequantizeLinear", {name + "_quantized", name == "v" ? "s" : "t"},
                    {name + "_DequantizeLinear_Output"});
        setInt(node, "axis", name == "v" ? 0 : 1);
        if (name == "w")
            setInt(node, "block_size", 2);
    }
    const TemporaryFolder folder;
    const ScaleFile file = readScaleFile(saved(model, folder.file("q.onnx")));
    CHECK(file.oddities.empty());
    const ScaleEntry channels = entryOf(file, "v");
    CHECK(channels.isPerChannel);
    CHECK(channels.format == NumberFormat::integers(-7, 7));
    CHECK(channels.values.at(1).threshold == 1.75);  // 7 / 4
    const ScaleEntry groups = entryOf(file, "w");
    CHECK_FALSE(groups.isPerChannel);
    CHECK(groups.values.empty());
    CHECK(groups.layout == "groups of 2");
    CHECK(groups.oddities == std::vector<std::string>{"has scales for groups of 2, which are "
                                                      "neither the tensor's nor its channels'"});
}

TEST_CASE("a model is known by its contents, whatever its name")
{
    const TemporaryFolder folder;
    CHECK(readScaleFile(saved(integerNetwork(), folder.file("scales.txt"))).format == "onnx-model");
    CHECK(readScaleFile(folder.file("scales.txt"), "onnx-model").entries.size() == 7);
    CHECK_THROWS_WITH(readScaleFile(saved(emptyModel(13), folder.file("f.onnx"))),
                      containsText("f.onnx: is a model without scales that are constants"));
    writeBytes(folder.file("t.onnx"), "a: 1\n");
    CHECK_THROWS_WITH(readScaleFile(folder.file("t.onnx")), containsText("t.onnx: "));
    CHECK(readScaleFile(folder.file("t.onnx"), "tensorrt-ranges").entries.size() == 1);
    CHECK_THROWS_WITH(readScales("", "b", "onnx-model"),
                      containsText("b: onnx-model is read from"));
}

TEST_CASE("scales of no use, and those found as the model runs, are reported")
{
    const TemporaryFolder folder;
    ::onnx::ModelProto model = dynamicNetwork();
    ::onnx::GraphProto& graph = *model.mutable_graph();
    for (const auto& [name, scale] :
         {std::pair("none", 0.0F), std::pair("nan", std::numeric_limits<float>::quiet_NaN()),
          std::pair("below", -1.0F)}) {
        addScale(graph, name, scale, 0);
        addPair(graph, name, name);
    }
    const ScaleFile file = readScaleFile(saved(model, folder.file("q.onnx")));
    CHECK(file.entries.size() == 7);
    REQUIRE(file.oddities.size() == 1);
    CHECK_THAT(file.oddities[0], containsText("1 more tensor of integers, whose scales are found"));
    for (const char* name : {"none", "nan", "below"}) {
        INFO(name);
        const Findings lints = lintsOf(entryOf(file, name));
        REQUIRE(lints.size() == 1);
        CHECK(lints[0].level == FindingLevel::Error);
    }
}

/// A recording of the network's x and W.
struct RecordedNetwork
{
    H5File dump;

    RecordedNetwork()
    {
        dump.write("/activations/x", {2, 2, 2, 2},
                   std::vector<float>{-7, 8, 1, 2, 3, 4, 5, 6, -7, 8, 1, 2, 3, 4, 5, 20});
        dump.write("/weights/W", {3, 2, 1, 1},
                   std::vector<float>{63.5F, -1, 2, 31.75F, 1, 15.875F});
        dump.attribute("/weights/W", "channel_axis", std::int64_t{0});
        dump.attribute("/", "format", std::string("calibration-dump"));
    }
};

TEST_CASE("calib import lays a quantized model beside a dump, as CSV and JSON")
{
    const RecordedNetwork recorded;
    const std::string model = saved(integerNetwork(), recorded.dump.folder().file("m-int8.onnx"));
    const ProgramRun run = runProgram(
        "calib",
        {"import", model, recorded.dump.path(), "--columns",
         "format,entry,channels,bits,low,high,threshold,scale,zero_point,tensor,found_by,deviation,"
         "clipped_share,level"});
    CHECK(run.errors.empty());
    CHECK(run.exitCode == 0);
    // 20 lies beyond 8.8125: one of 16 values. Each channel of W ends where its range does.
    CHECK_THAT(run.output, containsText("onnx-model,x,,8,-7.125,8.8125,,0.0625,-14,x,equal,"
                                        "-0.559375,0.0625,warning\n"));
    CHECK_THAT(run.output, containsText("onnx-model,W,3,8,-63.5,63.5,63.5,0.5,0,W,equal,0,0,\n"));
    CHECK_THAT(run.output, containsText("onnx-model,y,,8,-1.25,30.625,,0.125,-118,,,,,note\n"));
    const ProgramRun json = runProgram("calib", {"import", model, recorded.dump.path(), "--from",
                                                 "onnx-model", "--format", "json"});
    CHECK(json.exitCode == 0);
    CHECK_THAT(json.output, containsText("\"entry\": \"W\""));
}

TEST_CASE("the window shows a quantized model's ranges of channels beside the tensors")
{
    const RecordedNetwork recorded;
    const std::string model = saved(qdqNetwork(), recorded.dump.folder().file("m-int8.onnx"));
    engine::Methods methods(engine::dumpFileParts(1 << 24), 1 << 24);
    const std::string path = recorded.dump.path();
    const protocol::DumpOpened opened = methods.answer(protocol::OpenRequest{path});
    protocol::ImportRequest request{.path = model};
    for (std::uint64_t index = 0; index < opened.tensors.size(); ++index)
        request.tensors.push_back({.file = path, .index = index});
    const protocol::ImportedFile file = methods.answer(request, {});
    CHECK(file.format == "Quantized ONNX model");
    const auto weight = std::ranges::find(file.entries, "W", &protocol::ImportedEntry::name);
    REQUIRE(weight != file.entries.end());
    CHECK(weight->channelRanges ==
          std::vector<Range>{{-63.5, 63.5}, {-31.75, 31.75}, {-15.875, 15.875}});
    CHECK(weight->isSymmetric);
    CHECK(weight->findings.empty());
}

TEST_CASE("300 damaged quantized models each are refused, or read; none crashes")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("q.onnx");
    for (const auto& model : {qdqNetwork(), integerNetwork(), dynamicNetwork()}) {
        const int refused =
            refusals(readBytes(saved(model, path)), 300, path, [&](const std::string& bytes) {
                writeBytes(path, bytes);
                const ScaleFile file = readScaleFile(path, "onnx-model");
                for (const ScaleEntry& entry : file.entries) {
                    CHECK_FALSE(entry.values.empty());
                    CHECK((entry.isPerChannel || entry.values.size() == 1));
                    static_cast<void>(lintsOf(entry));
                }
            });
        CHECK(refused >= 100);  // each that was cut
    }
}

}  // namespace onnx_scales_test
