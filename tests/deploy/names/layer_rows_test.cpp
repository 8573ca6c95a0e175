// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/whole_file.h"
#include "core/deploy/names/layer_rows.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/onnx_model.h"
#include "tests/support/run_program.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace layer_rows_test {

using namespace calibscope;
using Catch::Approx;
using test::containsText;
using test::H5File;
using test::ProgramRun;
using test::runProgram;

using Values = std::vector<float>;

/// What ncnn's converter (tools/quantize/ncnn2int8.cpp) takes of a table: words by blanks; a row
/// whose name holds "_param_" is a weight's, any other one the input's of the layer of that name.
struct NcnnTable
{
    std::map<std::string, Values> inputs;
    std::map<std::string, Values> weights;

    explicit NcnnTable(const std::string& text)
    {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line) && !line.empty();) {
            std::istringstream words(line);
            std::string name;
            words >> name;
            Values scales;
            for (std::string word; words >> word;) {
                float scale = 1.0F;
                std::sscanf(word.c_str(), "%f", &scale);
                scales.push_back(scale);
            }
            (name.find("_param_") == std::string::npos ? inputs : weights)[name] = scales;
        }
    }

    /// As the converter: a layer with its input's row and no weight's ends it.
    [[nodiscard]] bool isTaken() const
    {
        return std::ranges::all_of(
            inputs, [&](const auto& row) { return weights.contains(row.first + "_param_0"); });
    }
};

float greatest(const Values& values, std::size_t first, std::size_t count)
{
    float most = 0.0F;
    for (std::size_t place = first; place < first + count; ++place)
        most = std::max(most, std::fabs(values[place]));
    return most;
}

/// 127 / absmax of so many equal runs of the values, as ncnn's calibration has it.
Values factors(const Values& values, std::size_t runs)
{
    Values all;
    const std::size_t run = values.size() / runs;
    for (std::size_t place = 0; place < runs; ++place)
        all.push_back(127.0F / greatest(values, place * run, run));
    return all;
}

Values wave(std::size_t count, double step, double height)
{
    Values values(count);
    for (std::size_t place = 0; place < count; ++place)
        values[place] =
            static_cast<float>(height * std::sin(step * static_cast<double>(place + 1)));
    return values;
}

bool areNear(const Values& some, const Values& others)
{
    return std::ranges::equal(some, others, [](float one, float other) {
        return std::fabs(one - other) <= 1e-5F * std::fabs(other);
    });
}

/// x goes into two convolutions, a plain one and one of 2 groups with 2 channels each; the plain
/// one's output is flattened and goes into a product. Outputs have other ranges than inputs.
struct Network
{
    Values x = wave(std::size_t{4} * 4 * 3 * 3, 0.7, 2.0);
    Values y = wave(std::size_t{4} * 2 * 3 * 3, 0.3, 7.0);
    Values z = wave(std::size_t{4} * 4 * 3 * 3, 0.2, 11.0);
    Values f = wave(std::size_t{4} * 5, 0.9, 31.0);
    Values plain = wave(std::size_t{2} * 4, 1.3, 0.5);
    Values grouped = wave(std::size_t{4} * 2, 2.1, 0.25);
    Values product = wave(std::size_t{5} * 18, 0.77, 1.5);

    /// `tellsGraph`: with what a recorder tells of the graph.
    void write(H5File& file, bool tellsGraph) const
    {
        const auto put = [&](const std::string& path, const test::Shape& shape,
                             const Values& values, const std::string& op) {
            file.write(path, shape, values);
            file.attribute(path, "op_type", op);
        };
        file.attribute("/", "format", std::string("calibration-dump"));
        put("activations/x", {4, 4, 3, 3}, x, "Input");
        put("activations/y", {4, 2, 3, 3}, y, "Conv");
        put("activations/z", {4, 4, 3, 3}, z, "Conv");
        put("activations/flat", {4, 18}, y, "Flatten");
        put("activations/f", {4, 5}, f, "Gemm");
        put("weights/wp", {2, 4, 1, 1}, plain, "Conv");
        put("weights/wg", {4, 2, 1, 1}, grouped, "Conv");
        put("weights/wf", {5, 18}, product, "Gemm");
        for (const std::string weight : {"wp", "wg", "wf"})
            file.attribute("weights/" + weight, "channel_axis", std::int64_t{0});
        for (const std::string output : {"x", "y", "z"})
            file.attribute("activations/" + output, "layout", std::string("NCHW"));
        if (!tellsGraph)
            return;
        file.attribute("activations/y", "inputs", std::vector<std::string>{"x", "wp"});
        file.attribute("activations/y", "node", std::string("/plain/Conv"));
        file.attribute("activations/z", "inputs", std::vector<std::string>{"x", "wg"});
        file.attribute("weights/wg", "consumer", std::string("/grouped/Conv"));
        file.attribute("activations/flat", "inputs", std::vector<std::string>{"y"});
        file.attribute("activations/f", "inputs", std::vector<std::string>{"flat", "wf"});
        file.attribute("activations/f", "graph_name", std::string("/f:0"));
    }

