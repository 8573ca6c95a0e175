// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder of calib improve with several calibrators to begin with and with sequential biases, of two linear
// layers that a runner of the tests runs (tests/support/fake_runner.cpp, mode "linear").
#include "core/model/model_file.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/improved_dump.h"
#include "tests/support/onnx_graph.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/two_columns.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace sequential_bias_test {

using namespace calibscope;
using nlohmann::json;
using test::Approx;
using test::containsText;
using test::floatsOf;
using test::Matrix;
using test::product;
using test::ProgramRun;
using test::rounded;

constexpr std::size_t samples = 160;
const Matrix w1{0.5, -0.3, 0.21, 0.9};
const Matrix w2{0.31, 0.72, -0.64, 0.15};

/// Most of it lies between levels of its scale, so that rounding moves the mean of every channel.
Matrix input()
{
    Matrix x;
    for (std::size_t i = 0; i < 2 * samples; ++i)
        x.push_back(static_cast<double>(
            i == 3 ? 127.0F
                   : static_cast<float>((i * 7 % 3 == 0 ? 20.4 : 5.3) +
                                        0.05 * std::sin(1.37 * static_cast<double>(i)))));
    return x;
}

/// Minus the mean error over the even samples; 0 below twice its standard error.
Matrix shiftOf(const Matrix& quantized, const Matrix& reference)
{
    Matrix shift;
    for (std::size_t column = 0; column < 2; ++column) {
        const double count = samples / 2;
        double sum = 0.0;
        double squares = 0.0;
        for (std::size_t row = 0; row < samples; row += 2) {
            const double error = quantized[2 * row + column] - reference[2 * row + column];
            sum += error;
            squares += error * error;
        }
        const double mean = sum / count;
        const double variance = (squares - count * mean * mean) / (count - 1.0);
        shift.push_back(std::abs(mean) < 2.0 * std::sqrt(variance / count) ? 0.0 : -mean);
    }
    return shift;
}

Matrix plus(Matrix values, const Matrix& shift)
{
    for (std::size_t index = 0; index < values.size(); ++index)
        values[index] += shift[index % 2];
    return values;
}

/// The end's SQNR over the samples that judge.
double heldOutDb(const Matrix& quantized, const Matrix& reference)
{
    double signal = 0.0;
    double noise = 0.0;
    for (std::size_t index = 0; index < reference.size(); ++index)
        if (index / 2 % 2 == 1) {
            signal += reference[index] * reference[index];
            noise += (quantized[index] - reference[index]) * (quantized[index] - reference[index]);
        }
    return 10.0 * std::log10(signal / noise);
}

/// x w1 = a, a w2 = b.
class TwoLayers
{
public:
    TwoLayers()
    {
        const auto write = [&](const std::string& name, const Matrix& values) {
            m_dump.write("activations/" + name, {samples, 2}, floatsOf(values));
            m_dump.attribute("activations/" + name, "batch_size", std::int64_t{samples / 2});
        };
        const auto isMadeBy = [&](const std::string& name, std::vector<std::string> inputs) {
            m_dump.attribute("activations/" + name, "op_type", std::string("MatMul"));
            m_dump.attribute("activations/" + name, "inputs", std::move(inputs));
        };
        write("x", x);
        m_dump.attribute("activations/x", "op_type", std::string("Input"));
        write("a", a);
        isMadeBy("a", {"x", "w1"});
        write("b", b);
        isMadeBy("b", {"a", "w2"});
        for (const auto& [name, values] : {std::pair{"w1", w1}, {"w2", w2}}) {
            const std::string path = std::string("weights/") + name;
            m_dump.write(path, {2, 2}, floatsOf(values));
            m_dump.attribute(path, "op_type", std::string("MatMul"));
            m_dump.attribute(path, "channel_axis", std::int64_t{1});
        }
        std::ofstream(path("recipe.json")) << test::unluckyRecipe;
        const ::onnx::ModelProto model = test::OnnxGraph()
                                             .input("x", {0, 2})
                                             .floats("w1", {2, 2}, floatsOf(w1))
                                             .floats("w2", {2, 2}, floatsOf(w2))
                                             .node("MatMul", {"x", "w1"}, {"a"})
                                             .node("MatMul", {"a", "w2"}, {"b"})
                                             .output("b", {0, 2})
                                             .model();
        std::ofstream(path("m.onnx"), std::ios::binary) << model.SerializeAsString();
    }

