// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/widest_scale.h"

#include "tests/support/catch.h"

namespace widest_scale_test {

using namespace calibscope::model;
using calibscope::test::Approx;

TensorScales one(float scale, int zeroPoint, int low = -128)
{
    TensorScales scales;
    scales.quantization.scales = {scale};
    scales.quantization.zeroPoints = {static_cast<double>(zeroPoint)};
    scales.quantization.format = calibscope::NumberFormat::integers(low, 127);
    return scales;
}

TensorScales widest(std::vector<TensorScales> scales)
{
    return widestOf(scales);
}

TEST_CASE("the widest of symmetric scales is the largest, to the bit")
{
    CHECK(widest({one(0.1F, 0), one(0.3F, 0, -127), one(0.2F, 0)}).quantization.scales.front() ==
          0.3F);
    CHECK(widest({one(0.1F, 0), one(0.3F, 0, -127)}).quantization.format.low() == -127);
    CHECK(widest({one(0.25F, 7)}).quantization.zeroPoints.front() == 7);
}

TEST_CASE("an affine range that holds the others is kept, else one over all is made")
{
    // -10 to 15.5 holds 0 to 12.75.
    const TensorScales held = widest({one(0.05F, -128), one(0.1F, -28)});
    CHECK(held.quantization.scales.front() == 0.1F);
    CHECK(held.quantization.zeroPoints.front() == -28);
    // 0 to 25.5 and -25.5 to 0: -25.5 to 25.5.
    const TensorScales both = widest({one(0.1F, -128), one(0.1F, 127)});
    CHECK(both.quantization.scales.front() == Approx(0.2).epsilon(1e-6));
    const double zero = both.quantization.zeroPoints.front();
    CHECK((zero == 0 || zero == -1));  // -0.5, whichever way 51 / 0.2 is rounded
}

TEST_CASE("of scales of several bits the widest range gets the most bits")
{
    TensorScales fine = one(0.001F, 0);
    fine.quantization.format = calibscope::NumberFormat::integers(-32768, 32767);
    const TensorScales both = widest({one(0.5F, 0), fine});  // -64 to 63.5, and -32.8 to 32.8
    CHECK(both.quantization.format.bits() == 16);
    CHECK(both.quantization.scales.front() == Approx(127.5 / 65535).epsilon(1e-6));
    CHECK(both.quantization.zeroPoints.front() == 128);  // -32768 + 64 / scale
}

TEST_CASE("scales per channel become the widest channel's")
{
    TensorScales scales = one(0.1F, 0);
    scales.quantization.scales = {0.1F, 0.4F, 0.2F};
    scales.quantization.zeroPoints = {0, 0, 0};
    scales.quantization.axis = 1;
    const TensorScales whole = perTensor(scales);
    CHECK(whole.quantization.scales == std::vector<float>{0.4F});
    CHECK(whole.quantization.zeroPoints.size() == 1);
    CHECK(!whole.quantization.axis);
}

TEST_CASE("fewer levels for the same range")
{
    const TensorScales narrow = withinLevels(one(0.063F, 0, -127), 63);
    CHECK(narrow.quantization.scales.front() == Approx(0.127).epsilon(1e-6));
    CHECK(narrow.quantization.format.low() == -63);
    CHECK(narrow.quantization.format.high() == 63);
    // The greatest magnitude over 63, rounded once: by way of float32 it would be one step off.
    std::size_t apart = 0;
    for (int step = 1; step <= 1000; ++step) {
        const double greatest = static_cast<double>(0.001F * static_cast<float>(step));
        TensorScales decided = one(static_cast<float>(greatest / 127), 0, -127);
        const float rounded = withinLevels(decided, 63).quantization.scales.front();
        decided.unrounded = {greatest / 127};
        CHECK(withinLevels(decided, 63).quantization.scales.front() ==
              static_cast<float>(greatest / 63));
        apart += rounded == static_cast<float>(greatest / 63) ? 0U : 1U;
    }
    CHECK(apart > 100);
    // -12.8 + 2.8 to 12.7 + 2.8: -10 to 15.5 in 126 steps.
    const TensorScales affine = withinLevels(one(0.1F, -28), 63);
    CHECK(affine.quantization.scales.front() == Approx(25.5 / 126).epsilon(1e-6));
    CHECK(affine.quantization.zeroPoints.front() == -14);  // -63 + 10 / 0.2024 = -13.6
    TensorScales fewBits = one(0.5F, 0);
    fewBits.quantization.format = calibscope::NumberFormat::integers(-8, 7);
    CHECK(withinLevels(fewBits, 63).quantization == fewBits.quantization);
}

}  // namespace widest_scale_test
