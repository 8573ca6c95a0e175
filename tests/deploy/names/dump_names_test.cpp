// SPDX-License-Identifier: GPL-3.0-or-later
// Names of a dump in its model where scale files of other tools come and go: calib, and the
// window's engine.
#include "core/base/digest.h"
#include "core/base/whole_file.h"
#include "core/engine/engine_parts.h"
#include "core/engine/methods.h"
#include "core/recipes/choice_json.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/onnx_model.h"
#include "tests/support/run_program.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dump_names_test {

using namespace calibscope;
using namespace calibscope::test;
using Json = nlohmann::json;

void addBranch(::onnx::GraphProto& graph, const std::string& prefix,
               const std::vector<float>& values)
{
    addInitializer(graph, floatTensor(prefix + "w", {2, 2}, values));
    addNode(graph, "MatMul", {"x", prefix + "w"}, {prefix + "y"});
}

/// Two branches whose tensors have the same last words, and a dump of the second one.
struct Recording
{
    H5File dump;
    std::string model;
    std::string scales = dump.folder().file("scales.txt");

    Recording()
    {
        ::onnx::ModelProto proto = emptyModel(13);
        ::onnx::GraphProto& graph = *proto.mutable_graph();
        addInput(graph, "x", {2, 2});
        ::onnx::NodeProto& choice = addNode(graph, "If", {"condition"}, {"out"});
        choice.set_name("If_0");
        for (const char* name : {"then_branch", "else_branch"}) {
            ::onnx::AttributeProto& branch = *choice.add_attribute();
            branch.set_name(name);
            branch.set_type(::onnx::AttributeProto::GRAPH);
            const bool isFirst = std::string(name) == "then_branch";
            addBranch(*branch.mutable_g(), isFirst ? "8k/" : "16k/",
                      isFirst ? std::vector<float>{1, 2, 3, 4} : std::vector<float>{5, 6, 7, 8});
        }
        model = saved(proto, dump.folder().file("m.onnx"));
        dump.write("/activations/y", {2, 2}, std::vector<float>{-4, 1, 2, 3});
        dump.write("/weights/w", {2, 2}, std::vector<float>{5, 6, 7, 8});
        dump.attribute("/weights/w", "channel_axis", std::int64_t{1});
        dump.attribute("/", "format", std::string("calibration-dump"));
    }
};

TEST_CASE("import takes the model's names, and no others for what the model has")
{
    const Recording recording;
    writeWholeFile(recording.scales, "8k/y: 1\n16k/y: 4\n16k/z: 2\nother/y: 3\n");
    const auto run = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{"import", recording.scales, recording.dump.path(),
                                           "--columns", "entry,tensor,found_by,lints"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runProgram("calib", arguments);
    };
    CHECK_THAT(run({}).output, containsText("8k/y,y,end,"));
    const ProgramRun named = run({"--onnx", recording.model});
    CHECK(named.exitCode == 0);
    CHECK_THAT(named.output, containsText("no tensor of the dump has this name, but the model has "
                                          "it"));
    CHECK_THAT(named.output, containsText("16k/y,y,model,"));
    CHECK_THAT(named.output,
               containsText("16k/z,,,note: neither the dump nor the model has this name\n"));
    CHECK_THAT(named.output, containsText("other/y,y,end,"));
    // What the user says comes first.
    const std::string map = recording.dump.folder().file("map.csv");
    writeWholeFile(map, "y,16k/z\n");
    CHECK_THAT(run({"--onnx", recording.model, "--map", map}).output, containsText("16k/z,y,map,"));
    CHECK(run({"--onnx", recording.scales}).exitCode == 3);
    CHECK(run({"--onnx", recording.model, "-o", recording.model}).exitCode == 2);
}

