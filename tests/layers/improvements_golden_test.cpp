// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/calibrated_anew.h"
#include "core/layers/channel_factors.h"
#include "core/layers/improvements.h"
#include "core/layers/layer_reading.h"
#include "core/layers/weight_rounding.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace improvements_golden_test {

using namespace calibscope;
using namespace calibscope::layers;
using nlohmann::json;
using test::Approx;

constexpr double dbTolerance = 0.01;      // promised; float32 operands, sums in another order
constexpr double factorTolerance = 1e-6;  // float32
constexpr double deltaTolerance = 1e-5;   // of the sum of magnitudes

/// A layer of a large dump with the scales that its golden figures are for, all positions.
struct GoldenLayer
{
    std::shared_ptr<const DumpFile> dump;
    LayerDump asLayers;
    LayerOptions options{.positions = 0};
    FoundLayer found;
    LayerReading reading;
    SampleSplit split;

    GoldenLayer(std::shared_ptr<const DumpFile> file, const std::string& name)
        : dump(std::move(file)),
          asLayers(*dump),
          found(named(dump->tensors(), name)),
          reading(asLayers, found, options, {}),
          split{.samples = reading.plan().samples}
    {}

    static FoundLayer named(const std::vector<TensorInfo>& tensors, const std::string& name)
    {
        const std::vector<FoundLayer> found = foundLayers(tensors);
        const auto layer = std::ranges::find(found, name, &FoundLayer::name);
        REQUIRE(layer != found.end());
        return *layer;
    }

    [[nodiscard]] static TensorQuantization inputScale(const json& expected)
    {
        return {.scales = {expected["scale"].get<float>()},
                .zeroPoints = {expected["zero_point"].get<double>()},
                .format = NumberFormat::integers(-128, 127)};
    }

    /// max |w| / level of each output channel, along axis 0.
    [[nodiscard]] TensorQuantization weightScale(int level, std::span<const float> weight) const
    {
        const std::size_t channels = reading.plan().channels();
        TensorQuantization scale{.axis = 0, .format = NumberFormat::integers(-level, level)};
        for (std::size_t channel = 0; channel < channels; ++channel) {
            const std::size_t run = weight.size() / channels;
            float most = 0.0F;
            for (const float value : weight.subspan(channel * run, run))
                most = std::max(most, std::abs(value));
            scale.scales.push_back(
                most > 0.0F ? static_cast<float>(static_cast<double>(most) / level) : 1.0F);
            scale.zeroPoints.push_back(0.0);
        }
        return scale;
    }
};

void compareDb(const UnitErrors& units, const UnitNoise& errors, const SampleSplit& split,
               const json& expected)
{
    CHECK(*units.sqnrDb(errors, split, true) ==
          Approx(expected["calibration_db"].get<double>()).margin(dbTolerance));
    CHECK(*units.sqnrDb(errors, split, false) ==
          Approx(expected["held_out_db"].get<double>()).margin(dbTolerance));
}

/// The input's values of the calibrating samples.
ValueSource calibratingInput(const GoldenLayer& layer)
{
    const TensorInfo& input = layer.dump->tensors()[*layer.found.input.tensor];
    return ofSamples(layer.dump->source(input),
                     [&](std::uint64_t sample) { return layer.split.calibrates(sample); });
}

