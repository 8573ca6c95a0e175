// SPDX-License-Identifier: GPL-3.0-or-later
// calib check as a whole, with models that a fake runner answers for
// (tests/support/fake_runner.cpp).
#include "core/base/json_object.h"
#include "core/engine/engine_parts.h"
#include "core/engine/methods.h"
#include "core/model/quantized_tensors.h"
#include "core/report/tables/check_report.h"
#include "core/report/tables/table.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/onnx_model.h"
#include "tests/support/run_program.h"

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace check_test {

using namespace calibscope;
using namespace calibscope::test;

const std::string fakeRunner = quoted(std::string(CALIBSCOPE_PROGRAM_DIR) + "/fake_runner");

void addIntegers(::onnx::GraphProto& graph, const std::string& name,
                 const std::vector<std::int64_t>& shape, const std::vector<int>& values)
{
    ::onnx::TensorProto tensor = shapedTensor(name, ::onnx::TensorProto::INT8, shape);
    for (const int value : values)
        tensor.add_int32_data(value);
    addInitializer(graph, tensor);
}

void addPair(::onnx::GraphProto& graph, const std::string& tensor, float scale)
{
    addInitializer(graph, floatTensor(tensor + "_scale", {}, {scale}));
    addIntegers(graph, tensor + "_zero_point", {}, {0});
    addNode(graph, "QuantizeLinear", {tensor, tensor + "_scale", tensor + "_zero_point"},
            {tensor + "_QuantizeLinear_Output"});
    addNode(graph, "DequantizeLinear",
            {tensor + "_QuantizeLinear_Output", tensor + "_scale", tensor + "_zero_point"},
            {tensor + "_DequantizeLinear_Output"});
}

/// x -> MatMul with w -> "/a/b" -> Softmax -> y
::onnx::ModelProto floatModel(int xType = ::onnx::TensorProto::FLOAT)
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {0, 4}, xType);
    addOutput(graph, "y", {0, 4});
    addInitializer(graph, floatTensor("w", {2, 2}, {1.0F, -0.5F, 0.25F, 0.375F}));
    addNode(graph, "MatMul", {"x", "w"}, {"/a/b"});
    addNode(graph, "Softmax", {"/a/b"}, {"y"});
    return model;
}

/// The same with pairs at x (scale 1/2) and "/a/b" (scale 1/8), and w in integers of 1/4.
::onnx::ModelProto quantizedModel(int xType = ::onnx::TensorProto::FLOAT)
{
    ::onnx::ModelProto model = emptyModel(13);
    ::onnx::GraphProto& graph = *model.mutable_graph();
    addInput(graph, "x", {0, 4}, xType);
    addOutput(graph, "y", {0, 4});
    addPair(graph, "x", 0.5F);
    addInitializer(graph, floatTensor("w_scale", {}, {0.25F}));
    addIntegers(graph, "w_zero_point", {}, {0});
    addIntegers(graph, "w_quantized", {2, 2}, {4, -2, 1, 2});
    addNode(graph, "DequantizeLinear", {"w_quantized", "w_scale", "w_zero_point"},
            {"w_DequantizeLinear_Output"});
    addNode(graph, "MatMul", {"x_DequantizeLinear_Output", "w_DequantizeLinear_Output"}, {"/a/b"});
    addPair(graph, "/a/b", 0.125F);
    addNode(graph, "Softmax", {"/a/b_DequantizeLinear_Output"}, {"y"});
    return model;
}

/// The same in operators of integers, as ONNX Runtime's quantizer names their tensors.
::onnx::ModelProto integerModel()
{
    ::onnx::ModelProto model = quantizedModel();
    ::onnx::GraphProto& graph = *model.mutable_graph();
    graph.clear_node();
    const auto scaled = [](const std::string& tensor) {
        return std::vector{tensor + "_quantized", tensor + "_scale", tensor + "_zero_point"};
    };
    addNode(graph, "QuantizeLinear", {"x", "x_scale", "x_zero_point"}, {"x_quantized"});
    std::vector<std::string> inputs = scaled("x");
    for (const std::string& input : scaled("w"))
        inputs.push_back(input);
    inputs.insert(inputs.end(), {"/a/b_scale", "/a/b_zero_point"});
    addNode(graph, "QLinearMatMul", inputs, {"/a/b_quantized"});
    addNode(graph, "DequantizeLinear", scaled("/a/b"), {"s"});
    addNode(graph, "Softmax", {"s"}, {"y"});
    return model;
}

