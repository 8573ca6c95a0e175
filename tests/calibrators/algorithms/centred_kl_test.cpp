// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <random>

namespace centred_kl_test {

using namespace calibscope;
using calibscope::test::calibrated;

using Notes = std::vector<std::string>;

constexpr Scheme affine{.kind = SchemeKind::Affine};

/// Normal values with an outlier.
std::vector<float> normalWith(float outlier)
{
    std::mt19937 engine(21);
    std::normal_distribution<float> normal;
    std::vector<float> values(20000);
    for (float& value : values)
        value = normal(engine);
    values.push_back(outlier);
    return values;
}

TEST_CASE("centred-kl cuts off an outlier that stands alone, by either tool's steps")
{
    for (const char* steps : {"onnxruntime", "mxnet"}) {
        const Calibration calibration =
            calibrated("centred-kl", normalWith(40.0F), {{"steps", steps}, {"bins", "2001"}});
        INFO(steps);
        CHECK(*calibration.clip.threshold < 20.0);
        CHECK(*calibration.clip.threshold > 2.0);
        CHECK(calibration.histogram->growth == "centred-numpy");
        CHECK(calibration.curve.value.size() == 1000 - 127 + 1);
    }
}

TEST_CASE("centred-kl's affine range is the window's by ONNX Runtime, cut at the data's ends")
{
    std::vector<float> values = normalWith(0.0F);
    for (float& value : values)
        value = std::max(value, -0.5F);
    const Range range = *calibrated("centred-kl", values, {}, affine).clip.range;
    CHECK(range.low == -0.5);
    CHECK(range.high > 1.0);
    // MXNet's threshold is one number, cut at the data's ends with the note that this has.
    const Calibration mxnet = calibrated("centred-kl", values, {{"steps", "mxnet"}}, affine);
    CHECK(mxnet.clip.range->low == -0.5);
    CHECK(mxnet.notes.back() ==
          "a threshold under an affine scheme: cut at the least and greatest value");
}

TEST_CASE("centred-kl answers all zeros as all calibrators, or searches them as MXNet does")
{
    const std::vector<float> zeros(500, 0.0F);
    CHECK(calibrated("centred-kl", zeros).clip.threshold == 0.0);
    // The first window: 255 of 8001 bins of 1 / 8001.
    const Calibration searched = calibrated(
        "centred-kl", zeros, {{"steps", "mxnet"}, {"all-zero", "searched"}, {"bins", "8001"}});
    CHECK(*searched.clip.threshold == static_cast<double>(0.0159355085F));
    CHECK(searched.curve.chosen == 0);
    CHECK(calibrated("centred-kl", {}, {{"all-zero", "searched"}}).notes ==
          Notes{"no finite value"});
}

TEST_CASE("centred-kl takes the narrowest window where none can be compared, as the tools do")
{
    // 8000 empty bins are no reason yet: 0.8 counts; but Q is empty until the window is whole.
    const Calibration calibration = calibrated("centred-kl", std::vector<float>(4096, 0.75F),
                                               {{"bins", "8001"}, {"levels", "255"}}, affine);
    CHECK(calibration.curve.value.empty());
    CHECK(calibration.notes ==
          Notes{"no window can be compared: the narrowest is taken, as the tool does"});
    CHECK(calibration.clip.range == Range{0.0, 0.023903261870145798});
}

TEST_CASE("centred-kl with fewer bins than levels keeps all")
{
    const Calibration calibration =
        calibrated("centred-kl", {1.0F, -3.0F}, {{"bins", "100"}, {"levels", "101"}});
    CHECK(calibration.clip.threshold == 3.0);
    CHECK(calibration.notes == Notes{"no valid trial"});
}

TEST_CASE("centred-kl merges the bins of a histogram that a late outlier has made too many")
{
    TensorProfile profile;
    const std::vector<float> first = normalWith(0.0F);
    Extents batch;
    batch.add(first);
    const HistogramSpec spec{.growth = "centred-numpy", .bins = 1001, .domain = Domain::Signed};
    Histogram histogram = test::grownHistogram(first, spec);
    Extents last;
    last.add(1000.0F);
    growthRule(spec.growth).grow(histogram, last, {.finite = first.size()}, batch);
    const std::vector<float> outlier{1000.0F};
    histogram.add(outlier);
    profile.moments.add(first);
    profile.moments.add(outlier);
    profile.histograms.push_back(histogram);
    CHECK(histogram.counts.size() > 100000);
    const Calibrator& algorithm = calibrator("centred-kl");
    const Settings settings(algorithm.parameters, {}, "centred-kl");
    const Scheme scheme;
    const Calibration calibration =
        algorithm.calibrate({.settings = settings, .scheme = scheme}, profile);
    REQUIRE(calibration.notes.size() >= 1);
    CHECK(calibration.notes.front().starts_with("the histogram grew to"));
    CHECK(calibration.curve.value.size() < 16384);
    CHECK(*calibration.clip.threshold < 500.0);
}

}  // namespace centred_kl_test
