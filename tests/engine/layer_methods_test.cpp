// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/layer_methods.h"

#include "core/engine/methods.h"
#include "core/protocol/codec.h"
#include "core/recipes/candidates.h"
#include "core/recipes/make_choice.h"
#include "tests/engine/fake_dump.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace layer_methods_test {

using namespace calibscope;
using namespace calibscope::engine;
using calibscope::test::Approx;
using calibscope::test::containsText;

const std::vector<float> inputValues{1.0F,  -2.0F, 0.5F, 0.3F, 0.7F, -1.0F,
                                     -0.4F, 1.7F,  0.9F, 2.6F, 0.1F, -0.6F};
const std::vector<float> weightValues{0.47F, 0.25F, -1.0F, 1.0F, 0.1F, 0.3F};

/// y = x w^T, 4 samples of 3 values, 2 outputs.
std::vector<float> product(const std::vector<double>& x, const std::vector<double>& w)
{
    std::vector<float> y;
    for (std::size_t sample = 0; sample < 4; ++sample)
        for (std::size_t output = 0; output < 2; ++output) {
            double sum = 0.0;
            for (std::size_t k = 0; k < 3; ++k)
                sum += x[3 * sample + k] * w[3 * output + k];
            y.push_back(static_cast<float>(sum));
        }
    return y;
}

std::vector<double> doubles(const std::vector<float>& values)
{
    return {values.begin(), values.end()};
}

/// Min-max, symmetric, -127 to 127, one scale.
std::vector<double> quantized(const std::vector<float>& values)
{
    double largest = 0.0;
    for (const float value : values)
        largest = std::max(largest, std::fabs(static_cast<double>(value)));
    const auto scale = static_cast<float>(largest / 127.0);
    std::vector<double> made;
    for (const float value : values)
        made.push_back(static_cast<double>(scale * std::nearbyint(value / scale)));
    return made;
}

/// 10 log10(sum y^2 / sum e^2), in double throughout.
double sqnrOf(const std::vector<double>& x, const std::vector<double>& w)
{
    const std::vector<double> x0 = doubles(inputValues);
    const std::vector<double> w0 = doubles(weightValues);
    double signal = 0.0;
    double noise = 0.0;
    const std::vector<float> y = product(x0, w0);
    for (std::size_t sample = 0; sample < 4; ++sample)
        for (std::size_t output = 0; output < 2; ++output) {
            double error = 0.0;
            for (std::size_t k = 0; k < 3; ++k)
                error +=
                    x[3 * sample + k] * w[3 * output + k] - x0[3 * sample + k] * w0[3 * output + k];
            const auto recorded = static_cast<double>(y[2 * sample + output]);
            signal += recorded * recorded;
            noise += error * error;
        }
    return 10.0 * std::log10(signal / noise);
}

/// A recorded Gemm, one whose input is missing, and what only its user knows to be a weight.
struct LayerDumps : test::FakeDumps
{
    [[nodiscard]] EngineParts layerParts()
    {
        EngineParts made = parts();
        made.analyse = [](const ValueSource& source, TensorProfile& profile,
                          std::span<const Choice> choices, const AnalyseOptions& options,
                          const Progress& progress) {
            return analyse(source, profile, choices, options, progress);
        };
        made.open = [this](const std::string& path, bool, const Progress&) { return opened(path); };
        return made;
    }

    [[nodiscard]] std::shared_ptr<const OpenDump> opened(const std::string& path)
    {
        OpenDump dump{.identity = identity(path)};
        const auto tensor = [](const char* name, Role role, std::vector<std::uint64_t> shape) {
            TensorInfo info{.name = name,
                            .path = std::string("/") + name,
                            .role = role,
                            .elementType = ElementKind::Float32,
                            .shape = std::move(shape)};
            if (role == Role::Activation) {
                info.batchAxis = 0;
                info.batchSize = 2;
                info.channelAxis = 1;
            } else {
                info.channelAxis = 0;
            }
            return info;
        };
        dump.tensors = {tensor("x", Role::Activation, {4, 3}), tensor("w", Role::Weight, {2, 3}),
                        tensor("y", Role::Activation, {4, 2}),
                        tensor("z", Role::Activation, {4, 2})};
        dump.tensors[2].op = dump.tensors[3].op = "Gemm";
        dump.tensors[2].inputs = {"x", "w"};
        dump.tensors[2].geometry.transB = 1;
        dump.tensors[3].inputs = {"gone", "w"};
        dump.source = [this](const TensorInfo& understood, std::uint64_t) {
            static const std::map<std::string, std::vector<float>> values = {
                {"x", inputValues},
                {"w", weightValues},
                {"y", product(doubles(inputValues), doubles(weightValues))},
                {"z", std::vector<float>(8, 1.0F)}};
            ++passes;
            return sourceOf(understood, values.at(understood.name));
        };
        return std::make_shared<const OpenDump>(std::move(dump));
    }
};

