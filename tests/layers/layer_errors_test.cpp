// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_errors.h"

#include "core/base/error.h"
#include "core/collect/at_once.h"
#include "core/deploy/decisions/decisions.h"
#include "core/deploy/decisions/written_scales.h"
#include "core/recipes/candidates.h"
#include "core/recipes/make_choice.h"
#include "core/report/tables/layer_report.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <stop_token>

namespace layer_errors_test {

using namespace calibscope;
using nlohmann::json;
using test::Approx;

const std::string goldenFolder = std::string(CALIBSCOPE_SOURCE_DIR) + "/tests/golden/";

/// Of sums of some thousand products in another order: NumPy's are up to 1e-15 away; the figures
/// are promised to 1e-9.
constexpr double exactly = 1e-9;
/// A residual is what cancellation leaves: it has some seven digits less.
constexpr double afterCancelling = 1e-6;

struct Golden
{
    std::shared_ptr<const DumpFile> dump = DumpFile::open(goldenFolder + "layers.h5");
    std::vector<DecidedTensor> decided =
        deploy::decidedBy(*dump, deploy::readScalesJson(goldenFolder + "layers-scales.json"),
                          "layers")
            .tensors;
    json expected = json::parse(std::ifstream(goldenFolder + "layers.json"));
};

const LayerResult& named(const LayerReport& report, const std::string& name)
{
    const auto found = std::ranges::find(report.layers, name, &LayerResult::layer);
    REQUIRE(found != report.layers.end());
    return *found;
}

void compare(const std::optional<double>& got, const json& expected, double tolerance)
{
    REQUIRE(got.has_value() == !expected.is_null());
    if (got)
        CHECK(*got == Approx(expected.get<double>()).epsilon(tolerance));
}

std::vector<float> gaussian(std::size_t count, unsigned seed)
{
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    for (float& value : values)
        value = normal(random);
    return values;
}

Choice minMax(const TensorInfo& tensor)
{
    return makeChoice("min-max", {}, SchemeKind::SymmetricRestricted,
                      tensor.role == Role::Weight ? Granularity::Channel : Granularity::Tensor);
}

std::vector<DecidedTensor> decidedOn(const DumpFile& dump)
{
    const std::set<std::string> operands = layers::operandPaths(dump.tensors());
    return deploy::decidedBy(
               dump,
               [](const TensorInfo& tensor) -> std::optional<Choice> { return minMax(tensor); },
               {.wants = [&](const TensorInfo& tensor) { return operands.contains(tensor.path); }})
        .tensors;
}

/// y = x w^T of 6 samples, 3 inputs and 4 outputs: a Gemm without recorded attributes.
struct SmallDump
{
    test::H5File file;
    std::vector<float> input = gaussian(18, 1);
    std::vector<float> weight = gaussian(12, 2);
    std::vector<float> output = std::vector<float>(24);