/// Five samples of 0.75, recorded in batches of two.
void recordActivations(H5File& file, const std::string& madeBy = "Input")
{
    const std::vector<float> values(20, 0.75F);
    for (const char* name : {"x", "y", "a.b"}) {
        const std::string path = std::string("/activations/") + name;
        file.write(path, {5, 4},
                   std::string(name) == "a.b" ? std::vector<float>(20, 1.5F) : values);
        file.attribute(path, "batch_size", std::int64_t{2});
        file.attribute(path, "op_type", std::string(name) == "x" ? madeBy : std::string("MatMul"));
    }
}

struct CheckedModel
{
    H5File dump;
    std::string model = saved(floatModel(), dump.folder().file("m.onnx"));
    std::string quantized = saved(quantizedModel(), dump.folder().file("q.onnx"));

    /// Runs the check; what it leaves of its folder is seen here.
    [[nodiscard]] ProgramRun run(const std::string& mode,
                                 const std::vector<std::string>& further = {}) const
    {
        const TemporaryFolder temporary;
        ProgramRun result = runIn(temporary, fakeRunner + " " + mode, further);
        // The folder in which the program was run is there as well, and goes first.
        CHECK(std::filesystem::is_empty(temporary.path()));
        return result;
    }

    [[nodiscard]] ProgramRun runIn(const TemporaryFolder& temporary, const std::string& runner,
                                   const std::vector<std::string>& further = {}) const
    {
        const char* const before = std::getenv("TMPDIR");
        const std::string kept = before != nullptr ? before : "";
        ::setenv("TMPDIR", temporary.path().c_str(), 1);
        std::vector<std::string> words{"check", model, quantized, dump.path(), "--runner", runner};
        words.insert(words.end(), further.begin(), further.end());
        ProgramRun result = runProgram("calib", words);
        if (before != nullptr)
            ::setenv("TMPDIR", kept.c_str(), 1);
        else
            ::unsetenv("TMPDIR");
        return result;
    }
};

/// A lock as a check holds one, as long as it lives.
class HeldLock
{
public:
    explicit HeldLock(const std::string& folder)
        : m_descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    {
        REQUIRE(::flock(m_descriptor, LOCK_EX | LOCK_NB) == 0);
    }
    HeldLock(const HeldLock&) = delete;
    HeldLock& operator=(const HeldLock&) = delete;
    ~HeldLock() { ::close(m_descriptor); }

private:
    int m_descriptor;
};

CheckedModel recordedModel()
{
    CheckedModel model;
    recordActivations(model.dump);
    return model;
}