Choice minMax()
{
    return makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
}

protocol::ChoiceOnTensor on(const char* path, const Choice& choice, const char* id = "min-max")
{
    return {.path = path, .id = id, .label = id, .choice = choice};
}

protocol::LayerRequest requestFor(const char* layer)
{
    return {.path = "a.h5",
            .layer = layer,
            .decisions = {on("/x", minMax()), on("/w", minMax())},
            .positions = 0};
}

constexpr std::uint64_t memory = std::uint64_t{256} << 20;
constexpr double tolerance = 1e-6;  // dB; both sum in double, in another order

TEST_CASE("layers are listed without reading values, those that lack an operand with the reason")
{
    LayerDumps dumps;
    Methods methods(dumps.layerParts(), memory);
    const protocol::LayerList list =
        methods.answer(protocol::LayersRequest{.path = "a.h5"}, Progress());
    CHECK(dumps.passes == 0);
    REQUIRE(list.layers.size() == 2);
    CHECK(list.layers[0].layer == "y");
    CHECK(list.layers[0].path == "/y");
    CHECK(list.layers[0].op == "Gemm");
    CHECK(list.layers[0].input.path == "/x");
    CHECK(list.layers[0].weight.path == "/w");
    CHECK(list.layers[0].whyNot.empty());
    CHECK(list.layers[1].layer == "z");
    CHECK_THAT(list.layers[1].whyNot, containsText("gone"));
}

TEST_CASE("a layer's errors are those of a plain computation, its parts likewise")
{
    LayerDumps dumps;
    Methods methods(dumps.layerParts(), memory);
    const LayerResult result = methods.answer(requestFor("y"), Progress());
    REQUIRE(result.whyNot == "");
    const std::vector<double> x = quantized(inputValues);
    const std::vector<double> w = quantized(weightValues);
    REQUIRE(result.outputSqnrDb);
    CHECK(*result.outputSqnrDb == Approx(sqnrOf(x, w)).margin(tolerance));
    CHECK(*result.inputDb == Approx(sqnrOf(x, doubles(weightValues))).margin(tolerance));
    CHECK(*result.weightDb == Approx(sqnrOf(doubles(inputValues), w)).margin(tolerance));
    CHECK(result.isExact());
    CHECK(result.of == 4);
    CHECK_FALSE(result.intervalDb);
    CHECK(result.input.label == "min-max");
    CHECK(result.channels.size() == 0);
    protocol::LayerRequest perChannel = requestFor("y");
    perChannel.perChannel = true;
    CHECK(methods.answer(perChannel, Progress()).channels.size() == 2);
}

TEST_CASE("an operand without a decision stays float")
{
    LayerDumps dumps;
    Methods methods(dumps.layerParts(), memory);
    protocol::LayerRequest request = requestFor("y");
    request.decisions.pop_back();
    const LayerResult result = methods.answer(request, Progress());
    CHECK(*result.outputSqnrDb ==
          Approx(sqnrOf(quantized(inputValues), doubles(weightValues))).margin(tolerance));
    CHECK_FALSE(result.weightDb);
    CHECK_FALSE(result.weight.isDecided());
}

TEST_CASE("candidates are answered under the ids that they were asked with")
{
    LayerDumps dumps;
    Methods methods(dumps.layerParts(), memory);
    const Choice half = makeChoice("min-max", {{"fraction", "0.5"}},
                                   SchemeKind::SymmetricRestricted, Granularity::Tensor);
    const LayerCandidates found =
        methods.answer(protocol::LayerTrialsRequest{.layer = requestFor("y"),
                                                    .candidates = {on("/x", minMax(), "own"),
                                                                   on("/x", half, "clipping"),
                                                                   on("/w", minMax(), "min-max")}},
                       Progress());
    REQUIRE(found.input.size() == 2);
    REQUIRE(found.weight.size() == 1);
    CHECK(found.input[0].candidate == "own");
    CHECK(found.input[0].isDecided);
    CHECK(found.input[1].candidate == "clipping");
    CHECK(*found.input[1].differenceDb < 0.0);
    CHECK(found.bestInput == 0U);
    CHECK(*found.bestSqnrDb ==
          Approx(sqnrOf(quantized(inputValues), quantized(weightValues))).margin(tolerance));
}