    SmallDump()
    {
        for (std::size_t sample = 0; sample < 6; ++sample)
            for (std::size_t to = 0; to < 4; ++to)
                for (std::size_t k = 0; k < 3; ++k)
                    output[sample * 4 + to] += input[sample * 3 + k] * weight[to * 3 + k];
        file.makeGroup("/activations");
        file.attribute("/", "format", std::string("calibration-dump"));
        file.attribute("/", "format_version", std::int64_t{1});
    }
    void writeInput(const std::string& name = "x")
    {
        file.write("/activations/" + name, {6, 3}, input);
        file.attribute("/activations/" + name, "op_type", std::string("Relu"));
    }
    void writeWeight()
    {
        file.write("/weights/w", {4, 3}, weight);
        file.attribute("/weights/w", "op_type", std::string("Gemm"));
        file.attribute("/weights/w", "channel_axis", std::int64_t{0});
    }
    void writeOutput(const std::string& name = "y", const std::string& takes = "x")
    {
        file.write("/activations/" + name, {6, 4}, output);
        file.attribute("/activations/" + name, "op_type", std::string("Gemm"));
        file.attribute("/activations/" + name, "inputs", std::vector<std::string>{takes, "w"});
    }
    void write()
    {
        writeInput();
        writeWeight();
        writeOutput();
    }
    [[nodiscard]] LayerResult result(const layers::LayerOptions& options = {}) const
    {
        const auto dump = DumpFile::open(file.path());
        LayerReport report = layers::layerReport(*dump, decidedOn(*dump), options);
        REQUIRE_FALSE(report.layers.empty());
        return report.layers.front();
    }
};

TEST_CASE("a weight with scales of groups costs its layer what each group's rounding does")
{
    // y = x w of 5 samples, 4 inputs and 3 outputs, in two groups of two inputs, 4 bits.
    const std::vector<float> x = gaussian(20, 3);
    const std::vector<float> w = gaussian(12, 4);
    std::vector<float> y(15);
    double signal = 0.0;
    double noise = 0.0;
    for (std::size_t sample = 0; sample < 5; ++sample)
        for (std::size_t to = 0; to < 3; ++to) {
            double sum = 0.0;
            double error = 0.0;
            for (std::size_t k = 0; k < 4; ++k) {
                const float largest =
                    std::max(std::abs(w[k / 2 * 6 + to]), std::abs(w[k / 2 * 6 + 3 + to]));
                const auto scale = static_cast<float>(static_cast<double>(largest) / 7.0);
                const float rounded = std::nearbyint(w[k * 3 + to] / scale) * scale;
                const auto input = static_cast<double>(x[sample * 4 + k]);
                sum += input * static_cast<double>(w[k * 3 + to]);
                error +=
                    input * (static_cast<double>(rounded) - static_cast<double>(w[k * 3 + to]));
            }
            y[sample * 3 + to] = static_cast<float>(sum);
            signal +=
                static_cast<double>(y[sample * 3 + to]) * static_cast<double>(y[sample * 3 + to]);
            noise += error * error;
        }
    test::H5File file;
    file.makeGroup("/activations");
    file.attribute("/", "format", std::string("calibration-dump"));
    file.attribute("/", "format_version", std::int64_t{1});
    file.write("/activations/x", {5, 4}, x);
    file.attribute("/activations/x", "op_type", std::string("Relu"));
    file.write("/weights/w", {4, 3}, w);
    file.attribute("/weights/w", "op_type", std::string("MatMul"));
    file.attribute("/weights/w", "channel_axis", std::int64_t{1});
    file.write("/activations/y", {5, 3}, y);
    file.attribute("/activations/y", "op_type", std::string("MatMul"));
    file.attribute("/activations/y", "inputs", std::vector<std::string>{"x", "w"});
    const auto dump = DumpFile::open(file.path());
    const auto decided = deploy::decidedBy(*dump,
                                           [](const TensorInfo& tensor) -> std::optional<Choice> {
                                               if (tensor.role != Role::Weight)
                                                   return std::nullopt;
                                               return makeChoice("min-max", {{"bits", "4"}},
                                                                 SchemeKind::SymmetricRestricted,
                                                                 parseGranularity("g2"));
                                           },
                                           {});
    REQUIRE(decided.tensors.size() == 1);
    CHECK(decided.tensors.front().outcome.channels.size() == 6);
    const LayerResult layer = named(layers::layerReport(*dump, decided.tensors, {}), "y");
    REQUIRE(layer.whyNot.empty());
    CHECK(layer.outputSqnrDb.value() == Approx(10.0 * std::log10(signal / noise)).epsilon(exactly));
}

TEST_CASE("layers of every kind have the errors that NumPy finds, with recorded attributes and "
          "found ones")
{
    const Golden golden;
    const LayerReport report =
        layers::layerReport(*golden.dump, golden.decided, {.positions = 0, .withChannels = true});
    CHECK(report.layers.size() == golden.expected.size());
    for (const auto& [name, expected] : golden.expected.items()) {
        const LayerResult& layer = named(report, name);
        INFO(name << ": " << layer.whyNot << " " << layer.attributes);
        REQUIRE(layer.whyNot.empty());
        compare(layer.outputSqnrDb, expected["output_sqnr_db"], exactly);
        compare(layer.outputAcDb, expected["output_ac_db"], exactly);
        compare(layer.inputDb, expected["input_db"], exactly);
        compare(layer.weightDb, expected["weight_db"], exactly);
        compare(layer.residual, expected["residual"], afterCancelling);
        compare(layer.biasGainDb, expected["bias_gain_db"], afterCancelling);
        CHECK(*layer.residual < 7e-7);
        CHECK(layer.isExact());
        CHECK(layer.positions == expected["positions"].get<std::uint64_t>());
        REQUIRE(layer.channels.size() == expected["channel_noise"].size());
        for (std::size_t channel = 0; channel < layer.channels.size(); ++channel) {
            CHECK(layer.channels.signal[channel] ==
                  Approx(expected["channel_signal"][channel].get<double>()).epsilon(exactly));
            CHECK(layer.channels.noise[channel] ==
                  Approx(expected["channel_noise"][channel].get<double>()).epsilon(exactly));
            CHECK(layer.channels.meanError[channel] ==
                  Approx(expected["channel_mean_error"][channel].get<double>())
                      .epsilon(0)
                      .margin(exactly * std::sqrt(layer.channels.noise[channel])));
        }
        CHECK(layer.attributes.starts_with(name.ends_with(".found") ? "found by recomputing: "
                                                                    : layer.attributes));
    }
}

TEST_CASE("estimates lie within their intervals as often as they promise")
{
    const Golden golden;
    const std::set<std::string> layers{"many", "dilated.found", "up.recorded", "volume.recorded"};
    const LayerReport exact =
        layers::layerReport(*golden.dump, golden.decided, {.positions = 0, .layers = layers});
    int inside = 0;
    int draws = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const LayerReport drawn = layers::layerReport(
            *golden.dump, golden.decided, {.positions = 256, .seed = seed, .layers = layers});
        CHECK(drawn.seed == seed);
        for (const LayerResult& layer : drawn.layers) {
            REQUIRE(layer.intervalDb);
            ++draws;
            inside += std::abs(*layer.outputSqnrDb - *named(exact, layer.layer).outputSqnrDb) <=
                              *layer.intervalDb
                          ? 1
                          : 0;
        }
    }
    CHECK(draws == 240);
    CHECK(inside >= 0.93 * draws);
}

