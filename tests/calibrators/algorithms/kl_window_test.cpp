// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <algorithm>
#include <random>

namespace kl_window_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::calibrated;

// The search is tested beside it, and the whole against Glow's own numbers in tests/peers.

constexpr Scheme restricted{.kind = SchemeKind::SymmetricRestricted};
constexpr Scheme full{.kind = SchemeKind::SymmetricFull};
constexpr Scheme affine{.kind = SchemeKind::Affine};

std::vector<float> normalWith(float outlier)
{
    std::mt19937 engine(31);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> values(20000);
    std::ranges::generate(values, [&] { return normal(engine); });
    values.push_back(outlier);
    return values;
}

bool has(const Calibration& calibration, const std::string& note)
{
    return std::ranges::find(calibration.notes, note) != calibration.notes.end();
}

TEST_CASE("kl-window cuts off an outlier that stands alone")
{
    const std::vector<float> values = normalWith(12.0F);
    for (const Scheme& scheme : {restricted, full}) {
        const Calibration calibration = calibrated("kl-window", values, {}, scheme);
        CHECK(*calibration.clip.threshold < 12.0);
        CHECK(*calibration.clip.threshold > 3.0);
    }
    const Range range = *calibrated("kl-window", values, {}, affine).clip.range;
    CHECK(range.high < 12.0);
    CHECK(range.low < -3.0);
    CHECK(range.low >= -5.0);
}

TEST_CASE("kl-window's curve has a point for each window, and the chosen one is the threshold")
{
    const Calibration calibration = calibrated("kl-window", normalWith(12.0F));
    const Curve& curve = calibration.curve;
    REQUIRE(curve.value.size() == 129);  // 512, 510, ... 256 bins: at least 255 levels
    CHECK(curve.threshold.back() == 12.0);
    CHECK(curve.threshold.front() == 6.0);
    CHECK(*calibration.clip.threshold == curve.threshold[curve.chosen]);
    CHECK(std::ranges::min(curve.value) == curve.value[curve.chosen]);
    CHECK(curve.objective == "KL divergence");
    CHECK(curve.unit == "nats");
    CHECK(calibration.histogram ==
          HistogramSpec{.growth = "redistribute", .bins = 512, .domain = Domain::Signed});
}

TEST_CASE("kl-window's affine curve is against half the window's width")
{
    const Calibration calibration =
        calibrated("kl-window", normalWith(12.0F), {{"zero-may-leave", "yes"}}, affine);
    const Curve& curve = calibration.curve;
    CHECK(curve.threshold[curve.chosen] ==
          Approx(calibration.clip.range->width() / 2).epsilon(1e-12));
}

TEST_CASE("scaling the data by a power of two scales kl-window's answer exactly")
{
    std::vector<float> values = normalWith(12.0F);
    const Calibration one = calibrated("kl-window", values);
    const Range range = *calibrated("kl-window", values, {}, affine).clip.range;
    for (float& value : values)
        value *= 0.125F;
    CHECK(*calibrated("kl-window", values).clip.threshold == *one.clip.threshold / 8);
    CHECK(*calibrated("kl-window", values, {}, affine).clip.range ==
          Range{range.low / 8, range.high / 8});
}

TEST_CASE("constant data, and levels that the bins are too few for, keep the whole range")
{
    const Calibration constant = calibrated("kl-window", std::vector<float>(100, -0.75F));
    CHECK(constant.clip.threshold == 0.75);
    CHECK(has(constant, "constant data: the whole range is kept"));
    CHECK(constant.curve.value.empty());

    const Calibration wide =
        calibrated("kl-window", normalWith(12.0F), {}, {.bits = 16});  // 65535 levels
    CHECK(wide.clip.threshold == 12.0);
    CHECK(has(wide, "fewer bins than levels: the whole range is kept"));
    const Calibration narrow = calibrated("kl-window", normalWith(12.0F), {}, {.bits = 2});
    CHECK(narrow.curve.value.size() == 255);  // down to 4 bins for 3 levels
}

TEST_CASE("an empty window is chosen only where that is asked for, and noted")
{
    // The last of 512 bins holds 100 values, the one before it 50, the first one 100; the window
    // without both ends holds the 50 alone, and every narrower one is empty.
    std::vector<float> values(100, -1.0F);
    values.insert(values.end(), 100, 1.0F);
    values.insert(values.end(), 50, 1.0F - 3.0F / 512.0F);
    CHECK(calibrated("kl-window", values).clip.threshold == 1.0);
    const Calibration chosen = calibrated("kl-window", values, {{"empty-window", "chosen"}});
    CHECK(chosen.clip.threshold == 1.0 - 4.0 / 512);
    CHECK(has(chosen, "an empty window was chosen: no value lies in it"));
}

TEST_CASE("data without negative values keep 0 at their lower end")
{
    std::vector<float> values = normalWith(12.0F);
    for (float& value : values)
        value = std::max(value, 0.0F);
    const Range range = *calibrated("kl-window", values, {}, affine).clip.range;
    CHECK(range.low == 0.0);
    CHECK(range.high < 12.0);
    // The same search under the unsigned scheme.
    CHECK(*calibrated("kl-window", values, {}, {.divisor = Divisor::Levels}).clip.threshold ==
          range.high);
}

TEST_CASE("where 0 may leave the window, the range is the window's and is not extended again")
{
    std::vector<float> values = normalWith(0.0F);
    for (float& value : values)
        value += 40.0F;
    const GivenSettings given{{"zero-may-leave", "yes"}, {"levels", "15"}, {"bins", "64"}};
    const Calibration calibration = calibrated("kl-window", values, given, affine);
    const Range window = *calibration.clip.range;
    CHECK(window.low > 30.0);
    CHECK(window.high > window.low);
    const Quantizer quantizer = makeQuantizer(affine, calibration.clip).quantizer;
    CHECK(quantizer.scale == window.width() / 255);
    CHECK(quantizer.zeroPoint == -128.0);
    CHECK(quantizer.clip == Range{0.0, 255 * quantizer.scale});
    const GivenSettings kept{{"levels", "15"}, {"bins", "64"}};
    CHECK(calibrated("kl-window", values, kept, affine).clip.range->low == 0.0);
}

}  // namespace kl_window_test
