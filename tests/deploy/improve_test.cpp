// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hex.h"
#include "core/deploy/improvement_file.h"
#include "core/model/model_file.h"
#include "core/model/quantize_model.h"
#include "core/report/tables/ladder_report.h"
#include "core/report/tables/layer_report.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/improved_dump.h"
#include "tests/support/loud_channel.h"
#include "tests/support/onnx_model.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace improve_test {

using namespace calibscope;
using nlohmann::json;
using test::Approx;
using test::containsText;
using test::ProgramRun;
using test::runProgram;

::onnx::ModelProto modelOf(const test::UnluckyLayer& layer)
{
    return layer.model();
}

/// The input of its model.
void writeInput(const test::UnluckyLayer& /*layer*/, test::H5File& /*file*/) {}
void writeInput(const test::LoudChannel& layer, test::H5File& file)
{
    std::vector<float> u = layer.x;
    for (float& value : u)
        value /= 2.0F;
    file.write("activations/u", {test::LoudChannel::samples, test::LoudChannel::width}, u);
    file.attribute("activations/u", "op_type", std::string("Input"));
    file.attribute("activations/u", "batch_size", std::int64_t{512});
}

/// With x made of an input by a number.
::onnx::ModelProto modelOf(const test::LoudChannel& layer)
{
    return test::OnnxGraph()
        .input("u", {0, 8})
        .floats("k", {}, {2.0F})
        .floats("w", {8, 8}, layer.w)
        .node("Mul", {"u", "k"}, {"x"})
        .node("Gemm", {"x", "w"}, {"y"})
        .with("transB", std::int64_t{1})
        .node("Relu", {"y"}, {"z"})
        .output("z", {0, 8})
        .model();
}

/// A layer, its model and a recipe in files.
template <class Layer>
class ImprovedLayer
{
public:
    ImprovedLayer()
    {
        layer.write(m_dump);
        writeInput(layer, m_dump);
        std::ofstream(path("recipe.json")) << test::unluckyRecipe;
        std::ofstream(path("m.onnx"), std::ios::binary) << modelOf(layer).SerializeAsString();
    }

    Layer layer;

    [[nodiscard]] std::string path(const std::string& name) const { return m_folder.file(name); }
    [[nodiscard]] std::string dump() const { return m_dump.path(); }
    [[nodiscard]] ProgramRun improve(std::vector<std::string> further = {}) const
    {
        return run(
            {"improve", dump(), "--recipe-file", path("recipe.json"), "-o", path("better.json")},
            std::move(further));
    }
    [[nodiscard]] ProgramRun materialize(const std::string& output,
                                         std::vector<std::string> further = {}) const
    {
        return run({"materialize", dump(), "--recipe-file", path("recipe.json"), "--onnx",
                    path("m.onnx"), "--weights-to", "127", "-o", path(output)},
                   std::move(further));
    }
    [[nodiscard]] json file() const { return json::parse(std::ifstream(path("better.json"))); }

private:
    static ProgramRun run(std::vector<std::string> arguments, std::vector<std::string> further)
    {
        arguments.insert(arguments.end(), further.begin(), further.end());
        return runProgram("calib", arguments);
    }

    test::TemporaryFolder m_folder;
    test::H5File m_dump;
};
using Improved = ImprovedLayer<test::UnluckyLayer>;

float rounded(float value, float scale)
{
    return scale * std::nearbyintf(value / scale);
}

/// Minus the mean error of an output over the even samples; 0 below twice its standard error.
double shiftByHand(const test::UnluckyLayer& layer, std::size_t to)
{
    constexpr std::size_t width = test::UnluckyLayer::width;
    constexpr double samples = test::UnluckyLayer::samples / 2;
    const float inputScale = 127.0F / 127.0F;
    float most = 0.0F;
    for (std::size_t k = 0; k < width; ++k)
        most = std::max(most, std::abs(layer.w[to * width + k]));
    const auto scale = static_cast<float>(static_cast<double>(most) / 127.0);
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t sample = 0; sample < test::UnluckyLayer::samples; sample += 2) {
        double error = 0.0;
        for (std::size_t k = 0; k < width; ++k) {
            const float x = layer.x[sample * width + k];
            const float w = layer.w[to * width + k];
            error += static_cast<double>(rounded(x, inputScale)) *
                         static_cast<double>(rounded(w, scale)) -
                     static_cast<double>(x) * static_cast<double>(w);
        }
        sum += error;
        squares += error * error;
    }
    const double mean = sum / samples;
    const double variance = (squares - samples * mean * mean) / (samples - 1.0);
    return std::abs(mean) < 2.0 * std::sqrt(variance / samples) ? 0.0 : -mean;
}