TEST_CASE("results do not depend on threads")
{
    const Golden golden;
    const layers::LayerOptions options{.positions = 500, .withChannels = true};
    const LayerReport several = layers::layerReport(*golden.dump, golden.decided, options);
    CHECK(layers::layerReport(*golden.dump, golden.decided, options) == several);
}

TEST_CASE("a layer whose operands give the recorded output has numbers, others the reason")
{
    SmallDump small;
    SECTION("all is there")
    {
        small.write();
        const LayerResult layer = small.result();
        CHECK(layer.whyNot.empty());
        CHECK(layer.attributes == "found by recomputing: transB 1");
        CHECK(layer.input.label == "min-max");
        CHECK(layer.weight.isWeight);
        CHECK(*layer.residual < 1e-6);
    }
    SECTION("another output")
    {
        small.output = gaussian(24, 9);
        small.write();
        small.file.attribute("/activations/y", "transB", std::int64_t{1});
        CHECK_THAT(small.result().whyNot,
                   test::containsText("these operands do not give the recorded output"));
    }
    SECTION("another output, attributes unknown")
    {
        small.output = gaussian(24, 9);
        small.write();
        CHECK_THAT(small.result().whyNot, test::containsText("attributes were not recorded"));
    }
    SECTION("NaN in the input, which min-max passes over")
    {
        small.input[17] = std::nanf("");
        small.write();
        small.file.attribute("/activations/y", "transB", std::int64_t{1});
        CHECK(small.result().whyNot == "x holds NaN or infinite values");
    }
    SECTION("no input")
    {
        small.writeWeight();
        small.writeOutput();
        CHECK(small.result().whyNot == "input x is not in the dump");
    }
    SECTION("other samples")
    {
        small.file.write("/activations/x", {4, 3}, gaussian(12, 1));
        small.file.attribute("/activations/x", "op_type", std::string("Relu"));
        small.writeWeight();
        small.writeOutput();
        CHECK(small.result().whyNot == "x has 4 samples, the output 6");
    }
    SECTION("an input that can't be read")
    {
        small.file.write("/activations/x", {6, 3}, small.input,
                         {.chunk = {6, 3}, .unknownFilter = 31999});
        small.file.attribute("/activations/x", "op_type", std::string("Relu"));
        small.writeWeight();
        small.writeOutput();
        CHECK_THAT(small.result().whyNot, test::containsText("x can't be read"));
    }
    SECTION("hostile attributes")
    {
        small.write();
        small.file.attribute("/activations/y", "transB", std::int64_t{0});
        CHECK_THAT(small.result().whyNot, test::containsText("don't give 6 x 4 with transB 0"));
    }
    SECTION("too little memory")
    {
        small.write();
        CHECK_THAT(small.result({.memoryBytes = 1000}).whyNot,
                   test::containsText("more than the 1 MiB that a layer may take"));
    }
}