TEST_CASE("operands are tried without decisions, by words and formats that there are")
{
    LayerDumps dumps;
    Methods methods(dumps.layerParts(), memory);
    const auto trialsOf = [&](const char* layer, const char* analysis, const char* format) {
        return methods.answer(
            protocol::OperandTrialsRequest{
                .layer = {.path = "a.h5", .layer = layer, .positions = 0},
                .analysis = analysis,
                .format = format},
            Progress());
    };
    const OperandTrials found = trialsOf("y", "formats", "int8:divisor=qmax");
    REQUIRE(found.trials.size() == 1);
    CHECK(*found.trials.front().outputSqnrDb ==
          Approx(sqnrOf(doubles(inputValues), quantized(weightValues))).margin(tolerance));
    CHECK(found.inputLargest.size() == 3);
    CHECK(found.positions == 4);
    CHECK(trialsOf("y", "smooth", "").trials.size() == 22);
    CHECK_THAT(trialsOf("z", "awq", "").whyNot, containsText("gone"));
    CHECK_THROWS_WITH(trialsOf("y", "gptq", ""),
                      containsText("formats, smooth, awq, awq-clip, rotate"));
    CHECK_THROWS_WITH(trialsOf("none", "awq", ""), containsText("there is no layer none"));
}

TEST_CASE("a layer that cannot be computed, and one that is none, are told")
{
    LayerDumps dumps;
    Methods methods(dumps.layerParts(), memory);
    const LayerResult lacking = methods.answer(requestFor("z"), Progress());
    CHECK_THAT(lacking.whyNot, containsText("gone"));
    CHECK_FALSE(lacking.outputSqnrDb);
    CHECK_THROWS_WITH(methods.answer(requestFor("none"), Progress()),
                      containsText("there is no layer none"));
    protocol::LayerRequest failing = requestFor("y");
    failing.decisions[0].choice.rangeFrom = {
        {.tensor = "gone", .path = "/gone", .calibrator = "min-max", .settings = {}, .scheme = {}}};
    const LayerResult failed = methods.answer(failing, Progress());
    CHECK(failed.layer == "y");
    CHECK_THAT(failed.whyNot, containsText("gone"));
}

TEST_CASE("tensors are understood as the user says")
{
    LayerDumps dumps;
    Methods methods(dumps.layerParts(), memory);
    protocol::LayersRequest request{.path = "a.h5"};
    request.edited = {{.file = "a.h5", .index = 2, .layoutOverride = {.role = Role::Weight}}};
    const protocol::LayerList list = methods.answer(request, Progress());
    CHECK(std::ranges::none_of(list.layers,
                               [](const LayerResult& layer) { return layer.path == "/y"; }));
    request.edited[0].index = 99;
    CHECK_THROWS_WITH(methods.answer(request, Progress()), containsText("open it again"));
}

TEST_CASE("the work on a layer stops when it is told to")
{
    LayerDumps dumps;
    Methods methods(dumps.layerParts(), memory);
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(methods.answer(requestFor("y"), Progress(stop.get_token(), {})), Cancelled);
}

TEST_CASE("layers are asked for by their methods' names")
{
    LayerDumps dumps;
    Methods methods(dumps.layerParts(), memory);
    const auto result = protocol::decode<LayerResult>(
        methods.call("layer", protocol::encode(requestFor("y")), Progress()));
    CHECK(result.outputSqnrDb.has_value());
    const auto pairs = protocol::decode<protocol::Equalizations>(
        methods.call("equalizations",
                     protocol::encode(protocol::EqualizationsRequest{.path = "a.h5"}), Progress()));
    CHECK(pairs.pairs.empty());
}

TEST_CASE("samples are studied choice by choice")
{
    LayerDumps dumps;
    Methods methods(dumps.layerParts(), memory);
    const protocol::Studied studied = methods.answer(
        protocol::StudyRequest{
            .tensor = {.file = "a.h5", .index = 0}, .choices = {minMax(), minMax()}, .parts = 2},
        Progress());
    REQUIRE(studied.studies.size() == 2);
    const SampleStudy& study = studied.studies[0];
    CHECK(study.file == "a.h5");
    CHECK(study.tensor == "x");
    CHECK(study.problem.empty());
    CHECK(study.threshold == Approx(2.6).epsilon(1e-6));
    REQUIRE_FALSE(study.curve.empty());
    CHECK(study.curve.front().threshold == Approx(2.0));  // of the first batch, or sample
    CHECK(study.curve.back().threshold == Approx(2.6).epsilon(1e-6));
}

}  // namespace layer_methods_test