TEST_CASE("improve: the mean error of each channel, judged on the other half")
{
    const Improved improved;
    const ProgramRun run = improved.improve({"--format", "json", "--remedies", "precision,bias"});
    REQUIRE(run.exitCode == 0);
    CHECK_THAT(run.errors,
               containsText("1 of 1 layer improved: channels of 0, bias of 1; 0 stay float\n"));
    const json rows = json::parse(run.output);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0]["remedy"] == "decided");
    CHECK(rows[1]["remedy"] == "precision");
    CHECK(rows[1]["chosen"] == "no");
    const json& bias = rows[2];
    CHECK(bias["remedy"] == "bias");
    CHECK(bias["chosen"] == "yes");
    CHECK(bias["gain_db"].get<double>() > 3.0);
    CHECK(bias["gain_db"].get<double>() > bias["interval_db"].get<double>());
    CHECK(bias["gain_db"].get<double>() ==
          Approx(bias["held_out_db"].get<double>() - rows[0]["held_out_db"].get<double>()));
    CHECK(bias["overfit_db"].get<double>() ==
          Approx(bias["calibration_db"].get<double>() - rows[0]["calibration_db"].get<double>() -
                 bias["gain_db"].get<double>())
              .margin(1e-9));
    CHECK(rows[3]["remedy"] == "all");
    CHECK(rows[3]["gain_db"] == bias["gain_db"]);
    const json file = improved.file();
    CHECK(file["format"] == "calibscope improvements");
    CHECK(file["version"] == 1);
    CHECK(file["held_out"] == "alternate");
    const json& layer = file["dumps"][0]["layers"][0];
    CHECK(layer["layer"] == "y");
    CHECK(layer["remedies"] == json::array({"bias"}));
    REQUIRE(layer["bias_shift"].size() == test::UnluckyLayer::width);
    std::size_t moved = 0;
    for (std::size_t to = 0; to < test::UnluckyLayer::width; ++to) {
        const double byHand = shiftByHand(improved.layer, to);
        moved += byHand == 0.0 ? 0 : 1;
        CHECK(layer["bias_shift"][to].get<double>() == Approx(byHand).margin(1e-9));
    }
    CHECK(moved == 7);  // of one the mean error is below twice its standard error
}

TEST_CASE("improve --without: that remedy is not in the file, and the window reads the rows")
{
    const Improved improved;
    const ProgramRun run =
        improved.improve({"--format", "json", "--without", "y:bias", "--progress"});
    REQUIRE(run.exitCode == 0);
    CHECK_THAT(run.errors,
               containsText("progress: 1 of 1 layer\n") && containsText("nothing to improve"));
    CHECK(improved.file()["dumps"][0]["layers"].empty());
    const ImprovementReport report = parseImprovementRows(run.output, "calib improve");
    REQUIRE(report.layers.size() == 1);
    const LayerImprovement& layer = report.layers[0];
    CHECK(layer.decided.layer == "y");
    CHECK(layer.multiplications > 0);
    const auto bias = std::ranges::find(layer.rows, "bias", &RemedyResult::remedy);
    REQUIRE(bias != layer.rows.end());
    CHECK(*bias->gainDb > 3.0);
    CHECK_FALSE(bias->isChosen);
    CHECK(bias->notes == std::vector<std::string>{"left out as asked"});
    CHECK(improved.improve({"--without", "bias"}).exitCode == 2);
    CHECK(improved.improve({"--without", "y:luck"}).exitCode == 2);
    const ProgramRun unknown = improved.improve({"--without", "z:bias"});
    CHECK(unknown.exitCode == 0);
    CHECK_THAT(unknown.errors,
               containsText("warning: --without z: ") && containsText("no such layer"));
}

