// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/analyse.h"
#include "core/collect/at_once.h"
#include "core/collect/collect_profile.h"
#include "core/collect/encode_tensor.h"
#include "core/deploy/decisions/decisions.h"
#include "core/dump/dump_file.h"
#include "core/formats/format_presets.h"
#include "core/layers/layer_errors.h"
#include "core/recipes/make_choice.h"
#include "core/report/tables/stats_table.h"
#include "core/samples/unit_facts.h"
#include "core/stats/percentile.h"
#include "tests/support/catch.h"
#include "tests/support/same_outcomes.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

namespace masked_test {

using namespace calibscope;
using nlohmann::json;
using test::Approx;

const std::string folder = std::string(CALIBSCOPE_SOURCE_DIR) + "/tests/golden/";

/// Sums of some thousand values in another order.
constexpr double exactly = 1e-12;
constexpr double ofErrors = 1e-9;

struct Masked
{
    std::shared_ptr<const DumpFile> dump = DumpFile::open(folder + "masked.h5");
    json expected = json::parse(std::ifstream(folder + "masked.json")).at("tensors");

    [[nodiscard]] const TensorInfo& info(const std::string& name) const
    {
        return dump->tensors()[dump->indexOf(name)];
    }
    [[nodiscard]] ValueSource source(const std::string& name) const
    {
        return dump->source(info(name));
    }
};

const std::vector<std::string> names{"tokens", "product", "image", "rows"};

Choice minMax(Granularity granularity)
{
    return makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, granularity);
}

TEST_CASE("statistics, percentiles and histograms are NumPy's of the positions that count")
{
    const Masked masked;
    for (const std::string& name : names) {
        INFO(name);
        const json& expected = masked.expected.at(name);
        const ValueSource source = masked.source(name);
        TensorProfile profile = collectProfile(source);
        const HistogramSpec spec{.growth = "fixed", .bins = 16};
        const StatsPercentiles percentiles{.alphas = {50.0, 99.0}};
        collectMore(profile, source, std::span(&spec, 1),
                    statsOrders(profile.extents().finite, percentiles));
        CHECK(profile.extents().values() == expected["values"].get<std::uint64_t>());
        CHECK(source.info.countedValues() == profile.extents().values());
        CHECK(profile.extents().nan == 0);
        CHECK(profile.extents().min == expected["min"].get<double>());
        CHECK(profile.extents().max == expected["max"].get<double>());
        CHECK(profile.moments.mean == Approx(expected["mean"].get<double>()).epsilon(exactly));
        CHECK(profile.moments.standardDeviation() ==
              Approx(expected["std"].get<double>()).epsilon(exactly));
        for (const double alpha : percentiles.alphas)
            CHECK(percentileOf(profile, Domain::Magnitude, alpha).value() ==
                  Approx(expected[alpha == 50.0 ? "p50" : "p99"].get<double>()).epsilon(exactly));
        CHECK(profile.histogram(spec)->counts ==
              expected["histogram"].get<std::vector<std::uint64_t>>());
    }
}

TEST_CASE("scales and errors are NumPy's of the positions that count")
{
    const Masked masked;
    for (const std::string& name : names) {
        INFO(name);
        const json& expected = masked.expected.at(name);
        const ValueSource source = masked.source(name);
        TensorProfile profile = collectProfile(source);
        const std::vector<Choice> choices{minMax(Granularity::Tensor),
                                          minMax(Granularity::Channel)};
        const std::vector<Outcome> outcomes =
            analyse(source, profile, choices, {.effort = MetricEffort::Exact});
        const ScaleRow& whole = outcomes[0].whole;
        CHECK(whole.quantizer.scale == Approx(expected["scale"].get<double>()).epsilon(exactly));
        CHECK(whole.metric("mse").value() ==
              Approx(expected["mse"].get<double>()).epsilon(ofErrors));
        CHECK(whole.metric("sqnr_db").value() ==
              Approx(expected["sqnr_db"].get<double>()).epsilon(ofErrors));
        CHECK(std::ranges::count(whole.notes, maskText(source.info)) == 1);
        const std::vector<double> scales = expected["channel_scales"];
        REQUIRE(outcomes[1].channels.size() == scales.size());
        for (std::size_t channel = 0; channel < scales.size(); ++channel)
            CHECK(outcomes[1].channels[channel].quantizer.scale ==
                  Approx(scales[channel] == 0.0 ? 1.0 : scales[channel]).epsilon(exactly));
    }
}