    const Matrix x = input();
    const Matrix a = product(x, w1);
    const Matrix b = product(a, w2);

    [[nodiscard]] std::string path(const std::string& name) const { return m_folder.file(name); }

    [[nodiscard]] ProgramRun ladder(const std::string& mode, std::vector<std::string> further) const
    {
        std::vector<std::string> words{
            "improve",  m_dump.path(),
            "--onnx",   path("m.onnx"),
            "--runner", std::string(CALIBSCOPE_PROGRAM_DIR) + "/fake_runner " + mode,
            "--places", "operands",
            "--format", "json"};
        if (std::ranges::find(further, "-o") == further.end())
            words.insert(words.end(), {"-o", path("q.onnx")});
        words.insert(words.end(), further.begin(), further.end());
        return test::runProgram("calib", words);
    }

    [[nodiscard]] std::vector<float> written(const std::string& constant) const
    {
        return test::initializerValues(model::ModelFile::read(path("q.onnx"))->proto(), constant);
    }

private:
    test::TemporaryFolder m_folder;
    test::H5File m_dump;
};

TEST_CASE("improve --sequential: a layer's shift takes away what those before it leave")
{
    const TwoLayers layers;
    const ProgramRun run = layers.ladder("linear", {"--recipe-file", layers.path("recipe.json"),
                                                    "--remedies", "precision", "--sequential"});
    CAPTURE(run.errors);
    REQUIRE(run.exitCode == 0);
    const Matrix first = product(rounded(layers.x, layers.x, false), rounded(w1, w1, true));
    const Matrix firstShift = shiftOf(first, layers.a);
    const auto second = [&](const Matrix& a) {
        return product(rounded(a, layers.a, false), rounded(w2, w2, true));
    };
    const Matrix secondShift = shiftOf(second(plus(first, firstShift)), layers.b);
    CHECK(std::ranges::count(firstShift, 0.0) < 2);
    CHECK(std::ranges::count(secondShift, 0.0) < 2);
    // The shift from recorded operands differs.
    const Matrix local = shiftOf(second(layers.a), layers.b);
    CHECK(std::abs(local[0] - secondShift[0]) + std::abs(local[1] - secondShift[1]) > 1e-3);
    const std::vector<float> ofA = layers.written("a_shift");
    const std::vector<float> ofB = layers.written("b_shift");
    REQUIRE(ofA.size() == 2);
    REQUIRE(ofB.size() == 2);
    // Sums of float32 values of up to 150: 1e-5 of these.
    for (std::size_t column = 0; column < 2; ++column) {
        CHECK(static_cast<double>(ofA[column]) == Approx(firstShift[column]).margin(1e-4));
        CHECK(static_cast<double>(ofB[column]) == Approx(secondShift[column]).margin(1e-4));
    }
    const json rows = json::parse(run.output);
    const json& last = rows.back();
    CHECK(last["step"] == "+ sequential bias");
    CHECK(last["remedies"] == "sequential bias");
    CHECK(last["accepted"] == "yes");
    const double before = heldOutDb(second(first), layers.b);
    const double after = heldOutDb(plus(second(plus(first, firstShift)), secondShift), layers.b);
    CHECK(rows[0]["pooled_db"].get<double>() == Approx(before).margin(0.01));
    CHECK(last["pooled_db"].get<double>() == Approx(after).margin(0.01));
    CHECK(last["gain_db"].get<double>() == Approx(after - before).margin(0.01));
    CHECK(after - before > 1.0);
}