TEST_CASE("improve: without held-out samples nothing is chosen")
{
    const Improved improved;
    const ProgramRun run = improved.improve({"--held-out", "none"});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.errors, containsText("nothing to improve"));
    CHECK(improved.file()["dumps"][0]["layers"].empty());
}

TEST_CASE("materialize --improve: the layer gets the shift as its bias, in float32")
{
    const Improved improved;
    REQUIRE(improved.improve().exitCode == 0);
    const ProgramRun run =
        improved.materialize("q.onnx", {"--improve", improved.path("better.json")});
    REQUIRE(run.exitCode == 0);
    const ::onnx::ModelProto model = model::ModelFile::read(improved.path("q.onnx"))->proto();
    const json expected = improved.file()["dumps"][0]["layers"][0]["bias_shift"];
    bool found = false;
    for (const ::onnx::TensorProto& tensor : model.graph().initializer())
        if (tensor.name() == "y_bias") {
            found = true;
            REQUIRE(tensor.raw_data().size() == expected.size() * sizeof(float));
            for (std::size_t to = 0; to < expected.size(); ++to) {
                float value = 0.0F;
                std::memcpy(&value, tensor.raw_data().data() + to * sizeof(float), sizeof(float));
                CHECK(value == static_cast<float>(expected[to].get<double>()));
            }
        }
    CHECK(found);
    const auto entry = std::ranges::find_if(model.metadata_props(), [](const auto& each) {
        return each.key() == "calibscope.improved";
    });
    REQUIRE(entry != model.metadata_props().end());
    CHECK(entry->value() == R"({"y":["bias"]})");
}