TEST_CASE("outputs of few digits may be farther from what is computed than those of float32")
{
    // Off by up to half a percent, as an output can be that was computed in float16.
    const auto whyNot = [](test::Stored stored) {
        SmallDump small;
        std::vector<double> output(small.output.begin(), small.output.end());
        for (std::size_t i = 0; i < output.size(); ++i)
            output[i] *= i % 3 == 0 ? 1.005 : 0.998;
        small.writeInput();
        small.writeWeight();
        small.file.write("/activations/y", {6, 4}, output, stored);
        small.file.attribute("/activations/y", "op_type", std::string("Gemm"));
        small.file.attribute("/activations/y", "inputs", std::vector<std::string>{"x", "w"});
        small.file.attribute("/activations/y", "transB", std::int64_t{1});
        return small.result().whyNot;
    };
    CHECK(whyNot(test::Stored::Float16).empty());
    CHECK_THAT(whyNot(test::Stored::Float32), test::containsText("do not give the recorded"));
}

TEST_CASE("a report can be cancelled")
{
    const Golden golden;
    std::stop_source stop;
    std::size_t steps = 0;
    const Progress progress(stop.get_token(), [&](std::uint64_t, std::uint64_t, std::string_view) {
        if (++steps == 3)
            stop.request_stop();
    });
    const ThreadLimit one(1);
    CHECK_THROWS_AS(layers::layerReport(*golden.dump, golden.decided, {}, progress), Cancelled);
    CHECK(steps < 20);
}

TEST_CASE("operands of which nothing was decided count as float")
{
    SmallDump small;
    small.write();
    const auto dump = DumpFile::open(small.file.path());
    CHECK(layers::layerReport(*dump, {}).layers.front().whyNot == "neither operand has a decision");
    std::vector<DecidedTensor> decided = decidedOn(*dump);
    std::erase_if(decided, [](const auto& tensor) { return tensor.info.role == Role::Weight; });
    const LayerResult layer = layers::layerReport(*dump, decided).layers.front();
    CHECK(layer.whyNot.empty());
    CHECK_FALSE(layer.weightDb);
    CHECK(layer.inputDb == layer.outputSqnrDb);
    CHECK(layerNotes(layer).front() == "w has no decision: counts as float");
}