void compareChannels(const GoldenLayer& layer, const json& all, double alpha)
{
    const json& expected = all[alpha == 0.5 ? "channels alpha 0.5" : "channels alpha 0.75"];
    const LayerPlan& plan = layer.reading.plan();
    const ChannelAxis axis = plan.inputChannelAxis();
    std::vector<double> largest(axis.channels, 0.0);
    const std::vector<float> values = readAll(calibratingInput(layer));
    for (std::size_t i = 0; i < values.size(); ++i) {
        double& most = largest[i / axis.run % axis.channels];
        most = std::max(most, static_cast<double>(std::abs(values[i])));
    }
    const bool isDepthwise = plan.groups > 1 && plan.outers == 1;
    const std::vector<float> factors =
        channelFactors(largest, layer.reading.weightRanges(true),
                       {.alpha = alpha, .low = isDepthwise ? 0.25 : 1.0});
    const json& known = expected["factors"];
    for (std::size_t channel = 0; channel < known["first"].size(); ++channel)
        CHECK(static_cast<double>(factors[channel]) ==
              Approx(known["first"][channel].get<double>()).epsilon(factorTolerance));
    const auto [least, most] = std::ranges::minmax(factors);
    CHECK(static_cast<double>(least) ==
          Approx(known["least"].get<double>()).epsilon(factorTolerance));
    CHECK(static_cast<double>(most) ==
          Approx(known["largest"].get<double>()).epsilon(factorTolerance));
    CHECK(std::ranges::count(factors, 1.0F) == known["ones"].get<int>());
    std::vector<float> inverse;
    for (const float factor : factors)
        inverse.push_back(1.0F / factor);
    float low = 0.0F;
    float high = 0.0F;
    for (const float value : readAll(times(calibratingInput(layer), inverse, axis))) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    const double width = all["scheme"] == "affine"
                             ? (static_cast<double>(high) - static_cast<double>(low)) / 255.0
                             : static_cast<double>(std::max(-low, high)) / 127.0;
    CHECK(width == Approx(expected["activation_scale"].get<double>()).epsilon(factorTolerance));
    const OperandFactors applied{
        .input = inverse, .weightInput = factors, .weightOutput = {}, .output = {}};
    const TensorQuantization input{.scales = {static_cast<float>(width)},
                                   .zeroPoints = {expected["zero_point"].get<double>()},
                                   .format = NumberFormat::integers(-128, 127)};
    const std::vector<float> weight = layer.reading.weightTimes(applied);
    const LayerPass pass =
        layer.reading.passed({.input = {layer.reading.appliedToInput(input)},
                              .weight = {layer.reading.appliedToWeight(
                                  layer.weightScale(all["weight_levels"].get<int>(), weight))}},
                             applied, {.unitsPerSample = 1});
    compareDb(pass.units(), pass.units().noiseWith(), layer.split, expected);
}

void compareRounding(const GoldenLayer& layer, const json& all)
{
    constexpr double gramTolerance = 1e-9;  // sums of doubles in another order
    constexpr double gptqTolerance =
        0.02;  // promised: an integer that falls the other way is followed
    const auto input = layer.reading.appliedToInput(GoldenLayer::inputScale(all));
    AppliedScale weight = *layer.reading.appliedToWeight(
        layer.weightScale(all["weight_levels"].get<int>(), layer.reading.weight()));
    const LayerPass pass =
        layer.reading.passed({.input = {input}, .weight = {weight}}, {},
                             {.unitsPerSample = 1, .gramsOf = [&](std::uint64_t sample) {
                                  return layer.split.calibrates(sample);
                              }});
    const InputGrams& grams = pass.grams();
    const auto rows = static_cast<double>(grams.rows);
    const json& known = all["gram"];
    double trace = 0.0;
    for (std::uint64_t group = 0; group < layer.reading.plan().groups; ++group)
        for (std::uint64_t k = 0; k < grams.depth; ++k)
            trace += grams.of(group)[k * grams.depth + k] / rows;
    CHECK(trace == Approx(known["trace"].get<double>()).epsilon(gramTolerance));
    for (std::size_t k = 0; k < known["first_row"].size(); ++k)
        CHECK(grams.of(0)[k] / rows ==
              Approx(known["first_row"][k].get<double>()).epsilon(gramTolerance).margin(1e-12));
    const auto errorsWith = [&](std::span<const float> values) {
        const LayerPass again = layer.reading.passed({.input = {input}, .weight = {weight}}, {},
                                                     {.unitsPerSample = 1, .rounded = values});
        return std::pair(again.units(), again.units().noiseWith());
    };
    const json& gptq = all["gptq"];
    const std::vector<std::int16_t> integers =
        roundedByGrams(layer.reading.plan(), grams, layer.reading.weight(), weight);
    const std::vector<float> values = dequantized(integers, weight.scale, weight.axis);
    const auto [units, errors] = errorsWith(values);
    CHECK(*units.sqnrDb(errors, layer.split, false) ==
          Approx(gptq["held_out_db"].get<double>()).margin(gptqTolerance));
    CHECK(*units.sqnrDb(errors, layer.split, true) ==
          Approx(gptq["calibration_db"].get<double>()).margin(gptqTolerance));
    std::vector<float> nearest(values.size());
    fakeQuantize(layer.reading.weight(), weight.scale, weight.axis, nearest);
    double changed = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
        changed += values[i] == nearest[i] ? 0.0 : 1.0;
    // 99.9 % of the integers are equal, so their sums and changes are this near.
    const double few = 0.001 * static_cast<double>(integers.size());
    CHECK(changed == Approx(gptq["changed"].get<double>()).margin(few));
    CHECK(std::accumulate(integers.begin(), integers.end(), 0.0) ==
          Approx(gptq["sum"].get<double>()).margin(few));
    const json& clip = all["clip by output"];
    const std::vector<float> decided = weight.scale.scales;
    weight.scale.scales =
        clippedScales(layer.reading.plan(), grams, layer.reading.weight(), weight);
    double fractions = 0.0;
    for (std::size_t channel = 0; channel < decided.size(); ++channel)
        fractions += static_cast<double>(weight.scale.scales[channel] / decided[channel]);
    CHECK(fractions == Approx(clip["fractions"]["sum"].get<double>()).margin(1e-4));
    const auto [clippedUnits, clippedErrors] = errorsWith({});
    compareDb(clippedUnits, clippedErrors, layer.split, clip);
}

