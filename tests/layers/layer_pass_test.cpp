// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_pass.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>

namespace layer_pass_test {

using namespace calibscope;
using layers::Alternatives;
using layers::AppliedScale;
using layers::LayerPass;
using layers::LayerPlan;
using layers::LayerShapes;
using test::Approx;

AppliedScale scaled(float scale)
{
    return {.scale = {.scales = {scale}, .zeroPoints = {0.0}, .axis = {}}};
}

LayerPlan planned(const LayerShapes& shapes)
{
    layers::PlannedLayer result = layers::planLayer(shapes, {});
    REQUIRE(result.whyNot.empty());
    return result.plan;
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

/// A layer with values of its own: a 3 x 3 convolution with outputs that are not the computed ones.
struct Sampled
{
    LayerPlan plan = planned(
        {.op = "Conv", .input = {5, 3, 9, 9}, .weight = {4, 3, 3, 3}, .output = {5, 4, 7, 7}});
    std::vector<float> input = gaussian(5 * 3 * 81, 1);
    std::vector<float> weight = gaussian(108, 2);
    std::vector<float> output = gaussian(5 * 4 * 49, 3);

    [[nodiscard]] LayerPass passed(Alternatives alternatives, std::uint64_t positions = 0) const
    {
        LayerPass pass(plan, std::move(alternatives),
                       {.positions = layers::planPositions(5, 49, positions, 1)});
        pass.setWeight(weight);
        for (std::size_t sample = 0; sample < 5; ++sample)
            pass.add(std::span(input).subspan(sample * 243, 243), {},
                     std::span(output).subspan(sample * 196, 196));
        pass.finish();
        return pass;
    }
};

TEST_CASE("a product of two values, by hand")
{
    // x = 1.2 becomes 1, w = 3.4 becomes 3; y = 10.
    LayerPass pass(planned({.op = "MatMul", .input = {1, 1}, .weight = {1, 1}, .output = {1, 1}}),
                   {.input = {scaled(1.0F)}, .weight = {scaled(1.0F)}},
                   {.positions = layers::planPositions(1, 1, 0, 1)});
    const std::vector<float> input{1.25F};
    const std::vector<float> weight{3.5F - 0.25F};
    const std::vector<float> output{10.0F};
    pass.setWeight(weight);
    pass.add(input, {}, output);
    pass.finish();
    LayerResult result;
    pass.report(result, true);
    CHECK(*result.outputSqnrDb ==
          Approx(10 * std::log10(100 / std::pow(3.0 - 1.25 * 3.25, 2))).epsilon(1e-12));
    CHECK(*result.inputDb == Approx(10 * std::log10(100 / std::pow(0.25 * 3.25, 2))));
    CHECK(*result.weightDb == Approx(10 * std::log10(100 / std::pow(0.25 * 1.25, 2))));
    CHECK(result.channels.meanError == std::vector<double>{3.0 - 1.25 * 3.25});
    CHECK(result.positions == 1);
    CHECK(result.of == 1);
}

TEST_CASE("alternatives give what each pair gives alone")
{
    const Sampled layer;
    const std::vector<std::optional<AppliedScale>> inputs{scaled(0.05F), std::nullopt,
                                                          scaled(0.02F)};
    const std::vector<std::optional<AppliedScale>> weights{scaled(0.03F), scaled(0.1F)};
    const auto together = layer.passed({.input = inputs, .weight = weights}).sqnrDb();
    for (std::size_t input = 0; input < inputs.size(); ++input)
        for (std::size_t weight = 0; weight < weights.size(); ++weight) {
            const auto alone =
                layer.passed({.input = {inputs[input]}, .weight = {weights[weight]}}).sqnrDb();
            // The same sums in other blocks.
            CHECK(together[input][weight] == Approx(alone[0][0]).epsilon(1e-12));
        }
    CHECK(layer.passed({.input = {std::nullopt}, .weight = {std::nullopt}}).sqnrDb()[0][0] ==
          std::numeric_limits<double>::infinity());
}

TEST_CASE("an operand that counts as float has no part")
{
    const Sampled layer;
    LayerResult result;
    layer.passed({.input = {scaled(0.05F)}, .weight = {std::nullopt}}).report(result, false);
    CHECK(result.inputDb == result.outputSqnrDb);
    CHECK_FALSE(result.weightDb);
    CHECK(result.channels.size() == 0);
}

TEST_CASE("few positions are estimated with an interval, the same in each run")
{
    const Sampled layer;
    const Alternatives both{.input = {scaled(0.05F)}, .weight = {scaled(0.03F)}};
    LayerResult exact;
    layer.passed(both).report(exact, false);
    LayerResult some;
    layer.passed(both, 60).report(some, false);
    CHECK(some.positions == 60);
    CHECK(some.of == 245);
    REQUIRE(some.intervalDb);
    CHECK(std::abs(*some.outputSqnrDb - *exact.outputSqnrDb) < 3 * *some.intervalDb);
    LayerResult again;
    layer.passed(both, 60).report(again, false);
    CHECK(again == some);
}

TEST_CASE("without outputs those that are computed are the signal")
{
    const Sampled layer;
    LayerPass pass(layer.plan, {.input = {scaled(0.05F)}, .weight = {std::nullopt}},
                   {.positions = layers::planPositions(5, 49, 0, 1), .hasOutput = false});
    pass.setWeight(layer.weight);
    for (std::size_t sample = 0; sample < 5; ++sample)
        pass.add(std::span(layer.input).subspan(sample * 243, 243), {}, {});
    pass.finish();
    CHECK_FALSE(pass.residual());
    CHECK(pass.sqnrDb()[0][0] > 20.0);
}

TEST_CASE("values that are not finite are told and computed with no further")
{
    for (const std::string bad : {"input", "weight", "output"})
        for (const float value :
             {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
            Sampled layer;
            (bad == "input"    ? layer.input
             : bad == "weight" ? layer.weight
                               : layer.output)
                .at(77) = value;
            CHECK(layer.passed({.input = {scaled(0.05F)}, .weight = {scaled(0.03F)}}).notFinite() ==
                  bad);
        }
    // The largest values and subnormal ones are finite.
    Sampled layer;
    layer.input[5] = std::numeric_limits<float>::max();
    layer.input[6] = 1e-42F;
    CHECK(layer.passed({.input = {scaled(0.05F)}, .weight = {scaled(0.03F)}}).notFinite().empty());
}

TEST_CASE("channels of the output can be multiplied by factors of their own")
{
    const Sampled layer;
    LayerPass pass(
        layer.plan, {.input = {scaled(0.05F)}, .weight = {std::nullopt}},
        {.positions = layers::planPositions(5, 49, 0, 1), .channelFactors = {1.0, 10.0, 1.0, 1.0}});
    pass.setWeight(layer.weight);
    for (std::size_t sample = 0; sample < 5; ++sample)
        pass.add(std::span(layer.input).subspan(sample * 243, 243), {},
                 std::span(layer.output).subspan(sample * 196, 196));
    pass.finish();
    LayerResult times;
    pass.report(times, true);
    LayerResult plain;
    layer.passed({.input = {scaled(0.05F)}, .weight = {std::nullopt}}).report(plain, true);
    CHECK(times.channels.noise[0] == Approx(plain.channels.noise[0]).epsilon(1e-12));
    CHECK(times.channels.noise[1] == Approx(100 * plain.channels.noise[1]).epsilon(1e-12));
}

TEST_CASE("channels far above the others are named, the largest first")
{
    std::vector<double> largest(8, 1.0);
    largest[1] = 0.0;
    largest[2] = 9.0;
    largest[4] = 30.0;
    const std::vector<DominantChannel> found = layers::dominantChannels(largest);
    REQUIRE(found.size() == 2);
    CHECK(found[0].channel == 4);
    CHECK(found[1].channel == 2);
    CHECK(found[1].ratio == 9.0);
    largest[2] = 7.9;
    CHECK(layers::dominantChannels(largest).size() == 1);
    CHECK(layers::dominantChannels(std::vector<double>{0.0, 0.0}).empty());
    CHECK(layers::dominantChannels({}).empty());
}

TEST_CASE("a layer with many channels in slices gives what it gives in one")
{
    // 3000 channels of 400 products each: more than a slice and more than what is kept packed.
    constexpr std::uint64_t depth = 700;
    constexpr std::uint64_t channels = 3200;
    const LayerPlan plan = planned({.op = "MatMul",
                                    .input = {3, depth},
                                    .weight = {depth, channels},
                                    .output = {3, channels}});
    const std::vector<float> input = gaussian(3 * depth, 4);
    const std::vector<float> weight = gaussian(depth * channels, 5);
    std::vector<float> output(3 * channels, 1.0F);
    LayerPass pass(plan, {.input = {scaled(0.03F)}, .weight = {scaled(0.04F)}},
                   {.positions = layers::planPositions(3, 1, 0, 1)});
    pass.setWeight(weight);
    for (std::size_t sample = 0; sample < 3; ++sample)
        pass.add(std::span(input).subspan(sample * depth, depth), {},
                 std::span(output).subspan(sample * channels, channels));
    pass.finish();
    LayerResult result;
    pass.report(result, true);
    // Of some channels the same by plain loops.
    for (const std::size_t channel : {std::size_t{0}, std::size_t{1999}, std::size_t{3199}}) {
        double noise = 0.0;
        for (std::size_t sample = 0; sample < 3; ++sample) {
            double error = 0.0;
            for (std::size_t k = 0; k < depth; ++k) {
                const float x = input[sample * depth + k];
                const float w = weight[k * channels + channel];
                const float quantX = 0.03F * std::nearbyint(std::clamp(x / 0.03F, -128.0F, 127.0F));
                const float quantW = 0.04F * std::nearbyint(std::clamp(w / 0.04F, -128.0F, 127.0F));
                error += static_cast<double>(quantX) * static_cast<double>(quantW) -
                         static_cast<double>(x) * static_cast<double>(w);
            }
            noise += error * error / 3;
        }
        CHECK(result.channels.noise[channel] == Approx(noise).epsilon(1e-10));
    }
}

TEST_CASE("positions that take a value that does not count, or give one, are left out")
{
    // 5 places of a kernel of 3, the first of the input's 7 values and the last output do not count.
    const LayerPlan plan =
        planned({.op = "Conv", .input = {1, 1, 7}, .weight = {1, 1, 3}, .output = {1, 1, 5}});
    const std::vector<float> input{0, 1.25F, 2, 3.5F, -1, 0.25F, 1};
    const std::vector<float> weight{1, 2, -1};
    const std::vector<float> output{9, 1.75F, 10, 1.25F, 9};
    const std::vector<std::uint8_t> ofInput{0, 1, 1, 1, 1, 1, 1};
    const std::vector<std::uint8_t> ofOutput{1, 1, 1, 1, 0};
    for (const std::uint64_t positions : {0U, 4U}) {
        LayerPass pass(plan, {.input = {scaled(1.0F)}, .weight = {std::nullopt}},
                       {.positions = layers::planPositions(1, 5, positions, 1)});
        pass.setWeight(weight);
        pass.add(input, {}, output, {.input = ofInput, .output = ofOutput});
        pass.finish();
        LayerResult result;
        pass.report(result, false);
        CHECK(result.of == 3);
        CHECK(pass.positions() <= 3);
        if (positions > 0)
            continue;
        CHECK(pass.positions() == 3);
        // The input becomes 0 1 2 4 -1 0 1, and the errors of these outputs are -0.75, 1 and 0.75.
        CHECK(*result.outputSqnrDb ==
              Approx(10 * std::log10((1.75 * 1.75 + 100 + 1.25 * 1.25) /
                                     (0.75 * 0.75 + 1.0 * 1.0 + 0.75 * 0.75))));
    }
}

}  // namespace layer_pass_test