TEST_CASE("improve, materialize: weights of 4 bits are rounded by their inputs")
{
    using test::LoudChannel;
    const ImprovedLayer<LoudChannel> improved;
    std::string recipe = test::unluckyRecipe;
    recipe.replace(recipe.find(R"("scheme": "symmetric-restricted")"), 0,
                   R"("settings": {"bits": "4"}, )");
    std::ofstream(improved.path("recipe.json")) << recipe;
    const ProgramRun run = improved.improve({"--format", "json", "--remedies", "rounding"});
    REQUIRE(run.exitCode == 0);
    CHECK_THAT(run.errors, containsText("channels of 0, rounding of 1, bias of 0; 0 stay float\n"));
    const json rows = json::parse(run.output);
    REQUIRE(rows.size() == 3);
    CHECK(rows[1]["remedy"] == "rounding");
    CHECK(rows[1]["chosen"] == "yes");
    CHECK(rows[1]["setting"] == "damping 0.1");
    CHECK(rows[1]["gain_db"].get<double>() > rows[1]["interval_db"].get<double>());
    CHECK_THAT(rows[1]["changes"].get<std::string>(),
               containsText(" of 64 integers not the nearest"));
    const json file = improved.file();
    CHECK(file["version"] == 3);
    const json& rounding = file["dumps"][0]["layers"][0]["rounding"];
    REQUIRE(rounding["scales"].size() == LoudChannel::width);

    const ProgramRun written =
        improved.materialize("q.onnx", {"--improve", improved.path("better.json")});
    INFO(written.errors);
    REQUIRE(written.exitCode == 0);
    const ::onnx::ModelProto model = model::ModelFile::read(improved.path("q.onnx"))->proto();
    const auto named = [&](const std::string& name) {
        const auto found = std::ranges::find_if(
            model.graph().initializer(), [&](const auto& each) { return each.name() == name; });
        REQUIRE(found != model.graph().initializer().end());
        return *found;
    };
    std::string nibbles;
    const auto digits = rounding["integers"].get<std::string>();
    for (std::size_t i = 0; i < digits.size();
         i += 4)  // the low half of each byte, the first lowest
        for (const std::size_t at : {i + 3, i + 1})
            nibbles.push_back(digits[at]);
    CHECK(hexText(named("w_quantized").raw_data()) == nibbles);
    const std::string scales = named("w_scale").raw_data();
    for (std::size_t to = 0; to < LoudChannel::width; ++to) {
        float scale = 0.0F;
        std::memcpy(&scale, scales.data() + to * sizeof(float), sizeof(float));
        CHECK(scale == rounding["scales"][to].get<float>());
    }

    // The float model has the values of these integers.
    REQUIRE(improved
                .materialize("n.onnx", {"--improve", improved.path("better.json"),
                                        "--improved-float", improved.path("f.onnx")})
                .exitCode == 0);
    const auto floats = model::ModelFile::read(improved.path("f.onnx"));
    const auto weight = std::ranges::find(floats->tensors(), "w", &model::GraphTensor::name);
    REQUIRE(weight != floats->tensors().end());
    const std::vector<float> values =
        floats->values(static_cast<std::size_t>(weight - floats->tensors().begin()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto scale = rounding["scales"][i / LoudChannel::width].get<float>();
        const auto integer =
            static_cast<signed char>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
        CHECK(values[i] == scale * static_cast<float>(integer));
    }

    json damaged = file;
    damaged["dumps"][0]["layers"][0]["rounding"]["integers"] = "01";
    std::ofstream(improved.path("damaged.json")) << damaged;
    const ProgramRun other =
        improved.materialize("n.onnx", {"--improve", improved.path("damaged.json")});
    CHECK_THAT(other.output + other.errors,
               containsText("its weight is rounded to nearest: its weight has another shape"));
}

TEST_CASE("materialize --improve: nothing chosen gives the same file, byte for byte")
{
    const Improved improved;
    REQUIRE(improved.improve({"--held-out", "none"}).exitCode == 0);
    REQUIRE(improved.materialize("plain.onnx").exitCode == 0);
    REQUIRE(
        improved.materialize("same.onnx", {"--improve", improved.path("better.json")}).exitCode ==
        0);
    CHECK(test::readBytes(improved.path("plain.onnx")) ==
          test::readBytes(improved.path("same.onnx")));
}

TEST_CASE("materialize --improve: channels are divided where the model has a constant for it")
{
    const ImprovedLayer<test::LoudChannel> improved;
    constexpr std::size_t width = test::LoudChannel::width;
    REQUIRE(
        improved.improve({"--onnx", improved.path("m.onnx"), "--remedies", "channels"}).exitCode ==
        0);
    const json channels = improved.file()["dumps"][0]["layers"][0]["channels"];
    CHECK(improved.file()["version"] == 2);
    CHECK(channels["fold"] == json::array({"k"}));
    REQUIRE(channels["factors"].size() == width);
    const ProgramRun run =
        improved.materialize("q.onnx", {"--improve", improved.path("better.json"),
                                        "--improved-float", improved.path("f.onnx")});
    REQUIRE(run.exitCode == 0);
    CHECK_THAT(run.errors, containsText("`x`: its range is computed anew from divided channels"));
    const ::onnx::ModelProto quantized = model::ModelFile::read(improved.path("q.onnx"))->proto();
    const ::onnx::ModelProto improvedFloat =
        model::ModelFile::read(improved.path("f.onnx"))->proto();
    float most = 0.0F;
    for (std::size_t sample = 0; sample < test::LoudChannel::samples; sample += 2)
        for (std::size_t channel = 0; channel < width; ++channel) {
            const float factor = channels["factors"][channel];
            most = std::max(most,
                            std::abs(improved.layer.x[sample * width + channel] * (1.0F / factor)));
        }
    REQUIRE(test::initializerValues(quantized, "x_scale").size() == 1);
    CHECK(test::initializerValues(quantized, "x_scale")[0] ==
          Approx(static_cast<double>(most) / 127.0));
    const std::vector<float> constants = test::initializerValues(quantized, "k_improved");
    REQUIRE(constants.size() == width);
    CHECK(constants == test::initializerValues(improvedFloat, "k_improved"));
    const std::vector<float> weight = test::initializerValues(improvedFloat, "w");
    REQUIRE(weight.size() == width * width);
    for (std::size_t to = 0; to < width; ++to) {
        float largest = 0.0F;
        for (std::size_t channel = 0; channel < width; ++channel) {
            const float factor = channels["factors"][channel];
            CHECK(constants[channel] == 2.0F * (1.0F / factor));
            CHECK(weight[to * width + channel] == improved.layer.w[to * width + channel] * factor);
            largest = std::max(largest, std::abs(weight[to * width + channel]));
        }
        CHECK(test::initializerValues(quantized, "w_scale")[to] ==
              Approx(static_cast<double>(largest) / 127.0));
    }
    const auto entry = std::ranges::find_if(quantized.metadata_props(), [](const auto& each) {
        return each.key() == "calibscope.factors";
    });
    REQUIRE(entry != quantized.metadata_props().end());
    CHECK(json::parse(entry->value())["layers"][0]["factors"] == channels["factors"]);
}

TEST_CASE(
    "materialize --improve: without such a constant a Mul in front of the layer, if asked for")
{
    const ImprovedLayer<test::LoudChannel> improved;
    // x is made of u by what keeps no factors.
    std::ofstream(improved.path("m.onnx"), std::ios::binary)
        << test::OnnxGraph()
               .input("u", {0, 8})
               .floats("w", {8, 8}, improved.layer.w)
               .node("Sigmoid", {"u"}, {"x"})
               .node("Gemm", {"x", "w"}, {"y"})
               .with("transB", std::int64_t{1})
               .output("y", {0, 8})
               .model()
               .SerializeAsString();
    const std::vector<std::string> plain{"--onnx", improved.path("m.onnx"), "--remedies",
                                         "channels"};
    REQUIRE(improved.improve(plain).exitCode == 0);
    CHECK(improved.file()["dumps"][0]["layers"].empty());
    std::vector<std::string> inserting = plain;
    inserting.emplace_back("--insert-mul");
    REQUIRE(improved.improve(inserting).exitCode == 0);
    CHECK(improved.file()["version"] == 4);
    const json channels = improved.file()["dumps"][0]["layers"][0]["channels"];
    CHECK(channels["fold"].empty());
    CHECK(channels["multiplications_of_mul"] == 8);
    REQUIRE(improved.materialize("q.onnx", {"--improve", improved.path("better.json")}).exitCode ==
            0);
    const auto written = model::ModelFile::read(improved.path("q.onnx"));
    const auto& nodes = written->proto().graph().node();
    const auto mul = std::ranges::find(nodes, "Mul", &::onnx::NodeProto::op_type);
    REQUIRE(mul != nodes.end());
    CHECK(mul->output(0) == "x");
    const std::vector<float> constants = test::initializerValues(written->proto(), "x_factors");
    REQUIRE(constants.size() == channels["factors"].size());
    for (std::size_t channel = 0; channel < constants.size(); ++channel)
        CHECK(constants[channel] == 1.0F / channels["factors"][channel].get<float>());
    CHECK_THAT(model::metadataOf(*written, "calibscope.factors"),
               containsText("\"takes_mul\":true"));
}

TEST_CASE("materialize --improve: factors that the model can't take are left out, with an error")
{
    const ImprovedLayer<test::LoudChannel> improved;
    REQUIRE(
        improved.improve({"--onnx", improved.path("m.onnx"), "--remedies", "channels"}).exitCode ==
        0);
    ::onnx::ModelProto other = modelOf(improved.layer);
    other.mutable_graph()->mutable_node(0)->set_op_type("Pow");
    std::ofstream(improved.path("m.onnx"), std::ios::binary) << other.SerializeAsString();
    REQUIRE(improved.materialize("plain.onnx").exitCode == 0);
    const ProgramRun run =
        improved.materialize("q.onnx", {"--improve", improved.path("better.json")});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.errors, containsText("error: `y`: the channels of its input are not divided: "
                                        "`x_node`, a Pow, does not keep factors"));
    const ::onnx::ModelProto written = model::ModelFile::read(improved.path("q.onnx"))->proto();
    const ::onnx::ModelProto plain = model::ModelFile::read(improved.path("plain.onnx"))->proto();
    CHECK(written.graph().SerializeAsString() == plain.graph().SerializeAsString());
    for (const auto& entry : written.metadata_props())
        CHECK(entry.key() != "calibscope.factors");
}

