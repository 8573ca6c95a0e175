// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/output_sums.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>

namespace output_sums_test {

using namespace calibscope;
using layers::OutputSums;
using test::Approx;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// One channel after another of the same positions.
void addAll(OutputSums& sums, const std::vector<std::vector<double>>& outputs,
            const std::vector<std::vector<double>>& errors)
{
    sums.begin(outputs.front().size());
    for (std::size_t channel = 0; channel < outputs.size(); ++channel)
        sums.add(channel, {.output = outputs[channel],
                           .computed = outputs[channel],
                           .error = errors[channel],
                           .byInput = {},
                           .byWeight = {}});
    sums.end();
}

LayerResult reported(const OutputSums& sums, std::uint64_t of)
{
    LayerResult result;
    result.of = of;
    sums.report(result, true);
    return result;
}

TEST_CASE("the figures of two channels at three positions, by hand")
{
    OutputSums sums(2);
    addAll(sums, {{1, 2, 3}, {0, 0, 4}}, {{0.1, 0.1, 0.1}, {0, 0.2, 0}});
    const LayerResult result = reported(sums, 3);
    // y^2: 14 + 16; e^2: 0.03 + 0.04; without means: 2 + 32 / 3
    CHECK(*result.outputSqnrDb == Approx(10 * std::log10(30 / 0.07)).epsilon(1e-12));
    CHECK(*result.outputAcDb == Approx(10 * std::log10((2 + 32.0 / 3) / 0.07)).epsilon(1e-12));
    CHECK_FALSE(result.intervalDb);
    CHECK(result.isExact());
    REQUIRE(result.channels.size() == 2);
    CHECK(result.channels.signal[1] == Approx(16.0 / 3));
    CHECK(result.channels.noise[1] == Approx(0.04 / 3));
    CHECK(result.channels.meanError[0] == Approx(0.1));
    CHECK(result.channels.meanError[1] == Approx(0.2 / 3));
    CHECK(result.channels.gainDb[0] > 100.0);  // nothing but a shift, up to rounding
    // 0.04 without three times the mean's square: 0.04 - 0.04 / 3
    CHECK(result.channels.gainDb[1] == Approx(10 * std::log10(1.5)).epsilon(1e-12));
    CHECK(*result.biasGainDb == Approx(10 * std::log10(0.07 / (0.08 / 3))).epsilon(1e-9));
    CHECK(*result.leastChannelDb ==
          Approx(std::min(10 * std::log10(14 / 0.03), 10 * std::log10(16 / 0.04))));
}

TEST_CASE("the interval follows from the spread of signal and noise over positions")
{
    OutputSums sums(1);
    addAll(sums, {{1, 2, 3, 4}}, {{0.1, 0.1, 0.2, 0.4}});
    const LayerResult result = reported(sums, 100);
    // q = 1 4 9 16, mean 7.5; p = 0.01 0.01 0.04 0.16, mean 0.055
    double squares = 0.0;
    const std::vector<double> q{1, 4, 9, 16};
    const std::vector<double> p{0.01, 0.01, 0.04, 0.16};
    for (std::size_t i = 0; i < 4; ++i)
        squares += std::pow(q[i] / 7.5 - p[i] / 0.055, 2);
    CHECK(*result.intervalDb ==
          Approx(1.96 * 10 / std::log(10.0) * std::sqrt(squares / 3) / 2).epsilon(1e-9));
    CHECK_FALSE(result.isExact());
}

TEST_CASE("positions may come in parts")
{
    OutputSums whole(1);
    addAll(whole, {{1, 2, 3, 4}}, {{0.1, 0.1, 0.2, 0.4}});
    OutputSums parts(1);
    addAll(parts, {{1, 2}}, {{0.1, 0.1}});
    addAll(parts, {{3, 4}}, {{0.2, 0.4}});
    CHECK(*reported(parts, 9).outputSqnrDb == Approx(*reported(whole, 9).outputSqnrDb));
    CHECK(*reported(parts, 9).outputAcDb == Approx(*reported(whole, 9).outputAcDb));
    CHECK(*reported(parts, 9).intervalDb == Approx(*reported(whole, 9).intervalDb));
}

TEST_CASE("what differs from the recording by a constant for each channel leaves no residual")
{
    OutputSums sums(1);
    const std::vector<double> recorded{101, 102, 103};
    const std::vector<double> computed{1, 2, 3};
    const std::vector<double> error{0, 0, 0};
    sums.begin(3);
    sums.add(
        0,
        {.output = recorded, .computed = computed, .error = error, .byInput = {}, .byWeight = {}});
    sums.end();
    CHECK(sums.residual() == 0.0);
    OutputSums others(1);
    const std::vector<double> swapped{3, 2, 1};
    others.begin(3);
    others.add(
        0,
        {.output = recorded, .computed = swapped, .error = error, .byInput = {}, .byWeight = {}});
    others.end();
    // differences 98 100 102 without their mean: 8 of 31214
    CHECK(others.residual() == Approx(std::sqrt(8.0 / (101 * 101 + 102 * 102 + 103 * 103))));
}

TEST_CASE(
    "no noise is infinitely good, noise on nothing infinitely bad, and a dead channel no median")
{
    OutputSums sums(2);
    addAll(sums, {{1, 2}, {0, 0}}, {{0, 0}, {0, 0}});
    CHECK(*reported(sums, 2).outputSqnrDb == infinite);
    CHECK(*reported(sums, 2).biasGainDb == 0.0);
    OutputSums dead(2);
    addAll(dead, {{1, 2}, {0, 0}}, {{0.1, 0.1}, {0.5, 0.5}});
    const LayerResult result = reported(dead, 2);
    CHECK(result.channels.isDead == std::vector<bool>{false, true});
    CHECK(*result.medianChannelDb == Approx(10 * std::log10(5 / 0.02)));
    OutputSums nothing(1);
    addAll(nothing, {{0, 0}}, {{0.1, 0}});
    CHECK(*reported(nothing, 2).outputSqnrDb == -infinite);
    CHECK_FALSE(reported(nothing, 2).medianChannelDb);
}

}  // namespace output_sums_test
