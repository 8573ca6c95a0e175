// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace entropy_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::calibrated;

using Notes = std::vector<std::string>;

std::vector<float> laplace(std::size_t count, unsigned seed)
{
    std::mt19937 engine(seed);
    std::exponential_distribution<float> exponential(1.0F);
    std::vector<float> values(count);
    for (std::size_t index = 0; index < count; ++index)
        values[index] = exponential(engine) * (index % 2 == 0 ? 1.0F : -1.0F);
    return values;
}

/// Eight bins of width 1 over [0, 8] with these counts; the largest value is 8.
std::vector<float> eightBins(const std::vector<int>& counts)
{
    std::vector<float> values{8.0F};
    for (std::size_t bin = 0; bin < counts.size(); ++bin)
        for (int repeat = 0; repeat < counts[bin]; ++repeat)
            values.push_back(static_cast<float>(bin) + 0.5F);
    return values;
}

GivenSettings with(GivenSettings given)
{
    given.insert({"bins", "8"});
    given.insert({"levels", "2"});
    return given;
}

std::vector<double> curveOf(const std::vector<float>& values, const GivenSettings& given)
{
    return calibrated("entropy", values, with(given)).curve.value;
}

TEST_CASE("the curve has a point for every bin from the first to the last candidate")
{
    const Calibration calibration = calibrated("entropy", laplace(20000, 1));
    const Curve& curve = calibration.curve;
    REQUIRE(curve.value.size() == 1024 - 127);
    CHECK(curve.objective == "KL divergence");
    CHECK(curve.unit == "nats");
    CHECK(curve.threshold.front() / curve.threshold.back() == Approx(127.5 / 1023.5));
    for (const double value : curve.value) {
        CHECK_FALSE(std::isnan(value));
        CHECK(value >= curve.value[curve.chosen]);
    }
    CHECK(curve.threshold[curve.chosen] == calibration.clip.threshold);
    CHECK(curve.plateau.contains(*calibration.clip.threshold));
    CHECK(calibration.histogram == HistogramSpec{.growth = "double", .bins = 1024});
    CHECK(calibration.isExact);
}

TEST_CASE("the plateau reaches as far as the divergence stays within 1 percent of the least")
{
    const Curve curve = calibrated("entropy", laplace(20000, 2)).curve;
    const double most = 1.01 * curve.value[curve.chosen];
    for (std::size_t point = 0; point < curve.value.size(); ++point)
        if (curve.plateau.contains(curve.threshold[point]))
            CHECK(curve.value[point] <= most);
}

TEST_CASE("thresholds lie at the bin's centre, its right edge, or half a bin beyond")
{
    const std::vector<float> values = eightBins({9, 5, 7, 1, 2, 1, 0});
    const auto last = [&](const char* where) {
        return calibrated("entropy", values, with({{"threshold-at", where}}))
            .curve.threshold.back();
    };
    CHECK(last("centre") == 7.5);
    CHECK(last("right-edge") == 8.0);
    CHECK(last("index-half") == 8.5);
}

TEST_CASE("a threshold above the largest magnitude stays, with a note")
{
    // All values in the last bin: only its trial has a coarse histogram that is not empty.
    const Calibration calibration = calibrated(
        "entropy", {8.0F}, with({{"outliers-in-q", "no"}, {"threshold-at", "index-half"}}));
    CHECK(calibration.clip.threshold == 8.5);
    CHECK(calibration.notes == Notes{"threshold above the maximum"});
    CHECK(calibrated("entropy", {8.0F},
                     with({{"outliers-in-q", "no"}, {"threshold-at", "right-edge"}}))
              .notes.empty());
}

TEST_CASE("the first bin is counted, emptied, or takes its neighbour's count")
{
    const std::vector<int> counts{90, 5, 7, 1, 2, 1, 0};
    const auto changed = [&](int first) {
        std::vector<int> other = counts;
        other.front() = first;
        return curveOf(eightBins(other), {});
    };
    CHECK(curveOf(eightBins(counts), {{"first-bin", "counted"}}) == changed(90));
    CHECK(curveOf(eightBins(counts), {{"first-bin", "discarded"}}) == changed(0));
    CHECK(curveOf(eightBins(counts), {{"first-bin", "copied"}}) == changed(5));
}

TEST_CASE("candidates start at the number of levels or as given, and end at max or at the end")
{
    const std::vector<float> values = eightBins({9, 5, 7, 1, 2, 1, 0});
    CHECK(curveOf(values, {}).size() == 6);
    CHECK(curveOf(values, {{"first-candidate", "0"}}).size() == 8);
    CHECK(curveOf(values, {{"first-candidate", "7"}}).size() == 1);

    // Two batches: the second doubles the bins to 16 over [0, 16]; 9 lies in bin 9.
    Histogram histogram = emptyHistogram({.growth = "double", .bins = 8});
    Extents first;
    first.add(8.0F);
    Extents whole = first;
    whole.add(9.0F);
    growthRule("double").grow(histogram, first, {}, whole);
    histogram.add(values);
    growthRule("double").grow(histogram, whole, {.finite = values.size()}, whole);
    histogram.add(std::vector<float>{9.0F});
    TensorProfile profile;
    profile.moments.extents = whole;
    profile.histograms = {histogram};
    const Calibrator& entropy = calibrator("entropy");
    const Scheme scheme;
    const auto points = [&](const char* lastTrial) {
        const Settings settings(entropy.parameters, with({{"last-candidate", lastTrial}}),
                                "entropy");
        return entropy.calibrate({.settings = settings, .scheme = scheme}, profile)
            .curve.value.size();
    };
    CHECK(points("max") == 8);   // bins 2 to 9
    CHECK(points("end") == 14);  // bins 2 to 15
}

