// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_file.h"
#include "core/report/tables/deploy_plan.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/onnx_graph.h"
#include "tests/support/quantize_cases.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace materialize_model_test {

using namespace calibscope;
using test::containsText;
using test::OnnxGraph;
using test::ProgramRun;
using test::runProgram;
using test::TemporaryFolder;

constexpr auto recipe = R"({"id": "own", "title": "Own", "rules": [
    {"role": "activation", "calibrator": "min-max", "scheme": "symmetric-full", "granularity": "tensor"},
    {"role": "weight", "calibrator": "min-max", "scheme": "symmetric-restricted", "granularity": "channel"}]})";

/// A model (x -> Conv with w -> c -> Relu -> r -> Sigmoid -> y), a dump of it, and a recipe.
class Recorded
{
public:
    explicit Recorded(float firstWeight = OnnxGraph::values({3, 2, 2, 2}).front())
    {
        const ::onnx::ModelProto model = test::quantizeCase("relu-int8").model;
        std::ofstream(path("m.onnx"), std::ios::binary) << model.SerializeAsString();
        std::ofstream(path("recipe.json")) << recipe;
        m_dump.write("/activations/x", {10, 2, 1, 1}, OnnxGraph::values({20}));
        m_dump.write("/activations/c", {10, 3, 1, 1}, OnnxGraph::values({30}));
        std::vector<float> weight = OnnxGraph::values({3, 2, 2, 2});
        weight.front() = firstWeight;
        m_dump.write("/weights/w", {3, 2, 2, 2}, weight);
        m_dump.attribute("/weights/w", "channel_axis", std::int64_t{0});
    }

    [[nodiscard]] std::string path(const std::string& name) const { return m_folder.file(name); }
    [[nodiscard]] ProgramRun run(std::vector<std::string> further,
                                 const std::string& model = "m.onnx",
                                 const std::string& output = "q.onnx") const
    {
        std::vector<std::string> arguments{
            "materialize", m_dump.path(), "--recipe-file", path("recipe.json"), "--onnx",
            path(model),   "-o",          path(output)};
        arguments.insert(arguments.end(), further.begin(), further.end());
        return runProgram("calib", arguments);
    }
    [[nodiscard]] bool hasWritten() const { return std::filesystem::exists(path("q.onnx")); }
    [[nodiscard]] ::onnx::ModelProto written() const
    {
        return model::ModelFile::read(path("q.onnx"))->proto();
    }

private:
    TemporaryFolder m_folder;
    test::H5File m_dump;
};

int pairsIn(const ::onnx::ModelProto& model)
{
    return static_cast<int>(
        std::ranges::count(model.graph().node(), "QuantizeLinear", &::onnx::NodeProto::op_type));
}

TEST_CASE("materialize: a quantized model from a dump, a recipe and a model")
{
    const Recorded recorded;
    const std::string before = test::readBytes(recorded.path("m.onnx"));
    const ProgramRun run = recorded.run({"--places", "operands"});
    CHECK(run.exitCode == 0);
    CHECK(run.output.empty());
    CHECK_THAT(run.errors, containsText("q.onnx: 1 pair, 1 weight\n"));
    CHECK_THAT(run.errors, containsText("calib: warning: `c`: its decision is not used: places are "
                                        "operands\n"));
    const ::onnx::ModelProto model = recorded.written();
    CHECK(pairsIn(model) == 1);
    std::vector<std::string> keys;
    for (const auto& entry : model.metadata_props())
        keys.push_back(entry.key());
    CHECK(keys == std::vector<std::string>{"calibscope.version", "calibscope.dump_sha256"});
    CHECK(model.metadata_props(1).value().size() == 64);
    CHECK(test::readBytes(recorded.path("m.onnx")) == before);
    // The default place: results of layers, too.
    CHECK(recorded.run({}).exitCode == 0);
    CHECK(pairsIn(recorded.written()) == 2);
}

TEST_CASE("materialize: --strict makes an error of the lints the exit code 1")
{
    const Recorded recorded;
    const std::vector<std::string> channels{"--target", "tensorrt", "--activations", "uint8"};
    CHECK(recorded.run(channels).exitCode == 0);
    std::vector<std::string> strict = channels;
    strict.emplace_back("--strict");
    const ProgramRun run = recorded.run(strict);
    CHECK(run.exitCode == 1);
    CHECK_THAT(run.errors, containsText("calib: error: `x`: TensorRT takes no zero point"));
    CHECK(recorded.hasWritten());
}