TEST_CASE("samples have the values of theirs that count, or none")
{
    const Masked masked;
    for (const std::string& name : names) {
        INFO(name);
        const auto samples = masked.expected.at(name)["samples"]
                                 .get<std::vector<std::pair<std::uint64_t, double>>>();
        const samples::UnitFacts facts =
            samples::unitFacts(masked.source(name), {}, SampleUnit::Sample, {});
        REQUIRE(facts.extents.size() == samples.size());
        for (std::size_t sample = 0; sample < samples.size(); ++sample) {
            CHECK(facts.extents[sample].values() == samples[sample].first);
            CHECK(facts.extents[sample].absMax() == samples[sample].second);
        }
    }
}

TEST_CASE("a value that does not count is in no block of a number format")
{
    const Masked masked;
    const BlockFormat format = parseBlockFormat("int8-g32");
    for (const std::string name : {"tokens", "rows"}) {
        INFO(name);
        const json& expected = masked.expected.at(name)["int8-g32"];
        const ValueSource source = masked.source(name);
        const FormatErrors errors = encodeTensor(source, format, matrixShape(source.info), {});
        CHECK(errors.blocks == expected["blocks"].get<std::uint64_t>());
        CHECK(errors.sums.count == expected["values"].get<std::uint64_t>());
        CHECK(errors.sqnrDb().value() ==
              Approx(expected["sqnr_db"].get<double>()).epsilon(ofErrors));
    }
}

TEST_CASE("a row of which nothing counts has no scale")
{
    const Masked masked;
    const ValueSource source = masked.source("tokens");  // the mask is alike along the rows
    const FormatErrors errors =
        encodeTensor(source, parseBlockFormat("int8-row"), matrixShape(source.info), {});
    const std::uint64_t length = source.info.shape.back();
    CHECK(errors.blocks == source.info.mask->counted / length);
    CHECK(errors.zeroBlocks == 0);
    CHECK(errors.effectiveBits == 8.0 + 32.0 / static_cast<double>(length));
}

TEST_CASE("a layer's output has the error of the positions that count")
{
    const Masked masked;
    const std::vector<DecidedTensor> decided =
        deploy::decidedBy(*masked.dump,
                          [](const TensorInfo& tensor) -> std::optional<Choice> {
                              return minMax(tensor.role == Role::Weight ? Granularity::Channel
                                                                        : Granularity::Tensor);
                          },
                          {})
            .tensors;
    const json& expected = masked.expected.at("product")["layer"];
    const LayerReport report = layers::layerReport(*masked.dump, decided, {.positions = 0});
    REQUIRE(report.layers.size() == 1);
    const LayerResult& layer = report.layers.front();
    CHECK(layer.whyNot.empty());
    CHECK(layer.positions == expected["positions"].get<std::uint64_t>());
    CHECK(layer.of == layer.positions);
    CHECK(layer.outputSqnrDb.value() ==
          Approx(expected["output_sqnr_db"].get<double>()).epsilon(ofErrors));
    CHECK(std::ranges::count(layer.notes,
                             "tokens: 66.7 % of positions count (mask /masks/tokens)") == 1);
}

TEST_CASE("one thread and two find the same of a tensor with a mask")
{
    const Masked masked;
    for (const std::string& name : names) {
        std::vector<Outcome> former;
        for (const std::size_t threads : {1U, 2U}) {
            const ThreadLimit limit(threads);
            const ValueSource source = masked.source(name);
            TensorProfile profile = collectProfile(source);
            const std::vector<Choice> choices{
                minMax(Granularity::Channel),
                makeChoice("entropy", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor)};
            std::vector<Outcome> outcomes =
                analyse(source, profile, choices, {.effort = MetricEffort::Exact});
            for (std::size_t index = 0; index < former.size(); ++index) {
                test::checkSame(outcomes[index].whole, former[index].whole);
                for (std::size_t row = 0; row < former[index].channels.size(); ++row)
                    test::checkSame(outcomes[index].channels[row], former[index].channels[row]);
            }
            former = std::move(outcomes);
        }
    }
}

}  // namespace masked_test