const std::string anyFakeRunner = std::string(CALIBSCOPE_PROGRAM_DIR) + "/fake_runner ";
const std::string fakeRunner = anyFakeRunner + "agree";

/// Of u: what the fake runner makes of it, against what it adds.
double byHand(const ImprovedLayer<test::LoudChannel>& improved, bool heldOut)
{
    double signal = 0.0;
    double noise = 0.0;
    for (std::size_t i = 0; i < improved.layer.x.size(); ++i) {
        if (heldOut && i / test::LoudChannel::width % 2 == 0)
            continue;
        const double u = static_cast<double>(improved.layer.x[i]) / 2.0;
        signal += u * u;
        noise += 0.125 * 0.125;
    }
    return 10.0 * std::log10(signal / noise);
}

TEST_CASE("check: tensors whose channels are divided are compared as the quantized model has them")
{
    const ImprovedLayer<test::LoudChannel> improved;
    REQUIRE(
        improved.improve({"--onnx", improved.path("m.onnx"), "--remedies", "channels"}).exitCode ==
        0);
    REQUIRE(improved
                .materialize("q.onnx",
                             {"--improve", improved.path("better.json"), "--places", "operands"})
                .exitCode == 0);
    const json channels = improved.file()["dumps"][0]["layers"][0]["channels"];
    const ProgramRun run =
        runProgram("calib", {"check", improved.path("m.onnx"), improved.path("q.onnx"),
                             improved.dump(), "--runner", fakeRunner, "--format", "json"});
    CAPTURE(run.errors);
    REQUIRE(run.exitCode == 0);
    // x is the second output of the fake float model, 2 u, and 2 u + 1/4 of the quantized one.
    double signal = 0.0;
    double noise = 0.0;
    for (std::size_t i = 0; i < improved.layer.x.size(); ++i) {
        const double x = static_cast<double>(improved.layer.x[i]);
        const double divided = x / channels["factors"][i % test::LoudChannel::width].get<double>();
        signal += divided * divided;
        noise += (x + 0.25 - divided) * (x + 0.25 - divided);
    }
    bool found = false;
    const json report = json::parse(run.output);
    for (const json& tensor : report["tensors"])
        if (tensor["tensor"] == "x") {
            found = true;
            CHECK(tensor["running_db"].get<double>() ==
                  Approx(10.0 * std::log10(signal / noise)).epsilon(1e-5));
            CHECK(tensor["own_db"].get<double>() > 35.0);  // 20 without factors' scale
        } else if (tensor["tensor"] == "w")
            CHECK(tensor["own_db"].get<double>() > 35.0);
    CHECK(found);
}