    /// The graph as ONNX has it; its last node has no name.
    void writeModel(const std::string& path) const
    {
        ::onnx::ModelProto model = test::emptyModel(13);
        ::onnx::GraphProto& graph = *model.mutable_graph();
        test::addInput(graph, "x", {4, 4, 3, 3});
        test::addInitializer(graph, test::floatTensor("wp", {2, 4, 1, 1}, plain));
        test::addInitializer(graph, test::floatTensor("wg", {4, 2, 1, 1}, grouped));
        test::addConstant(graph, test::floatTensor("wf", {5, 18}, product));
        test::addNode(graph, "Conv", {"x", "wp"}, {"y"}).set_name("/plain/Conv");
        ::onnx::NodeProto& second = test::addNode(graph, "Conv", {"x", "wg"}, {"z"});
        second.set_name("/grouped/Conv");
        test::setInt(second, "group", 2);
        test::addNode(graph, "Flatten", {"y"}, {"flat"});
        ::onnx::NodeProto& last = test::addNode(graph, "Gemm", {"flat", "wf"}, {"f"});
        last.set_name("");
        test::setInt(last, "transB", 1);
        test::addOutput(graph, "f", {4, 5});
        test::saved(model, path);
    }

    /// Whether the table has what ncnn's calibration would find of this network, and no more.
    void check(const NcnnTable& table, const std::string& last) const
    {
        CHECK(table.isTaken());
        CHECK(table.inputs.size() == 3);
        CHECK(table.weights.size() == 3);
        CHECK(areNear(table.inputs.at("/plain/Conv"), factors(x, 1)));
        CHECK(areNear(table.inputs.at("/grouped/Conv"), factors(x, 1)));
        CHECK(areNear(table.inputs.at(last), factors(y, 1)));
        CHECK(areNear(table.weights.at("/plain/Conv_param_0"), factors(plain, 2)));
        CHECK(areNear(table.weights.at("/grouped/Conv_param_0"), factors(grouped, 2)));
        CHECK(areNear(table.weights.at(last + "_param_0"), factors(product, 5)));
    }
};