TEST_CASE("levels follow the scheme's bits unless given")
{
    const std::vector<float> values = laplace(5000, 3);
    const auto points = [&](int bits, const GivenSettings& given) {
        return calibrated("entropy", values, given, {.bits = bits}).curve.value.size();
    };
    CHECK(points(8, {}) == 1024 - 127);
    CHECK(points(4, {}) == 1024 - 7);
    CHECK(points(4, {{"levels", "127"}}) == 1024 - 127);
}

TEST_CASE("fewer bins than levels leave no candidate: the maximum is taken, with a note")
{
    const Calibration calibration = calibrated("entropy", {0.5F, -2.0F, 1.0F}, {{"bins", "127"}});
    CHECK(calibration.clip.threshold == 2.0);
    CHECK(calibration.notes == Notes{"no valid trial"});
    CHECK(calibration.curve.value.empty());
}

TEST_CASE("only the first bin filled and discarded leaves no candidate")
{
    Histogram histogram{.spec = {.growth = "double", .bins = 8},
                        .low = 0.0,
                        .high = 8.0,
                        .counts = {7, 0, 0, 0, 0, 0, 0, 0}};
    TensorProfile profile;
    profile.moments.extents = {.finite = 7, .min = 0.0, .max = 0.5};
    profile.histograms = {histogram};
    const Calibrator& entropy = calibrator("entropy");
    const Settings settings(entropy.parameters,
                            with({{"first-bin", "discarded"}, {"last-candidate", "end"}}),
                            "entropy");
    const Scheme scheme;
    const Calibration none = entropy.calibrate({.settings = settings, .scheme = scheme}, profile);
    CHECK(none.clip.threshold == 0.5);
    CHECK(none.notes == Notes{"no valid trial"});
}

TEST_CASE("ties are noted, and settled by the first or by the last")
{
    // One filled bin beyond all trials but the last: with outliers in Q each loses nothing.
    const Calibration first = calibrated("entropy", {8.0F}, with({{"empty-bins", "spread"}}));
    CHECK(first.clip.threshold == 2.5);
    CHECK(first.curve.ties.size() == 5);
    CHECK(first.notes ==
          Notes{"the first trial was chosen", "tie: 5 more trials have the least divergence"});
    const Calibration last =
        calibrated("entropy", {8.0F}, with({{"empty-bins", "spread"}, {"tie", "last"}}));
    CHECK(last.clip.threshold == 7.5);
    CHECK(last.notes == Notes{"tie: 5 more trials have the least divergence"});
}

TEST_CASE("smoothing, its epsilon, the direction and the outliers' place change the curve")
{
    const std::vector<float> values = eightBins({9, 0, 7, 1, 2, 0, 0});
    const std::vector<double> plain = curveOf(values, {});
    const std::vector<double> smooth = curveOf(values, {{"empty-bins", "smooth"}});
    CHECK(smooth != plain);
    CHECK(curveOf(values, {{"empty-bins", "smooth"}, {"epsilon", "0.1"}}) != smooth);
    CHECK(curveOf(values, {{"epsilon", "0.1"}}) == plain);
    CHECK(curveOf(values, {{"direction", "coarse-to-truncated"}}) != plain);
    CHECK(curveOf(values, {{"outliers-in-q", "no"}}) != plain);
    const std::vector<double> spread = curveOf(values, {{"empty-bins", "spread"}});
    CHECK(spread != plain);
    CHECK(spread != smooth);
    CHECK(curveOf(values, {{"outliers-in-q", "no"}, {"empty-bins", "spread"}})[3] ==
          std::numeric_limits<double>::infinity());  // bin 5 is empty, 8 lies beyond it
}

TEST_CASE("an affine scheme cuts the symmetric threshold at the data's ends, with a note")
{
    std::vector<float> values = laplace(20000, 4);
    for (float& value : values)
        value = std::abs(value);
    const double threshold = *calibrated("entropy", values).clip.threshold;
    const Calibration affine = calibrated("entropy", values, {}, {.kind = SchemeKind::Affine});
    CHECK(affine.clip.range == Range{0.0, threshold});
    CHECK(affine.notes ==
          Notes{"a threshold under an affine scheme: cut at the least and greatest value"});
}

TEST_CASE("scaling the data by a power of two scales the entropy threshold")
{
    const std::vector<float> values = laplace(20000, 5);
    std::vector<float> scaled;
    for (const float value : values)
        scaled.push_back(value * 1024.0F);
    CHECK(*calibrated("entropy", scaled).clip.threshold ==
          1024 * *calibrated("entropy", values).clip.threshold);
}

TEST_CASE("entropy without its histogram is a broken promise")
{
    TensorProfile profile;
    profile.moments.add(std::vector<float>{1.0F});
    const Calibrator& entropy = calibrator("entropy");
    const Settings settings(entropy.parameters, {}, "entropy");
    const Scheme scheme;
    CHECK_THROWS_AS(entropy.calibrate({.settings = settings, .scheme = scheme}, profile),
                    std::invalid_argument);
}

}  // namespace entropy_test