TEST_CASE("an input that was only moved has the decision of what it was moved from")
{
    SmallDump small;
    small.writeInput("source");
    small.file.write("/activations/x", {6, 3}, small.input);
    small.file.attribute("/activations/x", "op_type", std::string("Reshape"));
    small.file.attribute("/activations/x", "inputs", std::vector<std::string>{"source", "shape"});
    small.writeWeight();
    small.writeOutput();
    const auto dump = DumpFile::open(small.file.path());
    CHECK(layers::operandPaths(dump->tensors()).contains("/activations/source"));
    std::vector<DecidedTensor> decided = decidedOn(*dump);
    const LayerReport own = layers::layerReport(*dump, decided);
    std::erase_if(decided, [](const auto& tensor) { return tensor.info.name == "x"; });
    const LayerReport moved = layers::layerReport(*dump, decided);
    CHECK(moved.layers.front().input.decidedBy == "source");
    CHECK(moved.layers.front().outputSqnrDb == own.layers.front().outputSqnrDb);
}

TEST_CASE(
    "candidates have the errors that deciding them gives, and the best pair is the best of all")
{
    SmallDump small;
    small.write();
    const auto dump = DumpFile::open(small.file.path());
    const std::vector<DecidedTensor> decided = decidedOn(*dump);
    const std::vector<std::string> thresholds{"0.5", "1.5", "3"};
    const auto choiceOf = [](const TensorInfo& tensor, const std::string& threshold) {
        return makeChoice("fixed", {{"threshold", threshold}}, SchemeKind::SymmetricRestricted,
                          tensor.role == Role::Weight ? Granularity::Channel : Granularity::Tensor);
    };
    const auto decidedAs = [&](const TensorInfo& tensor, const std::string& threshold) {
        return deploy::decidedBy(*dump,
                                 [&](const TensorInfo& each) -> std::optional<Choice> {
                                     return each.path == tensor.path
                                                ? std::optional(choiceOf(each, threshold))
                                                : std::nullopt;
                                 })
            .tensors.front();
    };
    const LayerCandidates found =
        layers::layerCandidates(*dump, "y", decided, [&](const TensorInfo& tensor) {
            std::vector<layers::OperandCandidate> all;
            for (const std::string& threshold : thresholds)
                all.push_back({.id = "fixed:" + threshold,
                               .label = threshold,
                               .tensor = decidedAs(tensor, threshold)});
            return all;
        });
    REQUIRE(found.decided.whyNot.empty());
    // What was decided is added in front.
    REQUIRE(found.input.size() == 4);
    REQUIRE(found.weight.size() == 4);
    CHECK(found.input[0].isDecided);
    CHECK(found.input[0].differenceDb == 0.0);
    double best = -1e9;
    for (std::size_t one = 0; one < 4; ++one)
        for (std::size_t other = 0; other < 4; ++other) {
            std::vector<DecidedTensor> both = decided;
            for (DecidedTensor& tensor : both) {
                const std::size_t which = tensor.info.role == Role::Weight ? other : one;
                if (which > 0)
                    tensor = decidedAs(tensor.info, thresholds[which - 1]);
            }
            const double alone = *layers::layerReport(*dump, both).layers.front().outputSqnrDb;
            best = std::max(best, alone);
            if (other == 0)
                CHECK(*found.input[one].outputSqnrDb == Approx(alone).epsilon(exactly));
            if (one == 0)
                CHECK(*found.weight[other].outputSqnrDb == Approx(alone).epsilon(exactly));
            if (one == *found.bestInput && other == *found.bestWeight)
                CHECK(*found.bestSqnrDb == Approx(alone).epsilon(exactly));
        }
    CHECK(*found.bestSqnrDb == Approx(best).epsilon(exactly));
    CHECK_THROWS_AS(layers::layerCandidates(*dump, "z", decided, {}), Error);
}

