// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/improvements.h"

#include "core/layers/calibrated_anew.h"
#include "core/layers/channel_factors.h"

#include "core/deploy/decisions/decisions.h"
#include "core/layers/layer_reading.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/layer_dump.h"
#include "tests/support/linear_output.h"
#include "tests/support/loud_channel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace improvements_test {

using namespace calibscope;
using namespace calibscope::layers;
using test::Approx;

/// One layer of a single column: output = input x 1, whose error is given by hand.
UnitErrors sumsOf(const std::vector<double>& outputs, const std::vector<double>& errors,
                  std::uint64_t perSample)
{
    const std::uint64_t samples = outputs.size() / perSample;
    UnitErrors sums(samples, 1, 1);
    std::vector<std::uint64_t> units;
    for (std::uint64_t i = 0; i < outputs.size(); ++i)
        units.push_back(sums.unitOf(i / perSample, i % perSample));
    sums.add(
        0, units,
        {.output = outputs, .computed = outputs, .error = errors, .byInput = {}, .byWeight = {}});
    return sums;
}

TEST_CASE("samples are split in halves, of an odd number one more calibrates")
{
    const SampleSplit alternate{.heldOut = SplitRule::Alternate, .samples = 5};
    CHECK(alternate.calibrates(0));
    CHECK_FALSE(alternate.calibrates(1));
    CHECK(alternate.calibrates(4));
    CHECK(alternate.calibrating() == 3);
    CHECK(alternate.judging() == 2);
    const SampleSplit last{.heldOut = SplitRule::LastHalf, .samples = 5};
    CHECK(last.calibrates(2));
    CHECK_FALSE(last.calibrates(3));
    CHECK(last.judging() == 2);
    const SampleSplit none{.heldOut = SplitRule::None, .samples = 5};
    CHECK(none.calibrates(4));
    CHECK(none.judging() == 0);
    CHECK(SampleSplit{.samples = 1}.judging() == 0);
}

TEST_CASE("few samples are cut into units, 16 and more are units themselves")
{
    CHECK(unitsPerSample(16, 100) == 1);
    CHECK(unitsPerSample(4, 100) == 8);
    CHECK(unitsPerSample(4, 3) == 3);
    CHECK(unitsPerSample(1, 0) == 1);
    const UnitErrors cut(2, 3, 1);
    CHECK(cut.units() == 6);
    CHECK(cut.unitOf(1, 4) == 4);
    CHECK(cut.sampleOf(4) == 1);
}

TEST_CASE("the shift is minus the mean error of the samples that calibrate")
{
    // Samples of two positions; 0 and 2 calibrate: errors 1, 3, 2, 6.
    const UnitErrors sums = sumsOf({10, 10, 10, 10, 10, 10, 10, 10}, {1, 3, 4, 4, 2, 6, 2, 2}, 2);
    const SampleSplit split{.samples = 4};
    const ChannelShift shift = sums.meanShift(split);
    REQUIRE(shift.shift.size() == 1);
    CHECK(shift.shift[0] == -3.0);
    // Means of the samples 2 and 4: deviation sqrt(2), over sqrt(2) samples.
    CHECK(shift.standardError[0] == Approx(1.0));
    const UnitNoise before = sums.noiseWith();
    CHECK(before.noise == std::vector<double>{10, 32, 40, 8});
    CHECK(before.signal == std::vector<double>{200, 200, 200, 200});
    const UnitNoise after = sums.noiseWith(shift.shift);
    CHECK(after.noise == std::vector<double>{4, 2, 10, 2});
    CHECK(*sums.sqnrDb(after, split, false) == Approx(10.0 * std::log10(400.0 / 4.0)));
    CHECK(*sums.sqnrDb(before, split, true) == Approx(10.0 * std::log10(400.0 / 50.0)));
    // Leaving out sample 1: 8 -> 2, leaving out sample 3: 32 -> 2.
    const double one = 10.0 * std::log10(8.0 / 2.0);
    const double other = 10.0 * std::log10(32.0 / 2.0);
    CHECK(*sums.gainInterval(before, after, split) ==
          Approx(1.96 * std::sqrt(0.5 * 0.5 * (one - other) * (one - other))));
    CHECK_FALSE(sums.sqnrDb(after, {.heldOut = SplitRule::None, .samples = 4}, false));
    CHECK_FALSE(sums.gainInterval(before, after, {.heldOut = SplitRule::None, .samples = 4}));
}

TEST_CASE("a second pass finds nothing to shift")
{
    const std::vector<double> outputs{3, -4, 5, 6};
    std::vector<double> errors{0.25, -0.5, 1.0, 0.125};
    const SampleSplit split{.samples = 2};
    const double shift = sumsOf(outputs, errors, 2).meanShift(split).shift[0];
    for (double& error : errors)
        error += shift;
    CHECK(sumsOf(outputs, errors, 2).meanShift(split).shift[0] == 0.0);
}