TEST_CASE("the window's engine gives the ranges of channels, by the model's names")
{
    const Recording recording;
    writeWholeFile(recording.scales, R"({"version": "1.0.0", "activation_encodings": [],
"param_encodings": [{"name": "16k/w", "dtype": "INT", "enc_type": "PER_CHANNEL", "bw": 8, "is_sym": true,
                     "scale": [0.0625, 0.125], "offset": [-128, -128]},
                    {"name": "8k/w", "dtype": "INT", "enc_type": "PER_CHANNEL", "bw": 8, "is_sym": true,
                     "scale": [0.5], "offset": [-128]}]})");
    engine::Methods methods(engine::dumpFileParts(1 << 24), 1 << 24);
    const std::string dump = recording.dump.path();
    const protocol::DumpOpened opened = methods.answer(protocol::OpenRequest{dump}, {});
    protocol::ImportRequest request{.path = recording.scales, .model = recording.model};
    for (std::uint64_t index = 0; index < opened.tensors.size(); ++index)
        request.tensors.push_back({.file = dump, .index = index});
    const protocol::ImportedFile file = methods.answer(request, {});
    REQUIRE(file.entries.size() == 2);
    REQUIRE(file.entries[0].tensor);
    CHECK(opened.tensors.at(*file.entries[0].tensor).name == "w");
    CHECK_FALSE(file.entries[1].tensor);  // of the other branch
    REQUIRE(file.entries[0].channelRanges.size() == 2);
    CHECK(file.entries[0].channelRanges[0] == Range{-8.0, 7.9375});  // 0.0625 from -128 to 127
    CHECK(file.entries[0].channelRanges[1].high == 15.875);
    CHECK_FALSE(file.entries[0].isSymmetric);
    CHECK(file.entries[1].channelRanges.empty());
    request.model = recording.scales;
    CHECK_THROWS_WITH(methods.answer(request, {}), containsText("not an ONNX model"));
}

TEST_CASE("a cache of a decided session has the model's names and the thresholds' last bit")
{
    H5File dump;
    dump.attribute("/", "format", std::string("calibration-dump"));
    Json decisions = Json::object();
    ::onnx::ModelProto proto = emptyModel(13);
    ::onnx::GraphProto& graph = *proto.mutable_graph();
    const std::vector<std::pair<std::string, std::string>> names{
        {"onnx::Conv_329", "onnx::Conv_329"},
        {"block.1.act [0]", "main/block/1/act [0]"},
        {"x y", "x y"},
        {"not.decided", "not/decided"}};
    // 0.1, 1/3 and 1e-40 (a subnormal) as float32; their scales from NumPy:
    // (np.float64(np.float32(t)) / 127).astype(np.float32).view(np.uint32)
    const std::vector<float> largest{0.1F, 1.0F / 3.0F, 1e-40F, 1.0F};
    for (std::size_t place = 0; place < names.size(); ++place) {
        const auto& [own, inGraph] = names[place];
        const std::string path = "/activations/" + own;
        dump.write(path, {1, 2}, std::vector<float>{largest[place], -largest[place] / 2});
        addNode(graph, "Relu", {"x"}, {inGraph});
        if (own != "not.decided")
            decisions[path] = {
                {"id", "x"},
                {"choice", choiceJson(makeChoice("min-max", {}, SchemeKind::SymmetricFull,
                                                 Granularity::Tensor))}};
    }
    const std::string model = saved(proto, dump.folder().file("m.onnx"));
    const std::string session = dump.folder().file("s.calsession");
    writeWholeFile(session, Json{{"format", "calibscope session"},
                                 {"version", 3},
                                 {"dumps",
                                  {{{"absolute", dump.path()},
                                    {"size", std::filesystem::file_size(dump.path())},
                                    {"header_sha256", headerSha256(dump.path())},
                                    {"decisions", decisions}}}}}
                                .dump());
    const ProgramRun run = runProgram("calib", {"export", dump.path(), "--session", session,
                                                "--onnx", model, "--format", "tensorrt-cache"});
    CHECK(run.exitCode == 0);
    CHECK(run.output == "TRT-8501-EntropyCalibration2\n"
                        "main/block/1/act [0]: 3b2c02b0\n"
                        "onnx::Conv_329: 3a4e69a0\n"
                        "x y: 00000232\n");
}

}  // namespace dump_names_test