std::vector<std::string> exporting(const std::string& dump, std::vector<std::string> more = {})
{
    std::vector<std::string> arguments{"export",     dump,           "--format",
                                       "ncnn-table", "--calibrator", "min-max"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST_CASE("a table of ncnn has each layer's input and weight by the graph that the dump tells of")
{
    const Network network;
    H5File file;
    network.write(file, true);
    const ProgramRun run = runProgram("calib", exporting(file.path()));
    CHECK(run.exitCode == 0);
    network.check(NcnnTable(run.output), "/f:0");
    CHECK_THAT(run.errors, containsText("3 decided tensors are left out"));  // y, z, f
    CHECK_THAT(run.errors, containsText("wg: its layer has 2 groups"));
    // All weights come first, then the inputs in the same order.
    CHECK(run.output.find("/f:0_param_0 ") < run.output.find("\n/plain/Conv "));
    CHECK(run.output.find("\n/plain/Conv ") < run.output.find("\n/f:0 "));
    // A weight with one scale for all channels has it for each.
    const NcnnTable whole(
        runProgram("calib", exporting(file.path(), {"--granularity", "tensor"})).output);
    CHECK(areNear(whole.weights.at("/f:0_param_0"), Values(5, factors(network.product, 1)[0])));
}

TEST_CASE("a checkpoint of compressed-tensors is read back by the layers, groups and all")
{
    const Network network;
    H5File file;
    network.write(file, true);
    const std::string path = file.folder().file("scales.safetensors");
    REQUIRE(runProgram("calib", {"export", file.path(), "--format", "compressed-tensors",
                                 "--calibrator", "min-max", "-o", path})
                .exitCode == 0);
    const ProgramRun run =
        runProgram("calib", {"import", path, file.path(), "--columns",
                             "entry,channels,tensor,role,found_by", "--format", "csv"});
    CAPTURE(run.output, run.errors);
    for (const char* row :
         {"/plain/Conv,,x,activation,layer\n", "/plain/Conv.weight,2,wp,weight,layer\n",
          "/grouped/Conv.weight,4,wg,weight,layer\n", "/f:0.weight,5,wf,weight,layer\n"})
        CHECK_THAT(run.output, containsText(row));
}

TEST_CASE("without the graph the export refuses, and a model supplies it")
{
    const Network network;
    H5File file;
    network.write(file, false);
    const ProgramRun refused = runProgram("calib", exporting(file.path()));
    CHECK(refused.exitCode == 2);
    CHECK(refused.output.empty());
    CHECK_THAT(refused.errors, containsText("no layer is known with its input and its weight"));
    CHECK_THAT(refused.errors, containsText("or the model (--onnx)"));
    const std::string model = file.folder().file("m.onnx");
    network.writeModel(model);
    const ProgramRun run = runProgram("calib", exporting(file.path(), {"--onnx", model}));
    CHECK(run.exitCode == 0);
    network.check(NcnnTable(run.output), "f");
}

TEST_CASE("an input that was not recorded is what its values were moved from; others are told of")
{
    Network network;
    H5File file;
    const auto put = [&](const std::string& path, const test::Shape& shape, const Values& values) {
        file.write(path, shape, values);
    };
    file.attribute("/", "format", std::string("calibration-dump"));
    put("activations/y", {4, 2, 3, 3}, network.y);
    put("weights/wf", {5, 18}, network.product);
    put("weights/wp", {2, 4, 1, 1}, network.plain);
    file.attribute("weights/wf", "channel_axis", std::int64_t{0});
    file.attribute("weights/wp", "channel_axis", std::int64_t{0});
    const std::string model = file.folder().file("m.onnx");
    network.writeModel(model);
    const ProgramRun run = runProgram("calib", exporting(file.path(), {"--onnx", model}));
    CHECK(run.exitCode == 3);
    const NcnnTable table(run.output);
    CHECK(table.isTaken());
    CHECK(table.inputs.size() == 1);
    CHECK(areNear(table.inputs.at("f"), factors(network.y, 1)));
    CHECK_THAT(run.errors, containsText("wp: has no row: "));
}

TEST_CASE("rows of a table of ncnn are imported beside the layer's input and weight")
{
    const Network network;
    H5File file;
    network.write(file, true);
    const std::string table = file.folder().file("t.table");
    runProgram("calib", exporting(file.path(), {"-o", table}));
    const std::vector<std::string> columns{"--columns",
                                           "entry,tensor,found_by,clipped_share,lints"};
    const auto imported = [&](const H5File& dump, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"import", table, dump.path()};
        arguments.insert(arguments.end(), columns.begin(), columns.end());
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runProgram("calib", arguments).output;
    };
    CHECK(imported(file) == "entry,tensor,found_by,clipped_share,lints\n"
                            "/plain/Conv_param_0,wp,layer,0,\n"
                            "/f:0_param_0,wf,layer,0,\n"
                            "/grouped/Conv_param_0,wg,layer,0,\n"
                            "/plain/Conv,x,layer,0,\n"
                            "/f:0,flat,layer,0,\n"
                            "/grouped/Conv,x,layer,0,\n");
    // Of a graph that is not known no name stands for an input: y's own name least of all.
    H5File other;
    network.write(other, false);
    writeWholeFile(table, "/plain/Conv_param_0 127 127 \ny 127 \n/plain/Conv 63.5 \n");
    CHECK_THAT(imported(other),
               containsText("\ny,,,,\"note: is for the input of the layer of this"));
    CHECK_THAT(imported(other), containsText("a model can supply the graph"));
    const std::string model = other.folder().file("m.onnx");
    network.writeModel(model);
    const std::string known = imported(other, {"--onnx", model});
    CHECK_THAT(known, containsText("\n/plain/Conv,x,layer,"));
    CHECK_THAT(known, containsText("\n/plain/Conv_param_0,wp,layer,"));
    CHECK_THAT(known, containsText("\ny,,,,"));
}

TEST_CASE("a layer's row has the node's name, else the weight's consumer, else the output's name")
{
    const auto nameOf = [](const std::string& node, const std::string& consumer,
                           const std::string& graphName) {
        const std::vector<TensorInfo> tensors{
            {.name = "x", .role = Role::Activation},
            {.name = "w", .role = Role::Weight, .consumer = consumer},
            {.name = "y",
             .role = Role::Activation,
             .op = "MatMul",
             .inputs = {"x", "w"},
             .graphName = graphName,
             .node = node}};
        return deploy::layerRows(tensors).rows.at(0);
    };
    CHECK(nameOf("n", "c", "g").name == "n");
    CHECK(nameOf("", "c", "g").name == "c");
    CHECK(nameOf("", "y", "g").name == "g");  // the recorder's word for a node without a name
    CHECK(nameOf("", "", "g").hasOwnName);
    CHECK(nameOf("", "", "").name == "y");
    CHECK_FALSE(nameOf("", "", "").hasOwnName);
}

}  // namespace layer_rows_test