TEST_CASE("a channel without error is shifted by 0, and one sample leaves no doubt out")
{
    const ChannelShift none = sumsOf({1, 2}, {0, 0}, 1).meanShift({.samples = 2});
    CHECK(none.shift[0] == 0.0);
    CHECK_FALSE(std::signbit(none.shift[0]));
    const ChannelShift single = sumsOf({1, 2}, {0.5, 0.5}, 2).meanShift({.samples = 1});
    CHECK(single.shift[0] == -0.5);
    CHECK(std::isinf(single.standardError[0]));
    CHECK(surelyMoved(single) == std::vector<double>{0.0});
}

TEST_CASE("channels move by twice their standard error or not at all")
{
    CHECK(surelyMoved({.shift = {0.2, -0.2, 0.1}, .standardError = {0.1, 0.11, 0.0}}) ==
          std::vector<double>{0.2, 0.0, 0.1});
}

TEST_CASE("factors: loud channels are divided, quiet and dead ones are not")
{
    // f = sqrt(a / w): 1, 2, 4, none, none; the median of the live ones is 2.
    const std::vector<double> input{1.0, 4.0, 16.0, 0.0, 9.0};
    const std::vector<double> weight{1.0, 1.0, 1.0, 1.0, 0.0};
    CHECK(channelFactors(input, weight, {.alpha = 0.5}) ==
          std::vector<float>{1.0F, 1.0F, 2.0F, 1.0F, 1.0F});
    CHECK(channelFactors(input, weight, {.alpha = 0.5, .low = 0.25}) ==
          std::vector<float>{0.5F, 1.0F, 2.0F, 1.0F, 1.0F});
    CHECK(channelFactors({}, {}, {}).empty());
    CHECK(channelFactors(std::vector<double>{0.0}, std::vector<double>{1.0}, {}) ==
          std::vector<float>{1.0F});
    CHECK(channelFactors(std::vector<double>{1e30, 1.0, 1.0}, std::vector<double>{1.0, 1.0, 1.0},
                         {.alpha = 1.0})
              .front() == 64.0F);
}