TEST_CASE("a check tells each output and each tensor as hand-worked")
{
    const CheckedModel model = recordedModel();
    const ProgramRun run = model.run("agree", {"--format", "json"});
    CHECK(run.exitCode == 0);
    const CheckReport report = parseCheckReport(run.output, "report");
    CHECK(report.runtime == "fake runner");
    CHECK(report.samples == 5);
    // The first batch is run alone, then the other two: two answers of 0.25 s for each model.
    CHECK(report.floatSeconds == 0.5);
    REQUIRE(report.outputs.size() == 1);
    const OutputCheck& output = report.outputs[0];
    CHECK(output.name == "y");
    CHECK(output.op == "Softmax");
    CHECK(std::isinf(output.recordedDb.value()));
    // 0.75 against 0.875, and against 1: 20 log10 of 6 and of 3.
    CHECK(output.asWritten.sqnrDb.value() == Approx(15.563025007672874));
    CHECK(output.asWritten.leastDb.value() == Approx(15.563025007672874));
    CHECK(output.asWritten.samples == 5);
    CHECK(output.asWritten.maxError == 0.125);
    CHECK(output.asWritten.meanError == 0.125);
    CHECK(output.asWritten.sameArgmax == 1.0);
    CHECK(output.asFused.sqnrDb.value() == Approx(9.542425094393248));
    CHECK_THAT(run.errors, containsText("is 6.0 dB worse as fused (9.5 dB) than as written"));

    REQUIRE(report.tensors.size() == 3);
    const TensorCheck& input = report.tensors[0];
    CHECK(input.name == "x");
    CHECK(input.op == "Input");
    // 0.75 at a scale of 1/2 is 1.5 steps, which is rounded to 2: an error of 0.25.
    CHECK(input.ownDb.value() == Approx(9.542425094393248));
    CHECK(std::isinf(input.runningDb.value()));
    CHECK(input.samples == 5);
    const TensorCheck& weight = report.tensors[1];
    CHECK(weight.name == "w");
    CHECK(weight.isWeight);
    // 1, -0.5, 0.25 and 0.375, which becomes 0.5: 10 log10(1.453125 / 0.015625)
    CHECK(weight.ownDb.value() == Approx(19.68482948553935));
    CHECK(weight.maxError == 0.125);
    const TensorCheck& inner = report.tensors[2];
    CHECK(inner.name == "/a/b");
    CHECK(inner.op == "MatMul");
    CHECK(std::isinf(inner.ownDb.value()));  // 1.5 is 12 steps
    CHECK(inner.runningDb.value() == Approx(15.563025007672874));
    CHECK(inner.maxError == 0.25);
    CHECK_FALSE(inner.dropDb);  // nothing before it has cost anything
}

TEST_CASE("the check's CSV has an output's row first, then the graph's order")
{
    const CheckedModel model = recordedModel();
    const ProgramRun run = model.run("agree");
    CHECK(
        run.output ==
        "tensor,op,kind,own_db,output_sqnr_db,running_db,median_db,least_db,max_error,samples,"
        "draws,draw_mean_db,draw_lowest_db,draw_highest_db,draw_sd_db\n"
        "y,Softmax,output,,,15.563025007672874,15.563025007672874,15.563025007672874,0.125,5,,,,,\n"
        "x,Input,activation,9.542425094393248,,inf,inf,inf,0,5,,,,,\n"
        "w,,weight,19.68482948553935,,,,,0.125,,,,,,\n"
        "/a/"
        "b,MatMul,activation,inf,,15.563025007672874,15.563025007672874,15.563025007672874,0.25,5,,"
        ",,,\n");
    const ProgramRun sorted = model.run("agree", {"--sort", "drop", "--columns", "tensor"});
    CHECK(sorted.output == "tensor\ny\nx\nw\n/a/b\n");
    const ProgramRun table = model.run("agree", {"--format", "table", "--progress"});
    CHECK_THAT(table.output, containsText("as written") && containsText("as fused") &&
                                 containsText("Running dB"));
    CHECK_THAT(table.errors, containsText("progress: batches 1 to 3 of 3: the float model"));
}

TEST_CASE("a model of another tool's operators of integers is checked layer by layer")
{
    CheckedModel model = recordedModel();
    model.quantized = saved(integerModel(), model.dump.folder().file("i.onnx"));
    const ProgramRun run =
        model.run("agree", {"--columns",
                            "tensor,op,kind,own_db,output_sqnr_db,running_db,max_error,samples"});
    CHECK(run.output == "tensor,op,kind,own_db,output_sqnr_db,running_db,max_error,samples\n"
                        "y,Softmax,output,,,15.563025007672874,0.125,5\n"
                        "x,Input,activation,9.542425094393248,,inf,0,5\n"
                        "w,,weight,19.68482948553935,,,0.125,\n"
                        "/a/b,MatMul,activation,inf,,15.563025007672874,0.25,5\n");
    CHECK_THAT(run.errors, containsText("1 tensor goes from operator to operator in integers"));
}

