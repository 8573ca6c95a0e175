// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/improvements.h"
#include "core/layers/layer_reading.h"
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

constexpr double dbTolerance = 0.01;     // promised; float32 operands, sums in another order
constexpr double deltaTolerance = 1e-5;  // of the sum of magnitudes

/// A layer of a large dump with the scales that its golden figures are for, all positions.
struct GoldenLayer
{
    std::shared_ptr<const DumpFile> dump;
    LayerDump asLayers;
    LayerOptions options{.positions = 0};
    LayerReading reading;
    SampleSplit split;

    GoldenLayer(std::shared_ptr<const DumpFile> file, const std::string& name)
        : dump(std::move(file)),
          asLayers(*dump),
          reading(asLayers, named(dump->tensors(), name), options, {}),
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
    [[nodiscard]] TensorQuantization weightScale(int level) const
    {
        const std::span<const float> weight = reading.weight();
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
                 layer.weightScale(expected["weight_levels"].get<int>()))}},
            {}, 1);
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
    }
}

}  // namespace improvements_golden_test