TEST_CASE("improve --ladder: each remedy's model is run, and judged on the samples held out")
{
    const ImprovedLayer<test::LoudChannel> improved;
    const std::vector<std::string> words{"improve",
                                         improved.dump(),
                                         "--recipe-file",
                                         improved.path("recipe.json"),
                                         "--onnx",
                                         improved.path("m.onnx"),
                                         "--ladder",
                                         "--runner",
                                         fakeRunner,
                                         "--format",
                                         "json",
                                         "-o",
                                         improved.path("better.onnx")};
    const ProgramRun run = runProgram("calib", words);
    CAPTURE(run.errors);
    REQUIRE(run.exitCode == 0);
    const json rows = json::parse(run.output);
    REQUIRE(rows.size() >= 3);
    CHECK(rows[0]["step"] == "decided");
    CHECK(rows[0]["pooled_db"].get<double>() == Approx(byHand(improved, true)));
    CHECK(std::abs(byHand(improved, true) - byHand(improved, false)) > 1e-3);
    CHECK(rows[0]["samples"] == test::LoudChannel::samples / 2);
    CHECK(rows[1]["step"] == "+ precision");
    CHECK(rows[1]["accepted"] == "no");
    CHECK(rows[1]["notes"] == "chosen for no layer");
    CHECK(rows[2]["step"] == "+ channels");
    CHECK(rows[2]["accepted"] == "yes");
    CHECK(rows[2]["gain_db"] == 0.0);  // the fake runner adds the same to every model
    const std::vector<LadderRung> rungs = parseLadderRows(run.output, "calib improve");
    REQUIRE(rungs.size() == rows.size());
    CHECK_FALSE(rungs[1].figures);
    CHECK(rungs[1].note == "chosen for no layer");
    CHECK(rungs[2].isAccepted);
    CHECK(rungs[2].figures->pooledDb == rows[2]["pooled_db"].get<double>());
    CHECK(rungs[2].gain->pooled.gainDb == 0.0);
    CHECK(rungs[2].remedies == std::vector<std::string>{"channels"});
    CHECK_THAT(run.errors, containsText("1 layer has the channels of its input divided"));
    CHECK_THAT(run.errors, containsText("Tried and dropped: precision: chosen for no layer"));
    const ::onnx::ModelProto written =
        model::ModelFile::read(improved.path("better.onnx"))->proto();
    CHECK(test::initializerValues(written, "k_improved").size() == test::LoudChannel::width);
    const auto failed = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"improve", improved.dump(), "--recipe-file",
                                             improved.path("recipe.json"), "--ladder"});
        return runProgram("calib", arguments).exitCode;
    };
    CHECK(failed({"--runner", fakeRunner}) == 2);
    CHECK(failed({"--onnx", improved.path("m.onnx"), "--held-out", "none", "--runner",
                  fakeRunner}) == 2);
    CHECK(failed({"--onnx", improved.path("m.onnx"), "--runner", "false"}) == 5);
    // Names are checked before a model is run.
    for (const std::vector<std::string>& unknown :
         {std::vector<std::string>{"--layer", "none"}, {"--without", "none:bias"}}) {
        std::vector<std::string> arguments{"--onnx", improved.path("m.onnx"), "--runner", "false"};
        arguments.insert(arguments.end(), unknown.begin(), unknown.end());
        CHECK(failed(arguments) == 2);
    }
    std::vector<std::string> twice = words;
    twice.insert(twice.begin() + 2, {"--recipe-file", improved.path("recipe.json")});
    const ProgramRun once = runProgram("calib", twice);
    CAPTURE(once.errors);
    REQUIRE(once.exitCode == 0);
    CHECK(json::parse(once.output) == rows);
}