TEST_CASE("a Relu that an operator of integers has taken in is what its result is compared with")
{
    CheckedModel model = recordedModel();
    ::onnx::ModelProto proto = floatModel();
    proto.mutable_graph()->mutable_node(1)->set_input(0, "r");
    addNode(*proto.mutable_graph(), "Relu", {"/a/b"}, {"r"});
    proto.mutable_graph()->mutable_node()->SwapElements(1, 2);
    model.model = saved(proto, model.model);
    model.quantized = saved(integerModel(), model.dump.folder().file("i.onnx"));
    const ProgramRun run = model.run("agree", {"--columns", "tensor,op,kind"});
    CHECK(run.output == "tensor,op,kind\n"
                        "y,Softmax,output\n"
                        "x,Input,activation\n"
                        "w,,weight\n"
                        "r,Relu,activation\n");
}

TEST_CASE("draws are run as the model is written, and tell how far they are apart")
{
    const CheckedModel model = recordedModel();
    const ProgramRun run = model.run("agree", {"--format", "json", "--draws", "3", "--progress"});
    REQUIRE(run.exitCode == 0);
    CHECK_THAT(run.errors, containsText("progress: batches 1 to 3 of 3: draw 3 of 3"));
    const OutputCheck output = parseCheckReport(run.output, "report").outputs.at(0);
    CHECK(output.asWritten.sqnrDb.value() == Approx(15.563025007672874));
    // 0.75 against 1/8, 1/4 and 3/8 more: 20 log10 of 6, 3 and 2.
    REQUIRE(output.draws.size() == 3);
    CHECK(output.draws[0].agreement.sqnrDb.value() == Approx(15.563025007672874));
    CHECK(output.draws[2].draw == 3);
    CHECK(output.draws[2].agreement.sqnrDb.value() == Approx(6.020599913279624));
    CHECK(output.draws[2].agreement.medianDb.value() == Approx(6.020599913279624));
    CHECK(output.draws[2].agreement.samples == 5);
    const DrawSummary summary = output.drawSummary.value();
    // 1/36, 1/9 and 1/4 in the mean: 14/108
    CHECK(summary.meanDb == Approx(8.872957198087118));
    CHECK(summary.lowestDb == Approx(6.020599913279624));
    CHECK(summary.highestDb == Approx(15.563025007672874));
    CHECK(summary.sdDb.value() == Approx(4.8254318045852065));

    const ProgramRun table = model.run("agree", {"--format", "table", "--draws", "3"});
    CHECK_THAT(table.output,
               containsText("draw 3") &&
                   containsText("3 draws of rounding errors give 6.0 to 15.6 dB, 8.9 dB by the "
                                "mean of their noise, sd 4.8 dB") &&
                   containsText("less than 9.7 dB (2 sd) are not distinguishable"));
    CHECK(model.run("agree", {"--draws", "3", "--fail-if", "draw_mean<10"}).exitCode == 1);
    CHECK(model.run("agree", {"--draws", "33"}).exitCode == 2);
}

TEST_CASE("the model of a draw has scales of 1 to 1.003 times the decided ones")
{
    const CheckedModel model = recordedModel();
    const TemporaryFolder temporary;
    const TemporaryFolder copies;
    const std::string runner =
        "cp \"${1%/*}\"/draw-*.onnx " + quoted(copies.path()) + "; " + fakeRunner + " agree";
    REQUIRE(model.runIn(temporary, runner, {"--draws", "2"}).exitCode == 0);
    const auto scalesOf = [](const std::string& path) {
        std::vector<float> scales;
        for (const model::QuantizedTensor& tensor :
             model::quantizedTensors(*model::ModelFile::read(path)).tensors)
            scales.push_back(tensor.quantization.scales.at(0));
        return scales;
    };
    const std::vector<float> decided = scalesOf(model.quantized);
    std::set<float> factors;
    for (const char* draw : {"draw-1.onnx", "draw-2.onnx"}) {
        const std::vector<float> drawn = scalesOf(copies.file(draw));
        REQUIRE(drawn.size() == 3);
        for (std::size_t place = 0; place < 3; ++place) {
            const float factor = drawn[place] / decided[place];
            CHECK(factor >= 1.0F);
            CHECK(factor <= 1.003F);
            factors.insert(factor);
        }
    }
    CHECK(factors.size() == 6);  // each has its own
}

