// SPDX-License-Identifier: GPL-3.0-or-later
// calib improve --end, with three linear layers that a runner of the tests runs
// (tests/support/fake_runner.cpp, mode "linear").
#include "core/model/model_file.h"
#include "core/model/model_layers.h"
#include "core/report/tables/end_report.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
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
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace end_test {

using namespace calibscope;
using nlohmann::json;
using test::Approx;
using test::containsText;
using test::floatsOf;
using test::Matrix;
using test::product;
using test::ProgramRun;
using test::rounded;

constexpr std::size_t samples = 6;
const Matrix x{1.0, -0.52, 0.3, 0.77, -0.21, 0.9, 0.05, -0.95, 0.61, 0.13, -0.44, 0.58};
const Matrix w1{0.5, -0.3, 0.21, 0.9};
const Matrix w2{0.0, 127.0, 127.0, 0.0};  // integers of 1: quantizing it changes nothing
const Matrix w3{0.01, 0.0033, -0.0071, 0.02};

/// The three layers with some of their operands in int8.
Matrix endWith(const std::vector<std::string>& quantized)
{
    const auto of = [&](const std::string& name, const Matrix& values, const Matrix& recorded) {
        const bool isQuantized = std::ranges::find(quantized, name) != quantized.end();
        return isQuantized ? rounded(values, recorded, name.starts_with("w")) : values;
    };
    const Matrix recorded = product(x, w1);
    const Matrix a = product(of("x", x, x), of("w1", w1, w1));
    const Matrix b = product(of("a", a, recorded), of("w2", w2, w2));
    return product(of("b", b, product(recorded, w2)), of("w3", w3, w3));
}

double powerOf(const std::string& operand)
{
    const Matrix reference = endWith({});
    const Matrix other = endWith({operand});
    double sum = 0.0;
    for (std::size_t index = 0; index < reference.size(); ++index)
        sum += (other[index] - reference[index]) * (other[index] - reference[index]);
    return sum;
}

double signal()
{
    double sum = 0.0;
    for (const double value : endWith({}))
        sum += value * value;
    return sum;
}

class ThreeLayers
{
public:
    ThreeLayers()
    {
        const auto write = [&](const std::string& name, const Matrix& values) {
            m_dump.write("activations/" + name, {samples, 2}, floatsOf(values));
            m_dump.attribute("activations/" + name, "batch_size", std::int64_t{samples});
        };
        write("x", x);
        m_dump.attribute("activations/x", "op_type", std::string("Input"));
        write("a", product(x, w1));
        write("b", product(product(x, w1), w2));
        for (const auto& [name, values] : {std::pair{"w1", w1}, {"w2", w2}, {"w3", w3}}) {
            const std::string path = std::string("weights/") + name;
            m_dump.write(path, {2, 2}, floatsOf(values));
            m_dump.attribute(path, "op_type", std::string("MatMul"));
            m_dump.attribute(path, "channel_axis", std::int64_t{1});
        }
        std::ofstream(path("recipe.json")) << test::unluckyRecipe;
        writeModel({"y"});
    }

    [[nodiscard]] std::string path(const std::string& name) const { return m_folder.file(name); }

    void writeModel(const std::vector<std::string>& outputs) const
    {
        test::OnnxGraph graph;
        graph.input("x", {0, 2})
            .floats("w1", {2, 2}, floatsOf(w1))
            .floats("w2", {2, 2}, floatsOf(w2))
            .floats("w3", {2, 2}, floatsOf(w3))
            .node("MatMul", {"x", "w1"}, {"a"})
            .node("MatMul", {"a", "w2"}, {"b"})
            .node("MatMul", {"b", "w3"}, {"c"})
            .node("Sigmoid", {"c"}, {"y"});
        for (const std::string& output : outputs)
            graph.output(output, {0, 2});
        std::ofstream(path("m.onnx"), std::ios::binary) << graph.model().SerializeAsString();
    }

    /// Has activations decided by another scheme from now on.
    void decideAffine() const
    {
        std::string recipe = test::unluckyRecipe;
        recipe.replace(recipe.find("symmetric-full"), std::string("symmetric-full").size(),
                       "affine");
        std::ofstream(path("recipe.json")) << recipe;
    }

    [[nodiscard]] ProgramRun run(std::vector<std::string> further,
                                 const std::string& mode = "linear",
                                 const std::string& end = "end.json") const
    {
        const std::string runner =
            mode == "false" ? mode : std::string(CALIBSCOPE_PROGRAM_DIR) + "/fake_runner " + mode;
        std::vector<std::string> words{
            "improve",      m_dump.path(), "--recipe-file", path("recipe.json"), "--onnx",
            path("m.onnx"), "--runner",    runner,          "--format",          "json"};
        if (!end.empty())
            words.insert(words.end(), {"--end", path(end)});
        words.insert(words.end(), further.begin(), further.end());
        return test::runProgram("calib", words);
    }

private:
    test::TemporaryFolder m_folder;
    test::H5File m_dump;
};

json rowOf(const json& rows, const std::string& tensor)
{
    for (const json& row : rows)
        if (row["tensor"] == tensor && row["state"] != "other choice")
            return row;
    FAIL("there is no row of " << tensor);
    return {};
}

TEST_CASE("improve --end: each operand's noise at the end, alone and ranked")
{
    const ThreeLayers layers;
    const ProgramRun run = layers.run({});
    CAPTURE(run.errors);
    REQUIRE(run.exitCode == 0);
    const json rows = json::parse(run.output);
    REQUIRE(rows.size() == 6);
    double sum = 0.0;
    for (const char* operand : {"x", "a", "b", "w1", "w2", "w3"})
        sum += powerOf(operand);
    double before = std::numeric_limits<double>::infinity();
    double cumulative = 0.0;
    for (const json& row : rows) {
        const std::string tensor = row["tensor"];
        const double power = powerOf(tensor);
        CAPTURE(tensor, power);
        CHECK(row["kind"] == (tensor.starts_with("w") ? "weight" : "input"));
        CHECK(row["state"] == "measured");
        CHECK(power <= before);
        before = power;
        cumulative += power;
        if (tensor == "w2") {
            CHECK(row["alone_db"] == "inf");  // a layer without noise
            CHECK(row["share"] == 0.0);
        } else {
            CHECK(row["alone_db"].get<double>() ==
                  Approx(10.0 * std::log10(signal() / power)).margin(0.001));
            CHECK(row["share"].get<double>() == Approx(100.0 * power / sum).epsilon(1e-3));
            CHECK(row["change_db"].get<double>() ==
                  Approx(10.0 * std::log10(sum / (sum - power))).margin(0.001));
        }
        CHECK(row["cumulative_db"].get<double>() ==
              Approx(10.0 * std::log10(signal() / cumulative)).margin(0.001));
        CHECK(row["multiplications"] == 4.0);
    }
    CHECK(rowOf(rows, "a")["layers"] == "b");
    CHECK(rowOf(rows, "w3")["layers"] == "c");
    CHECK_THAT(run.errors, containsText("ranked by the noise at `c` with that operand alone"));
}

TEST_CASE("improve --end: what follows a layer is run alone, with the figures of whole models")
{
    const ThreeLayers layers;
    const ProgramRun cut = layers.run({"--progress"}, "linear", "cut.json");
    CAPTURE(cut.errors);
    REQUIRE(cut.exitCode == 0);
    CHECK_THAT(cut.errors,
               containsText("what follows layers: 3 of 3"));  // one job for both operands
    CHECK_THAT(cut.errors, containsText("models 1 to 6 of 6"));
    const ProgramRun whole = layers.run({"--progress"}, "linear-no-cut", "whole.json");
    REQUIRE(whole.exitCode == 0);
    CHECK_THAT(whole.errors, containsText("draw 6 of 6"));
    CHECK_THAT(whole.errors, !containsText("was not measured"));
    CHECK(cut.output == whole.output);
    CHECK(test::readBytes(layers.path("cut.json")) == test::readBytes(layers.path("whole.json")));
}

TEST_CASE("improve --end: what is measured stays, and is not run again")
{
    const ThreeLayers layers;
    const ProgramRun part = layers.run({}, "linear-no-draw");
    CAPTURE(part.errors);
    REQUIRE(part.exitCode == 0);
    CHECK_THAT(part.errors, containsText("a model was not measured"));
    CHECK_THAT(part.errors, containsText("is not measured with this choice: it is not in the sum"));
    const json lacking = json::parse(part.output);
    CHECK(std::ranges::count(lacking, "not measured",
                             [](const json& row) { return row["state"]; }) == 1);
    CHECK(lacking.back()["state"] == "not measured");
    CHECK(!lacking.back().contains("alone_db"));
    CHECK_THAT(lacking.back()["notes"].get<std::string>(), containsText("no kernel for draws"));
    const ProgramRun whole = layers.run({});
    REQUIRE(whole.exitCode == 0);
    CHECK(json::parse(whole.output).back()["state"] == "measured");
    const std::string kept = test::readBytes(layers.path("end.json"));
    const ProgramRun again = layers.run({}, "false");
    CHECK(again.exitCode == 0);
    CHECK(again.output == whole.output);
    CHECK(test::readBytes(layers.path("end.json")) == kept);
    const ProgramRun stopped = layers.run({"--draws", "1", "--runner-timeout", "1"}, "hang");
    CHECK(stopped.exitCode == 5);
    CHECK(test::readBytes(layers.path("end.json")) == kept);
}

TEST_CASE("improve --end --adjoint: in a linear model gradients give what a run would")
{
    const ThreeLayers layers;
    REQUIRE(layers.run({}).exitCode == 0);
    layers.decideAffine();
    const ProgramRun adjoint = layers.run({"--adjoint", "--progress"});
    CAPTURE(adjoint.errors);
    REQUIRE(adjoint.exitCode == 0);
    CHECK_THAT(adjoint.errors, containsText("the way back: 2 of 2"));  // the end has two values
    CHECK_THAT(adjoint.errors, !containsText("what follows layers"));
    const ProgramRun whole = layers.run({}, "linear", "affine.json");
    REQUIRE(whole.exitCode == 0);
    const json measured = json::parse(whole.output);
    for (const json& row : json::parse(adjoint.output)) {
        if (row["state"] == "other choice")
            continue;
        const std::string tensor = row["tensor"];
        CAPTURE(tensor);
        CHECK(row["state"] == (tensor.starts_with("w") ? "measured" : "adjoint times measured"));
        if (tensor != "w2")
            CHECK(row["alone_db"].get<double>() ==
                  Approx(rowOf(measured, tensor)["alone_db"].get<double>()).margin(0.001));
    }
    CHECK(layers.run({"--known"}, "false").output == adjoint.output);
    CHECK(layers.run({"--adjoint"}, "false").output ==
          adjoint.output);  // nothing is left to be run
    CHECK_THAT(layers.run({"--adjoint", "--predict"}).errors, containsText("leave out --predict"));
}

TEST_CASE("improve --end --within: further choices of the operands that bring most noise")
{
    const ThreeLayers layers;
    const ProgramRun first = layers.run({});
    REQUIRE(first.exitCode == 0);
    std::vector<std::string> inputs;  // weights have the same choice in both
    double share = 0.0;
    for (const json& row : json::parse(first.output)) {
        if (share < 80.0 && row["kind"] == "input")
            inputs.push_back(row["tensor"]);
        share += row["share"].get<double>();
    }
    layers.decideAffine();
    const ProgramRun second = layers.run({"--within", "80"});
    CAPTURE(second.errors);
    REQUIRE(second.exitCode == 0);
    REQUIRE(!inputs.empty());
    std::size_t notMeasured = 0;
    for (const json& row : json::parse(second.output)) {
        const std::string tensor = row["tensor"];
        CAPTURE(tensor);
        if (row["state"] == "not measured")
            ++notMeasured;
        else if (row["state"] == "measured" && row["kind"] == "input")
            CHECK(std::ranges::find(inputs, tensor) != inputs.end());
    }
    CHECK(notMeasured == 3 - inputs.size());
    const ProgramRun all = layers.run({});
    CHECK(std::ranges::count(json::parse(all.output), "other choice",
                             [](const json& row) { return row["state"]; }) == 3);
}

TEST_CASE("improve --end: a file of another model or other samples is refused")
{
    const ThreeLayers layers;
    REQUIRE(layers.run({}).exitCode == 0);
    const ProgramRun fewer = layers.run({"--samples", "2"});
    CHECK(fewer.exitCode == 3);
    CHECK_THAT(fewer.errors, containsText("measured with another number of samples"));
    std::ofstream(layers.path("m.onnx"), std::ios::binary | std::ios::app)
        << std::string("\x12\0", 2);
    const ProgramRun changed = layers.run({}, "false");
    CHECK(changed.exitCode == 3);
    CHECK_THAT(changed.errors, containsText("measured with another model"));
    std::ofstream(layers.path("end.json")) << "{\"format\": \"other\"}";
    CHECK_THAT(layers.run({}, "false").errors,
               containsText("is not a file of calib improve --end"));
    CHECK(layers.run({"--ladder"}).exitCode == 2);
    CHECK(layers.run({"-o", layers.path("end.json")}).exitCode == 2);
    CHECK(layers.run({"--predict"}, "false", "").exitCode == 2);
    for (const std::vector<std::string>& other : {std::vector<std::string>{"--layer", "b"},
                                                  {"--without", "b:bias"},
                                                  {"--remedies", "bias"},
                                                  {"--held-out", "last-half"},
                                                  {"--places", "decided"},
                                                  {"--insert-mul"},
                                                  {"--sequential"}}) {
        const ProgramRun refused = layers.run(other);
        CHECK(refused.exitCode == 2);
        CHECK_THAT(refused.errors, containsText("leave out " + other[0]));
    }
    const ProgramRun model = layers.run({"-o", layers.path("q.onnx")});
    CHECK(model.exitCode == 2);
    CHECK_THAT(model.errors, containsText("leave out --end for a quantized model"));
    CHECK(layers.run({}, "false", "none/end.json").exitCode == 4);
    CHECK(layers.run({"--cost", "int9=2"}).exitCode == 2);
}

TEST_CASE("improve --end: of several outputs one is named")
{
    const ThreeLayers layers;
    layers.writeModel({"a", "y"});
    const ProgramRun several = layers.run({});
    CHECK(several.exitCode == 2);
    CHECK_THAT(several.errors, containsText("has several outputs; choose one of them (--at)"));
    CHECK(layers.run({"--at", "z"}).exitCode == 3);
    const ProgramRun one = layers.run({"--at", "a"});
    REQUIRE(one.exitCode == 0);
    const json rows = json::parse(one.output);
    for (const char* operand : {"a", "b", "w2", "w3"})
        CHECK(rowOf(rows, operand)["alone_db"] == "inf");  // behind that output
    for (const char* operand : {"x", "w1"})
        CHECK(rowOf(rows, operand)["alone_db"].get<double>() < 60.0);
    const ProgramRun other = layers.run({"--at", "y"}, "false");
    CHECK(other.exitCode == 3);
    CHECK_THAT(other.errors, containsText("measured with another end, a"));
}

TEST_CASE("improve --end --predict: the sum, and the model that was run beside it")
{
    const ThreeLayers layers;
    const ProgramRun nothing = layers.run({"--predict"}, "false");
    REQUIRE(nothing.exitCode == 0);
    CHECK(json::parse(nothing.output)[0]["not_measured"] == 6);
    CHECK(!json::parse(nothing.output)[0].contains("predicted_db"));
    CHECK_THAT(nothing.errors, containsText("it is not in the sum; nor are 3 more"));
    REQUIRE(layers.run({"--draws", "3"}).exitCode == 0);
    const ProgramRun run = layers.run({"--predict"}, "false");
    REQUIRE(run.exitCode == 0);
    const json row = json::parse(run.output)[0];
    double sum = 0.0;
    double whole = 0.0;
    const Matrix reference = endWith({});
    const Matrix all = endWith({"x", "a", "b", "w1", "w2", "w3"});
    for (const char* operand : {"x", "a", "b", "w1", "w2", "w3"})
        sum += powerOf(operand);
    for (std::size_t index = 0; index < all.size(); ++index)
        whole += (all[index] - reference[index]) * (all[index] - reference[index]);
    CHECK(row["predicted_db"].get<double>() ==
          Approx(10.0 * std::log10(signal() / sum)).margin(0.001));
    CHECK(row["measured_db"].get<double>() ==
          Approx(10.0 * std::log10(signal() / whole)).margin(0.01));
    CHECK(row["not_measured"] == 0);
    CHECK(row["low_db"].get<double>() <= row["predicted_db"].get<double>() - 1.5);
    CHECK(row["draws_sd_db"].get<double>() > 0.0);
    CHECK(row["end"] == "c");
}

TEST_CASE("improve --end --known: the rows of what the file has, of its samples, nothing run")
{
    const ThreeLayers layers;
    const ProgramRun before = layers.run({"--known"}, "false");
    CHECK(before.exitCode != 0);
    CHECK(before.output.empty());
    CHECK_THAT(before.errors, containsText("end.json: is not there"));
    const ProgramRun measured = layers.run({"--samples", "4"});
    REQUIRE(measured.exitCode == 0);
    const std::string kept = test::readBytes(layers.path("end.json"));
    const ProgramRun known = layers.run({"--known"}, "false");
    CAPTURE(known.errors);
    CHECK(known.exitCode == 0);
    CHECK(known.output == measured.output);
    layers.decideAffine();
    const ProgramRun other = layers.run({"--known"}, "false");
    CHECK(other.exitCode == 0);
    CHECK(rowOf(json::parse(other.output), "x")["state"] == "not measured");
    CHECK(test::readBytes(layers.path("end.json")) == kept);
    // Whatever runs nothing is of the file's samples, too.
    CHECK(layers.run({"--predict"}, "false").exitCode == 0);
    CHECK(layers.run({"--budget"}, "false").exitCode == 0);
    CHECK_THAT(layers.run({"--predict", "--draws", "2"}).errors,
               containsText("measured with another number of samples"));
    for (const char* option : {"--predict", "--budget"}) {
        const ProgramRun refused = layers.run({"--known", option});
        CHECK(refused.exitCode == 2);
        CHECK_THAT(refused.errors, containsText("--known runs nothing"));
    }
}

TEST_CASE("improve --end --best: of choices that were measured those with the least noise")
{
    const ThreeLayers layers;
    const ProgramRun missing = layers.run({"--best"}, "false");
    CHECK(missing.exitCode == 3);
    CHECK_THAT(missing.errors, containsText("without --best it is measured"));
    REQUIRE(layers.run({}).exitCode == 0);
    const ProgramRun alone = layers.run({"--best"}, "false");
    REQUIRE(alone.exitCode == 0);
    REQUIRE(json::parse(alone.output).size() == 1);
    CHECK(json::parse(alone.output)[0]["other_choices"] == 0);
    const ProgramRun symmetric = layers.run({"--predict"}, "false");
    layers.decideAffine();
    REQUIRE(layers.run({}).exitCode == 0);
    const std::string kept = test::readBytes(layers.path("end.json"));
    const ProgramRun best = layers.run({"--best"}, "false");
    CAPTURE(best.output);
    REQUIRE(best.exitCode == 0);
    CHECK(test::readBytes(layers.path("end.json")) == kept);
    const json rows = json::parse(best.output);
    CHECK(rows[0]["predicted_db"] ==
          json::parse(layers.run({"--predict"}, "false").output)[0]["predicted_db"]);
    CHECK(rows[0]["other_choices"] == 3);  // of activations
    REQUIRE(rows.size() >= 2);
    for (std::size_t row = 1; row < rows.size(); ++row) {
        CHECK(rows[row]["predicted_db"].get<double>() ==
              Approx(rows[row - 1]["predicted_db"].get<double>() +
                     rows[row]["gain_db"].get<double>()));
        CHECK(rows[row]["gain_db"].get<double>() > 0.0);
        CHECK_THAT(rows[row]["choice"].get<std::string>(), containsText("symmetric-full"));
    }
    CHECK(rows.back()["predicted_db"].get<double>() >=
          json::parse(symmetric.output)[0]["predicted_db"].get<double>());
    // Ids of an older table are written by the next call for the same decisions.
    std::string older = kept;
    for (std::size_t id = 0; (id = older.find("\"choice_id\"")) != std::string::npos;)
        older.erase(id, older.find(',', id) + 1 - id);
    std::ofstream(layers.path("end.json")) << older;
    CHECK(json::parse(layers.run({"--best"}, "false").output)[0]["other_choices"] == 0);
    REQUIRE(layers.run({}, "false").exitCode == 0);  // nothing to be run
    CHECK_THAT(test::readBytes(layers.path("end.json")), containsText("\"choice_id\""));
    for (const char* option : {"--predict", "--budget"})
        CHECK_THAT(layers.run({"--best", option}).errors, containsText("--best runs nothing"));
    CHECK(layers.run({"--best", "--known"}).exitCode == 2);
}

TEST_CASE("improve --end --budget: from all in int8 to all in float, and points that were run")
{
    const ThreeLayers layers;
    REQUIRE(layers.run({}).exitCode == 0);
    const ProgramRun run = layers.run({"--budget", "--measure", "2"});
    CAPTURE(run.errors);
    REQUIRE(run.exitCode == 0);
    const json rows = json::parse(run.output);
    REQUIRE(rows.size() >= 3);
    CHECK(rows.front()["cost"] == 1.0);
    CHECK(rows.front()["float"] == 0);
    CHECK(rows.front().contains("measured_db"));
    CHECK(rows.back()["predicted_db"] == "inf");
    CHECK(rows.back()["cost"].get<double>() <= 4.0);
    for (std::size_t row = 1; row + 1 < rows.size(); ++row)
        CHECK(rows[row]["predicted_db"].get<double>() >
              rows[row - 1]["predicted_db"].get<double>());
    const std::vector<BudgetRow> read = parseBudgetRows(run.output, "calib improve");
    REQUIRE(read.size() == rows.size());
    CHECK(read.front().operandsFloat.empty());
    CHECK(read.front().predictedDb == rows.front()["predicted_db"].get<double>());
    CHECK(std::isinf(read.back().predictedDb.value_or(0.0)));
    for (std::size_t row = 0; row < read.size(); ++row) {
        CHECK(read[row].int16.size() == rows[row]["int16"].get<std::size_t>());
        CHECK(read[row].inFloat.size() == rows[row]["float"].get<std::size_t>());
        CHECK(read[row].inputsInt16.size() <= read[row].int16.size());
    }
    // Three layers: each has a weight, and an input that no other one takes.
    CHECK(read.back().operandsFloat.size() == 2 * read.back().inFloat.size());
    const ProgramRun dear = layers.run({"--budget", "--cost", "int16=8,float=9"}, "false");
    const json dearRows = json::parse(dear.output);
    CHECK(dearRows.back()["cost"].get<double>() > 4.0);
}

TEST_CASE("layers of a model: what they multiply, and how often")
{
    test::TemporaryFolder folder;
    std::ofstream(folder.file("m.onnx"), std::ios::binary)
        << test::OnnxGraph()
               .input("x", {1, 4, 6, 6})
               .weight("k", {8, 2, 3, 3})
               .weight("t", {8, 5, 2, 2})
               .weight("g", {7, 5})
               .node("Identity", {"x"}, {"moved"})
               .node("Conv", {"moved", "k"}, {"c"})
               .with("group", std::int64_t{2})
               .node("ConvTranspose", {"c", "t"}, {"u"})
               .node("MatMul", {"u", "u"}, {"square"})
               .node("Gemm", {"u", "g"}, {"y"})
               .with("transB", std::int64_t{1})
               .output("y", {})
               .model()
               .SerializeAsString();
    const auto layers = model::modelLayers(*model::ModelFile::read(folder.file("m.onnx")));
    REQUIRE(layers.size() == 3);  // not the product of two activations
    CHECK(layers[0].operands == std::vector<std::string>{"moved", "x", "k"});
    CHECK(layers[0].multiplications == 18.0);  // 2 channels of a group, 3 by 3
    CHECK(layers[0].sized == "c");
    CHECK(layers[1].multiplications == 20.0);  // 5 outputs, 2 by 2, of each value of its input
    CHECK(layers[1].sized == "c");
    CHECK(layers[2].multiplications == 5.0);
    CHECK(layers[2].weightValues == 35.0);
}

}  // namespace end_test