// The large dumps are not part of the tree: CALIBSCOPE_DUMPS names a folder that holds them.
TEST_CASE("errors and shifts of the large dumps are NumPy's, where CALIBSCOPE_DUMPS names their "
          "folder")
{
    const char* folder = std::getenv("CALIBSCOPE_DUMPS");
    if (folder == nullptr)
        return;
    std::ifstream file(std::string(CALIBSCOPE_SOURCE_DIR) + "/tests/golden/improvements.json");
    REQUIRE(file.is_open());
    const json all = json::parse(file)["layers"];
    CHECK(all.size() == 7);
    for (const json& expected : all) {
        INFO(expected["layer"].get<std::string>());
        const GoldenLayer layer(
            DumpFile::open(std::string(folder) + "/" + expected["dump"].get<std::string>()),
            expected["layer"].get<std::string>());
        const LayerPass pass = layer.reading.passed(
            {.input = {layer.reading.appliedToInput(GoldenLayer::inputScale(expected))},
             .weight = {layer.reading.appliedToWeight(
                 layer.weightScale(expected["weight_levels"].get<int>(), layer.reading.weight()))}},
            {}, {.unitsPerSample = 1});
        const UnitErrors& units = pass.units();
        compareDb(units, units.noiseWith(), layer.split, expected["rounded"]);
        const ChannelShift shift = units.meanShift(layer.split);
        const json& delta = expected["bias"]["delta"];
        const auto magnitudes = delta["sum_of_magnitudes"].get<double>();
        const double margin = deltaTolerance * magnitudes;
        for (std::size_t channel = 0; channel < delta["first"].size(); ++channel)
            CHECK(shift.shift[channel] ==
                  Approx(delta["first"][channel].get<double>()).margin(margin));
        CHECK(std::accumulate(shift.shift.begin(), shift.shift.end(), 0.0) ==
              Approx(delta["sum"].get<double>()).margin(margin));
        CHECK(std::transform_reduce(shift.shift.begin(), shift.shift.end(), 0.0, std::plus{},
                                    [](double by) { return std::abs(by); }) ==
              Approx(magnitudes).margin(margin));
        compareDb(units, units.noiseWith(shift.shift), layer.split, expected["bias"]);
        for (const double alpha : {0.5, 0.75})
            compareChannels(layer, expected, alpha);
        compareRounding(layer, expected);
    }
}

}  // namespace improvements_golden_test