TEST_CASE("where the fused run fails the check stays, with the reason")
{
    const CheckedModel model = recordedModel();
    const std::string reason = "ended with exit code 1; it said: no fused kernel of 4 bits";
    const ProgramRun run = model.run("no-fused", {"--format", "json", "--draws", "2"});
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.errors,
               containsText("as fused the quantized model was not run") && containsText(reason));
    const CheckReport report = parseCheckReport(run.output, "report");
    const OutputCheck& output = report.outputs.at(0);
    CHECK(output.asWritten.sqnrDb.value() == Approx(15.563025007672874));
    CHECK_FALSE(output.isRunAsFused());
    CHECK_FALSE(output.fusedDifferenceDb());
    CHECK(output.draws.size() == 2);
    CHECK_THAT(joinedNotes(report.notes), containsText(reason));
    CHECK_THAT(model.run("no-fused", {"--format", "table"}).output,
               containsText("as written") && !containsText("as fused"));
    // A limit for what was not run is not kept.
    for (const char* limit : {"fused<1", "fused_difference<-99"}) {
        const ProgramRun judged = model.run("no-fused", {"--fail-if", limit});
        CHECK(judged.exitCode == 1);
        CHECK_THAT(judged.errors, containsText("was not run as fused"));
    }
    CHECK(model.run("no-fused", {"--fail-if", "sqnr<1"}).exitCode == 0);
}

TEST_CASE("a draw that fails is told, and the others and the check stay")
{
    const CheckedModel model = recordedModel();
    for (const auto& [mode, reason] :
         {std::pair{"no-draw", "ended with exit code 1; it said: no kernel for draws"},
          std::pair{"text-draw", "0-0.npy: is not a .npy file"}}) {
        const ProgramRun run = model.run(mode, {"--format", "json", "--draws", "3"});
        CHECK(run.exitCode == 0);
        CHECK_THAT(run.errors, containsText("draw 2 failed: ") && containsText(reason));
        const OutputCheck output = parseCheckReport(run.output, "report").outputs.at(0);
        CHECK(output.asWritten.sqnrDb.value() == Approx(15.563025007672874));
        REQUIRE(output.draws.size() == 2);
        CHECK(output.draws[1].draw == 3);
        CHECK(output.drawSummary.value().draws == 2);
    }
}

TEST_CASE("a check of some samples runs whole batches")
{
    const CheckedModel model = recordedModel();
    const CheckReport report = parseCheckReport(
        model.run("agree", {"--format", "json", "--samples", "3"}).output, "report");
    CHECK(report.samples == 4);
    CHECK(report.outputs.at(0).asWritten.samples == 4);
}

TEST_CASE("a limit that is exceeded is exit code 1, with the report")
{
    const CheckedModel model = recordedModel();
    CHECK(model.run("agree", {"--fail-if", "sqnr<15"}).exitCode == 0);
    const ProgramRun run = model.run("agree", {"--fail-if", "running<20"});
    CHECK(run.exitCode == 1);
    CHECK_THAT(run.output, containsText("/a/b"));
    CHECK_THAT(run.errors, containsText("--fail-if running<20: running_db of \"/a/b\" is 15.56"));
    CHECK(model.run("agree", {"--fail-if", "fused_difference<-1"}).exitCode == 1);
    const ProgramRun unknown = model.run("agree", {"--fail-if", "speed<1"});
    CHECK(unknown.exitCode == 2);
    CHECK_THAT(unknown.errors, containsText("available: sqnr_db, median_db, least_db, fused_db"));
}

TEST_CASE("a model that is not the recorded one stops the check")
{
    const ProgramRun run = recordedModel().run("other");
    CHECK(run.exitCode == 3);
    CHECK(run.output.empty());
    CHECK_THAT(run.errors, containsText("m.onnx: does not compute what was recorded: output \"y\" "
                                        "agrees to 3.5 dB, 80 are needed"));
}