TEST_CASE("equalizing helps where one channel between two layers has all of the range")
{
    // x -> a = x w^T (4 channels, the first 100 times as large, the last dead) -> relu
    // -> b = relu v^T
    SmallDump small;
    std::vector<float>& weight = small.weight;
    for (std::size_t k = 0; k < 3; ++k) {
        weight[k] *= 100.0F;
        weight[9 + k] *= 1e-12F;
    }
    small.output.assign(24, 0.0F);
    for (std::size_t sample = 0; sample < 6; ++sample)
        for (std::size_t to = 0; to < 4; ++to)
            for (std::size_t k = 0; k < 3; ++k)
                small.output[sample * 4 + to] += small.input[sample * 3 + k] * weight[to * 3 + k];
    small.writeInput();
    small.writeWeight();
    small.writeOutput("a", "x");
    std::vector<float> relu = small.output;
    for (float& value : relu)
        value = std::max(value, 0.0F);
    small.file.write("/activations/relu", {6, 4}, relu);
    small.file.attribute("/activations/relu", "op_type", std::string("Relu"));
    small.file.attribute("/activations/relu", "inputs", std::vector<std::string>{"a"});
    std::vector<float> second = gaussian(8, 4);
    second[0] /= 100.0F;  // takes the large channel back
    second[4] /= 100.0F;
    std::vector<float> output(12);
    for (std::size_t sample = 0; sample < 6; ++sample)
        for (std::size_t to = 0; to < 2; ++to)
            for (std::size_t k = 0; k < 4; ++k)
                output[sample * 2 + to] += relu[sample * 4 + k] * second[to * 4 + k];
    small.file.write("/weights/v", {2, 4}, second);
    small.file.attribute("/weights/v", "op_type", std::string("Gemm"));
    small.file.attribute("/weights/v", "channel_axis", std::int64_t{0});
    small.file.write("/activations/b", {6, 2}, output);
    small.file.attribute("/activations/b", "op_type", std::string("Gemm"));
    small.file.attribute("/activations/b", "inputs", std::vector<std::string>{"relu", "v"});
    const auto equalized = [&] {
        const auto dump = DumpFile::open(small.file.path());
        return layers::equalizations(*dump, decidedOn(*dump));
    };
    const std::vector<Equalization> pairs = equalized();
    REQUIRE(pairs.size() == 1);
    const Equalization& pair = pairs.front();
    CHECK(pair.whyNot.empty());
    CHECK(pair.first == "a");
    CHECK(pair.second == "b");
    CHECK(pair.activation == "relu");
    REQUIRE(pair.secondAfterDb);
    CHECK(*pair.secondAfterDb > *pair.secondBeforeDb + 15.0);  // of 40 dB, some
    // Scales per channel follow the weight's, so the first layer keeps its error.
    CHECK(*pair.firstAfterDb == Approx(*pair.firstBeforeDb).margin(0.1));
    CHECK(pair.largestScale / pair.leastScale > 30.0);
    CHECK(pair.leastScale > 0.01);  // the dead one keeps 1
    CHECK(pair.dominant.empty());   // of so few channels none is named

    small.file.write("/activations/other", {6, 4}, relu);
    small.file.attribute("/activations/other", "op_type", std::string("Sigmoid"));
    small.file.attribute("/activations/other", "inputs", std::vector<std::string>{"a"});
    CHECK(equalized().front().whyNot == "a feeds other ops, too");
}

TEST_CASE("layers are asked for by name or path, and missing ones are told")
{
    SmallDump small;
    small.write();
    const auto dump = DumpFile::open(small.file.path());
    CHECK(layers::layerNames(dump->tensors(), {.layers = {"/activations/y"}}) ==
          std::vector<std::string>{"y"});
    CHECK(layers::layerNames(dump->tensors(), {}) == std::vector<std::string>{"y"});
    CHECK(layers::missingLayers(dump->tensors(), {.layers = {"y", "z"}}) ==
          std::vector<std::string>{"z"});
}

}  // namespace layer_errors_test