TEST_CASE("improve --ladder: a remedy that lowers the network's output is off")
{
    const ImprovedLayer<test::LoudChannel> improved;
    const ProgramRun run =
        improved.improve({"--onnx", improved.path("m.onnx"), "--ladder", "--remedies", "channels",
                          "--runner", anyFakeRunner + "worse", "--format", "json"});
    CAPTURE(run.errors);
    REQUIRE(run.exitCode == 0);
    const json rows = json::parse(run.output);
    REQUIRE(rows.size() == 2);
    // Twice the difference: 20 log10(2) less, on whichever samples.
    for (const char* column : {"gain_db", "low_db", "high_db", "median_gain_db"})
        CHECK(rows[1][column].get<double>() == Approx(-20.0 * std::log10(2.0)));
    CHECK(rows[1]["accepted"] == "no");
    CHECK(rows[1]["notes"] == "off: lower by more than its interval");
    CHECK_THAT(run.errors, containsText("at the baseline (decisions as they are), and no remedy "
                                        "raises it. Done: nothing. Tried "
                                        "and dropped: channels: -6 dB"));
    CHECK(improved.file()["dumps"][0]["layers"].empty());
}

TEST_CASE("materialize --improve: other decisions, dumps and files are refused")
{
    const Improved improved;
    REQUIRE(improved.improve().exitCode == 0);
    const std::vector<std::string> with{"--improve", improved.path("better.json")};
    std::string other = test::unluckyRecipe;
    other.replace(other.find("symmetric-full"), 14, "affine");
    std::ofstream(improved.path("recipe.json")) << other;
    const ProgramRun decided = improved.materialize("q.onnx", with);
    CHECK(decided.exitCode == 3);
    CHECK_THAT(decided.errors, containsText("made for other decisions; run `calib improve` again"));
    json file = improved.file();
    file["dumps"][0]["sha256"] = std::string(64, '0');
    std::ofstream(improved.path("better.json")) << file;
    CHECK_THAT(improved.materialize("q.onnx", with).errors,
               containsText("made for another dump; run `calib improve` again"));
    std::ofstream(improved.path("better.json")) << R"({"format": "calibscope session"})";
    CHECK_THAT(improved.materialize("q.onnx", with).errors,
               containsText("is not a file of calib improve"));
    CHECK_FALSE(std::filesystem::exists(improved.path("q.onnx")));
    CHECK(runProgram("calib",
                     {"materialize", improved.dump(), "--recipe-file", improved.path("recipe.json"),
                      "-o", improved.path("q.h5"), "--improve", improved.path("better.json")})
              .exitCode == 2);
}

}  // namespace improve_test