TEST_CASE("materialize: weights that differ from the model's")
{
    const Recorded recorded(0.125F);
    const ProgramRun run = recorded.run({"--strict"});
    CHECK(run.exitCode == 1);
    CHECK_THAT(run.errors, containsText("calib: error: `w`: "));
    CHECK_THAT(run.errors, containsText("recorded from another version?"));
    CHECK_THAT(run.errors, containsText("2 pairs, 0 weights"));
    const ProgramRun taken = recorded.run({"--strict", "--weights", "model"});
    CHECK(taken.exitCode == 0);
    CHECK_THAT(taken.errors, containsText("2 pairs, 1 weight"));
}

TEST_CASE("materialize: nothing is written where something is wrong")
{
    const Recorded recorded;
    std::ofstream(recorded.path("other.onnx"), std::ios::binary)
        << OnnxGraph()
               .input("in", {1})
               .node("Relu", {"in"}, {"out"})
               .output("out", {1})
               .model()
               .SerializeAsString();
    const ProgramRun none = recorded.run({}, "other.onnx");
    CHECK(none.exitCode == 3);
    CHECK_THAT(none.errors, containsText("other.onnx: none of the 3 tensors is in the graph; names "
                                         "look like `"));
    std::ofstream(recorded.path("text.onnx")) << "no model";
    CHECK(recorded.run({}, "text.onnx").exitCode == 3);
    CHECK(recorded.run({}, "missing.onnx").exitCode == 3);
    CHECK(recorded.run({"--places", "somewhere"}).exitCode == 2);
    CHECK(recorded.run({"--weights-to", "100"}).exitCode == 2);
    CHECK(!recorded.hasWritten());
    const std::string before = test::readBytes(recorded.path("m.onnx"));
    const ProgramRun inPlace = recorded.run({}, "m.onnx", "m.onnx");
    CHECK(inPlace.exitCode == 2);
    CHECK_THAT(inPlace.errors, containsText("a model is never changed in place"));
    CHECK(test::readBytes(recorded.path("m.onnx")) == before);
    CHECK(recorded.run({}, "m.onnx", "none/q.onnx").exitCode == 4);
    const auto isPart = [](const auto& entry) {
        return entry.path().filename().string().find(".part-") != std::string::npos;
    };
    const std::filesystem::directory_iterator files(
        std::filesystem::path(recorded.path("m.onnx")).parent_path());
    CHECK(std::none_of(begin(files), end(files), isPart));
}

TEST_CASE("materialize: a model that is quantized already is refused")
{
    const Recorded recorded;
    CHECK(recorded.run({"--places", "decided"}).exitCode == 0);
    std::filesystem::rename(recorded.path("q.onnx"), recorded.path("first.onnx"));
    const ProgramRun again = recorded.run({}, "first.onnx");
    CHECK(again.exitCode == 3);
    CHECK_THAT(again.errors, containsText("first.onnx: is quantized already"));
    CHECK(!recorded.hasWritten());
}

TEST_CASE("materialize: --plan tells what would be written, and writes no model")
{
    const Recorded recorded;
    const ProgramRun run = recorded.run({"--plan", "--places", "operands"}, "m.onnx", "plan.json");
    CHECK(run.exitCode == 0);
    const DeployPlan plan = parseDeployPlan(test::readBytes(recorded.path("plan.json")), "plan");
    REQUIRE(plan.integers.size() == 2);
    CHECK(plan.integers[0].tensor == "w");
    CHECK(plan.integers[0].isWeight);
    CHECK(plan.integers[0].scales == 3);
    CHECK(plan.integers[1].tensor == "x");
    CHECK(plan.integers[1].dumpTensor == "x");
    CHECK(plan.integers[1].scale > 0.0);
    CHECK(std::ranges::count(plan.lints, "c", &Finding::subject) == 1);
    CHECK_FALSE(recorded.hasWritten());
    // What is written is what was planned.
    REQUIRE(recorded.run({"--places", "operands"}).exitCode == 0);
    CHECK(pairsIn(recorded.written()) == 1);
}

}  // namespace materialize_model_test