TEST_CASE("a runner that misbehaves is told as such, and nothing is left behind")
{
    const CheckedModel model = recordedModel();
    const auto complaint = [&](const std::string& mode,
                               const std::vector<std::string>& further = {}) {
        const ProgramRun run = model.run(mode, further);
        // What it left is read as any input.
        CHECK(run.exitCode == (mode == "text" || mode == "shape" ? 3 : 5));
        CHECK(run.output.empty());
        return run.errors;
    };
    CHECK_THAT(complaint("code"),
               containsText("ended with exit code 7; it said: no kernel for Foo"));
    CHECK_THAT(complaint("silent"), containsText("left no answer (float.json)"));
    CHECK_THAT(complaint("lacks"), containsText("left no values of \"/a/b\""));
    CHECK_THAT(complaint("text"), containsText("0-0.npy: is not a .npy file"));
    CHECK_THAT(complaint("shape"), containsText("\"y\" has shape 2 x 4 in the float model's run "
                                                "and 2 x 3 in the quantized one's"));
    CHECK_THAT(complaint("hang", {"--runner-timeout", "1"}),
               containsText("has not ended within 1 s and was killed"));
}

TEST_CASE("outputs of 16 bits are compared as well")
{
    const CheckReport report =
        parseCheckReport(recordedModel().run("half", {"--format", "json"}).output, "report");
    CHECK(report.outputs.at(0).asWritten.sqnrDb.value() == Approx(15.563025007672874));
}

TEST_CASE("a dump without the model's inputs can't be checked")
{
    CheckedModel model;
    model.dump.write("/activations/y", {5, 4}, std::vector<float>(20, 0.75F));
    const ProgramRun run = model.run("agree");
    CHECK(run.exitCode == 3);
    CHECK_THAT(run.errors, containsText("the model's input \"x\" was not recorded"));
}

TEST_CASE("the window's engine knows the inputs that were not recorded, and the outputs")
{
    CheckedModel model;
    recordActivations(model.dump);
    engine::Methods methods(engine::dumpFileParts(1 << 24), 1 << 24);
    (void)methods.answer(protocol::OpenRequest{model.dump.path()}, {});
    protocol::PortsRequest request{.path = model.dump.path(), .model = model.model};
    CHECK(methods.answer(request, {}) == protocol::ModelPorts{.unrecorded = {}, .outputs = {"y"}});
    ::onnx::ModelProto proto = floatModel();
    addInput(*proto.mutable_graph(), "state", {2});
    request.model = saved(proto, model.dump.folder().file("state.onnx"));
    CHECK(methods.answer(request, {}).unrecorded == std::vector<std::string>{"state"});
}

TEST_CASE("a part of the network is fed with what another operator gave")
{
    CheckedModel model;
    recordActivations(model.dump, "Sqrt");
    const ProgramRun run = model.run("agree", {"--format", "json"});
    CHECK(run.exitCode == 0);
    CHECK(parseCheckReport(run.output, "report").outputs.at(0).asWritten.samples == 5);
}

TEST_CASE("a dump without the model's outputs is checked, and the doubt is told")
{
    CheckedModel model;
    model.dump.write("/activations/x", {4, 4}, std::vector<float>(16, 0.75F));
    model.dump.attribute("/activations/x", "op_type", std::string("Input"));
    const ProgramRun run = model.run("agree");
    CHECK(run.exitCode == 0);
    CHECK_THAT(run.errors, containsText("holds none of the model's outputs"));
}

TEST_CASE("feeds are what the model was fed, integers too")
{
    CheckedModel model;
    model.model = saved(floatModel(::onnx::TensorProto::INT64), model.model);
    model.quantized = saved(quantizedModel(::onnx::TensorProto::INT64), model.quantized);
    model.dump.write("/feeds/0/x", {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, Stored::Int32);
    model.dump.write("/feeds/1/x", {3, 4}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2}, Stored::Int32);
    model.dump.write("/activations/y", {5, 4},
                     {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2}, Stored::Float32);
    model.dump.attribute("/activations/y", "batch_axis", std::int64_t{0});
    const ProgramRun run = model.run("agree", {"--format", "json"});
    CHECK(run.errors.find("none of the model's outputs") == std::string::npos);
    REQUIRE(run.exitCode == 0);
    const CheckReport report = parseCheckReport(run.output, "report");
    CHECK(report.samples == 5);
    CHECK(std::isinf(report.outputs.at(0).recordedDb.value()));
    CHECK(report.outputs.at(0).asWritten.meanError == 0.125);
}