TEST_CASE("improve --sequential: shifts that do not help are not written")
{
    const TwoLayers layers;
    const ProgramRun run =
        layers.ladder("linear-no-add", {"--recipe-file", layers.path("recipe.json"), "--remedies",
                                        "precision", "--sequential"});
    CAPTURE(run.errors);
    REQUIRE(run.exitCode == 0);
    const json last = json::parse(run.output).back();
    CHECK(last["step"] == "+ sequential bias");
    CHECK(last["accepted"] == "no");
    CHECK(last["notes"] == "off: no gain of 0.1 dB");
    CHECK(layers.written("a_shift").empty());
}

TEST_CASE("improve --sequential: layers with --without keep their biases, and it asks for a ladder")
{
    const TwoLayers layers;
    const std::vector<std::string> recipe{"--recipe-file", layers.path("recipe.json"), "--remedies",
                                          "precision"};
    std::vector<std::string> words = recipe;
    words.insert(words.end(), {"--sequential", "--without", "a:bias"});
    const ProgramRun run = layers.ladder("linear", words);
    CAPTURE(run.errors);
    REQUIRE(run.exitCode == 0);
    CHECK(layers.written("a_shift").empty());
    CHECK(layers.written("b_shift").size() == 2);
    words = recipe;
    words.insert(words.end(), {"--sequential", "-o", layers.path("i.json")});
    CHECK(layers.ladder("linear", words).exitCode == 2);
}

TEST_CASE("improve: of several calibrators the best on the calibrating samples begins the ladder")
{
    const TwoLayers layers;
    const ProgramRun run =
        layers.ladder("linear", {"--calibrator", "percentile:alpha=90", "--calibrator", "min-max",
                                 "--recipe", "google-tpu", "--remedies", "precision"});
    CAPTURE(run.errors);
    REQUIRE(run.exitCode == 0);
    const json rows = json::parse(run.output);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0]["step"] == "--recipe google-tpu");
    CHECK(rows[0]["accepted"] == "no");
    CHECK(rows[0]["notes"] == "off: leaves 2 tensors more in float");
    CHECK(rows[1]["step"] == "--calibrator percentile:alpha=90");
    CHECK(rows[1]["accepted"] == "no");
    CHECK_THAT(rows[1]["notes"].get<std::string>(),
               containsText(" dB on the samples that calibrate"));
    CHECK(rows[2]["step"] == "--calibrator min-max");
    CHECK(rows[2]["accepted"] == "yes");
    const Matrix first = product(rounded(layers.x, layers.x, false), rounded(w1, w1, true));
    const Matrix second = product(rounded(first, layers.a, false), rounded(w2, w2, true));
    CHECK(rows[2]["pooled_db"].get<double>() == Approx(heldOutDb(second, layers.b)).margin(0.01));
    CHECK(rows[1]["pooled_db"].get<double>() < rows[2]["pooled_db"].get<double>());
    CHECK_THAT(run.errors, containsText("with --recipe google-tpu") &&
                               containsText("the best on the other samples is that with "
                                            "--calibrator min-max"));
}

TEST_CASE("improve: without any scales recipes of affine activations are compared")
{
    const TwoLayers layers;
    const ProgramRun run = layers.ladder("linear", {"--remedies", "precision"});
    CAPTURE(run.errors);
    REQUIRE(run.exitCode == 0);
    const json rows = json::parse(run.output);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0]["step"] == "--recipe tflite-int8");
    CHECK(rows[1]["step"] == "--recipe qualcomm-percentile");
    CHECK(rows[2]["step"] == "--recipe qualcomm-mse");
    CHECK(std::ranges::count(rows, json("yes"), [](const json& row) { return row["accepted"]; }) ==
          1);
}

}  // namespace sequential_bias_test
