// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/raised_scales.h"

#include "core/quant/integers.h"
#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <vector>

namespace raised_scales_test {

using namespace calibscope;
using test::Approx;

TEST_CASE("a scale is raised until its bias takes no more than 2^30 steps")
{
    // By hand: 0.75 / (0.5 2^30) is 1.5 2^-30; 0.25 needs 2^-31 only; a third fits as it is.
    const std::vector<float> scales{0x1p-40F, 0x1p-40F, 0.125F};
    const RaisedScales result =
        raisedForBiases(scales, 0.5F, std::vector<float>{-0.75F, 0.25F, 1.0F});
    CHECK(result.scales == std::vector<float>{0x1.8p-30F, 0x1p-31F, 0.125F});
    CHECK(result.raised ==
          std::vector<RaisedScale>{{0, 0x1p-40F, 0x1.8p-30F}, {1, 0x1p-40F, 0x1p-31F}});
}

TEST_CASE("raised scales are those of NumPy to the last bit")
{
    // NumPy 1.24.2: np.maximum(s, (np.abs(b).astype(np.float64) / (np.float64(sx) * 2.0**30))
    // .astype(np.float32)); channels as in networks that lost such biases, one of them subnormal.
    const std::vector<float> scales{1e-6F / 127, 3e-40F / 127, 0.01F, 2.3e-10F, 1.0F};
    const std::vector<float> biases{-0.7F, -0.7F, 0.4F, 5.0F, 0.0F};
    const RaisedScales result = raisedForBiases(scales, 0.0371F, biases);
    CHECK(result.scales == std::vector<float>{0x1.2de306p-26F, 0x1.2de306p-26F, 0x1.47ae14p-7F,
                                              0x1.0d8ab2p-23F, 1.0F});
    CHECK(result.raised.size() == 3);
}

TEST_CASE("after raising every bias fits int32, with scales that are subnormal, too")
{
    float inputScale = 1e-3F;
    for (int round = 0; round < 300; ++round) {
        inputScale *= 1.37F;
        const float bias = std::ldexp(1.0F + static_cast<float>(round) / 301.0F, 100 - round);
        const std::vector<float> scales{std::numeric_limits<float>::denorm_min()};
        const RaisedScales result =
            raisedForBiases(scales, std::min(inputScale, 1e30F), std::vector<float>{bias});
        const double steps =
            static_cast<double>(bias) / (static_cast<double>(std::min(inputScale, 1e30F)) *
                                         static_cast<double>(result.scales[0]));
        INFO(round);
        CHECK(steps < 0x1p31);
    }
}

TEST_CASE("one scale serves all biases, a scale of a grouped ConvTranspose one of each group")
{
    const std::vector<float> biases{1.0F, -8.0F, 4.0F, 2.0F};
    CHECK(raisedForBiases(std::vector<float>{0x1p-50F}, 1.0F, biases).scales ==
          std::vector<float>{0x1p-27F});
    CHECK(raisedForBiases(std::vector<float>{0x1p-50F, 0x1p-50F}, 1.0F, biases).scales ==
          std::vector<float>{0x1p-28F, 0x1p-27F});
}

TEST_CASE("biases that are none raise nothing")
{
    const std::vector<float> scales{0x1p-40F, 0x1p-40F};
    const float none = std::numeric_limits<float>::quiet_NaN();
    const float infinite = std::numeric_limits<float>::infinity();
    CHECK(raisedForBiases(scales, 1.0F, {}).raised.empty());
    CHECK(raisedForBiases(scales, 1.0F, std::vector<float>{none, infinite}).raised.empty());
    CHECK(raisedForBiases(scales, 1.0F, std::vector<float>{0.0F, -0.0F}).raised.empty());
    // No float32 is large enough: what results is not a scale, for whoever writes it to refuse.
    CHECK(std::isinf(raisedForBiases(scales, 1e-38F, std::vector<float>{1e30F, 0.0F}).scales[0]));
}

TEST_CASE("raising a tiny channel keeps its bias, at a step that its weights hardly use")
{
    // A channel of max |w| = 1e-6 and bias -0.7: as settled its bias needs more than int32 holds.
    const float settled = 1e-6F / 127;
    const float inputScale = 0.01F;
    CHECK(0.7 / (static_cast<double>(inputScale) * static_cast<double>(settled)) > 0x1p31);
    const RaisedScales result =
        raisedForBiases(std::vector<float>{settled}, inputScale, std::vector<float>{-0.7F});
    const double step = static_cast<double>(inputScale) * static_cast<double>(result.scales[0]);
    const double steps = std::nearbyint(-0.7 / step);
    CHECK(std::abs(steps) < 0x1p31);
    CHECK(steps * step == Approx(-0.7).epsilon(1e-9));           // half of 2^-30
    CHECK(integerOf(1e-6F, {.scale = result.scales[0]}) == 15);  // of 127 before
}

TEST_CASE("notes tell what was raised")
{
    const RaisedScale one{.index = 7, .from = 2e-10F, .to = 4e-9F};
    CHECK(raisedNote(one) == "scale raised from 2e-10 to 4e-09 so that the bias fits");
    CHECK(raisedNote(RaisedScales{.scales = {4e-9F}, .raised = {one}}) == raisedNote(one));
    RaisedScales several{.scales = std::vector<float>(9, 1.0F), .raised = {one}};
    CHECK(raisedNote(several) ==
          "scale of channel 7 raised from 2e-10 to 4e-09 so that the bias fits");
    several.raised.push_back({.index = 8, .from = 1.0F, .to = 2.0F});
    CHECK(raisedNote(several) == "scales of 2 channels raised so that the biases fit, most that "
                                 "of channel 7, from 2e-10 to 4e-09");
    CHECK(raisedNote(RaisedScales{}).empty());
}

}  // namespace raised_scales_test