TEST_CASE("a single value is fed as one, in the type that the model takes")
{
    CheckedModel model;
    ::onnx::ModelProto recorded = floatModel();
    ::onnx::ModelProto quantized = quantizedModel();
    for (::onnx::ModelProto* one : {&recorded, &quantized})
        addInput(*one->mutable_graph(), "sr", {}, ::onnx::TensorProto::INT64);
    model.model = saved(recorded, model.model);
    model.quantized = saved(quantized, model.quantized);
    recordActivations(model.dump);
    for (const char* batch : {"0", "1"}) {
        const std::string folder = std::string("/feeds/") + batch;
        const std::uint64_t samples = *batch == '0' ? 2 : 3;
        model.dump.write(folder + "/x", {samples, 4}, std::vector<float>(4 * samples, 0.75F));
        model.dump.write(folder + "/sr", {1}, {16000}, Stored::Int32);  // as a list of one
    }
    const ProgramRun run = model.run("rate", {"--format", "json"});
    REQUIRE(run.exitCode == 0);
    CHECK(parseCheckReport(run.output, "report").samples == 5);
    CHECK(model.run("rate", {"--samples", "1"}).exitCode == 0);

    // Where the model does not tell that it takes a single value, the list of one stays one.
    for (::onnx::ModelProto* one : {&recorded, &quantized})
        one->mutable_graph()
            ->mutable_input(1)
            ->mutable_type()
            ->mutable_tensor_type()
            ->clear_shape();
    model.model = saved(recorded, model.model);
    model.quantized = saved(quantized, model.quantized);
    CHECK_THAT(model.run("rate").errors, containsText("not the single int64"));
    model.dump.write("/feeds/2/x", {1, 4}, std::vector<float>(4, 0.75F));
    CHECK_THAT(model.run("agree").errors,
               containsText("batch 3 of /feeds lacks input \"sr\" of the model"));
}

TEST_CASE("models that do not belong together, and what is not a model, are refused")
{
    CheckedModel model = recordedModel();
    ::onnx::ModelProto other = quantizedModel();
    other.mutable_graph()->mutable_output(0)->set_name("z");
    model.quantized = saved(other, model.quantized);
    CHECK_THAT(model.run("agree").errors,
               containsText("output \"y\" is not in both models; is it made from"));
    model.quantized = saved(floatModel(), model.quantized);
    CHECK_THAT(model.run("agree").errors, containsText("q.onnx: has no quantized tensor"));
    model.quantized = model.dump.path();
    const ProgramRun run = model.run("agree");
    CHECK(run.exitCode == 3);
    CHECK_THAT(run.errors, containsText("ONNX model"));
}

TEST_CASE("a check that was killed leaves its folder to the next one, which removes it")
{
    namespace fs = std::filesystem;
    const CheckedModel model = recordedModel();
    const TemporaryFolder temporary;
    const auto left = [&] {
        std::set<std::string> names;
        for (const fs::directory_entry& entry : fs::directory_iterator(temporary.path()))
            names.insert(entry.path().filename().string());
        return names;
    };
    const std::string others = "calibscope-check-others";
    fs::create_directory(temporary.file(others));
    fs::create_directory(temporary.file("elsewhere"));
    fs::create_directory_symlink(temporary.file("elsewhere"),
                                 temporary.file("calibscope-check-link"));
    const HeldLock held(temporary.file(others));
    const std::set<std::string> before = left();
    CHECK(model.runIn(temporary, "kill -KILL $PPID #").exitCode == -1);
    CHECK(left().size() == before.size() + 1);
    CHECK(model.runIn(temporary, fakeRunner + " agree").exitCode == 0);
    CHECK(left() == before);
}

}  // namespace check_test