TEST_CASE("samples of a source are batches of their own, wherever its blocks end")
{
    test::H5File file;
    file.write("activations/x", {5, 2}, std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    const auto dump = DumpFile::open(file.path());
    TensorInfo info = dump->tensors().front();
    info.batchAxis = 0;
    info.batchSize = 2;
    const ValueSource odd =
        ofSamples(dump->source(info), [](std::uint64_t sample) { return sample % 2 == 1; });
    CHECK(odd.info.shape == std::vector<std::uint64_t>{2, 2});
    CHECK(readAll(odd) == std::vector<float>{2, 3, 6, 7});
    CHECK(readAll(times(odd, {1.0F, 10.0F}, {.run = 1, .channels = 2})) ==
          std::vector<float>{2, 30, 6, 70});
}

Choice symmetric(const TensorInfo& tensor, int bits)
{
    Choice choice =
        makeChoice("min-max", {}, SchemeKind::SymmetricRestricted,
                   tensor.role == Role::Weight ? Granularity::Channel : Granularity::Tensor);
    choice.scheme.bits = bits;
    return choice;
}

struct Layers
{
    test::H5File file;
    Layers() { test::writeLayers(file); }

    [[nodiscard]] ImprovementReport improved(ImproveOptions options = {}) const
    {
        const auto dump = DumpFile::open(file.path());
        const std::vector<DecidedTensor> decided =
            deploy::decidedBy(*dump, [](const TensorInfo& tensor) -> std::optional<Choice> {
                return symmetric(tensor, 8);
            }).tensors;
        return improvements(*dump, decided, options);
    }
};

const RemedyResult& rowOf(const LayerImprovement& layer, const std::string& remedy)
{
    const auto found = std::ranges::find(layer.rows, remedy, &RemedyResult::remedy);
    REQUIRE(found != layer.rows.end());
    return *found;
}

TEST_CASE("rows: decided, each remedy, all; figures of both halves")
{
    const Layers layers;
    const ImprovementReport report = layers.improved({.remedies = {Remedy::Bias}});
    REQUIRE(report.layers.size() == 4);
    const LayerImprovement& gone = report.layers[0];
    CHECK(gone.decided.whyNot == "input gone is not in the dump");
    CHECK(gone.rows.size() == 1);
    const LayerImprovement& layer = report.layers[1];
    CHECK(layer.decided.layer == "y1");
    CHECK(layer.positions == 16);
    CHECK(layer.columns == 12);
    CHECK(layer.multiplications == 144);
    REQUIRE(layer.rows.size() == 3);
    CHECK(rowOf(layer, "decided").calibrationDb);
    CHECK(rowOf(layer, "decided").heldOutDb);
    CHECK(rowOf(layer, "bias").notes ==
          std::vector<std::string>{"16 positions in calibration, fewer than 64"});
    CHECK(rowOf(layer, "all").gainDb == 0.0);
    CHECK_FALSE(layer.isImproved());
}

TEST_CASE("layers with few positions stay int8 where they are more than 1 % of the work")
{
    const Layers layers;
    const ImprovementReport report = layers.improved({.remedies = {Remedy::Precision}});
    const RemedyResult precision = rowOf(report.layers[1], "precision");
    CHECK(precision.setting == "int8");
    CHECK_FALSE(precision.isChosen);
    CHECK(precision.notes.back() == "stays int8: layers with few positions have 100 % of the "
                                    "multiplications, and up to 1 % would stay float");
}

TEST_CASE("channels: what dividing a loud one would gain, and where the factors could go")
{
    test::H5File file;
    test::LoudChannel().write(file);
    const auto dump = DumpFile::open(file.path());
    const std::vector<DecidedTensor> decided =
        deploy::decidedBy(*dump, [](const TensorInfo& tensor) -> std::optional<Choice> {
            return symmetric(tensor, 8);
        }).tensors;
    ImproveOptions options{.remedies = {Remedy::Channels}};
    const ImprovementReport report = improvements(*dump, decided, options);
    REQUIRE(report.layers.size() == 1);
    const RemedyResult channels = rowOf(report.layers[0], "channels");
    REQUIRE(channels.gainDb);
    // The first channel's scale was 60 times too wide for the seven others.
    CHECK(*channels.gainDb > 20.0);
    CHECK(*channels.overfitDb < 1.0);
    CHECK(channels.setting.starts_with("alpha 0."));
    CHECK_THAT(channels.changes, test::containsText("`x`: "));
    CHECK_FALSE(channels.isChosen);
    CHECK(channels.notes ==
          std::vector<std::string>{"not written: fold not known without the model's graph"});
    CHECK_FALSE(report.layers[0].isImproved());
    options.foldOf = [](const TensorInfo&) {
        model::Fold none;
        none.whyNot = "`x` is an input of the graph";
        return none;
    };
    CHECK(rowOf(improvements(*dump, decided, options).layers[0], "channels").notes ==
          std::vector<std::string>{"not written: no fold: `x` is an input of the graph"});
    options.foldOf = [](const TensorInfo&) {
        return model::Fold{.targets = {{.kind = model::FoldTarget::Kind::Mul}}};
    };
    const LayerImprovement multiplied = improvements(*dump, decided, options).layers[0];
    CHECK(multiplied.division.ofMul == 8);
    CHECK(multiplied.division.fold.empty());
    CHECK_THAT(rowOf(multiplied, "channels").notes.front(),
               test::containsText("a Mul in front: 8 multiplications for a sample"));
    options.foldOf = [](const TensorInfo& tensor) {
        model::Fold fold;
        fold.constants = {"k of " + tensor.name};
        return fold;
    };
    options.remedies = {Remedy::Channels, Remedy::Bias};
    const LayerImprovement divided = improvements(*dump, decided, options).layers[0];
    CHECK(rowOf(divided, "channels").isChosen);
    CHECK(rowOf(divided, "channels").notes == std::vector<std::string>{"fold into `k of x`"});
    CHECK(rowOf(divided, "channels").gainDb == channels.gainDb);
    CHECK(divided.division.fold == std::vector<std::string>{"k of x"});
    REQUIRE(divided.division.factors.size() == 8);
    CHECK(divided.division.factors[0] == std::ranges::max(divided.division.factors));
    CHECK(divided.isImproved());
    // Left out, it is judged and not chosen, and what follows stands on the layer as decided.
    options.without = {{"y", Remedy::Channels}, {"another", Remedy::Bias}};
    const LayerImprovement without = improvements(*dump, decided, options).layers[0];
    CHECK(rowOf(without, "channels").gainDb == channels.gainDb);
    CHECK_FALSE(rowOf(without, "channels").isChosen);
    CHECK(rowOf(without, "channels").notes == std::vector<std::string>{"left out as asked"});
    CHECK(without.division.factors.empty());
    options.remedies = {Remedy::Bias};
    CHECK(rowOf(without, "bias").heldOutDb ==
          rowOf(improvements(*dump, decided, options).layers[0], "bias").heldOutDb);
    options.without.clear();
    // What follows stands on the divided layer.
    CHECK(rowOf(divided, "all").heldOutDb >= rowOf(divided, "channels").heldOutDb);
    options.remedies = {Remedy::Channels};
    options.alphas = {};
    CHECK(rowOf(improvements(*dump, decided, options).layers[0], "channels").notes ==
          std::vector<std::string>{"no alpha gains on the calibrating samples left out"});
}

TEST_CASE("without held-out samples there are no gains, and nothing is chosen")
{
    const Layers layers;
    const ImprovementReport report =
        layers.improved({.heldOut = SplitRule::None, .remedies = {Remedy::Bias}});
    CHECK(rowOf(report.layers[1], "decided").calibrationDb);
    CHECK_FALSE(rowOf(report.layers[1], "decided").heldOutDb);
    CHECK_FALSE(rowOf(report.layers[1], "all").gainDb);
}

}  // namespace improvements_test
