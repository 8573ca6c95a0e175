// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <random>
#include <stdexcept>

namespace algorithms_percentile_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::calibrated;

constexpr Scheme affine{.kind = SchemeKind::Affine};

using Notes = std::vector<std::string>;

/// -1, 2, -3, ... of magnitudes 1 to count.
std::vector<float> ramp(int count)
{
    std::vector<float> values;
    for (int value = 1; value <= count; ++value)
        values.push_back(static_cast<float>(value % 2 == 0 ? value : -value));
    return values;
}

double threshold(const std::vector<float>& values, const std::string& alpha,
                 const std::string& estimator)
{
    return *calibrated("percentile", values, {{"alpha", alpha}, {"estimator", estimator}})
                .clip.threshold;
}

TEST_CASE("the estimators differ between two neighbouring magnitudes")
{
    // Ranks 0..10 of 1..11: 73 % is rank 7.3, between 8 and 9.
    CHECK(threshold(ramp(11), "73", "linear") == Approx(8.3).epsilon(1e-14));
    CHECK(threshold(ramp(11), "73", "lower") == 8.0);
    CHECK(threshold(ramp(11), "73", "higher") == 9.0);
    CHECK(threshold(ramp(11), "73", "nearest") == 8.0);
    CHECK(threshold(ramp(11), "77", "nearest") == 9.0);
    // In the middle the even rank is taken: 75 % is rank 7.5, 65 % rank 6.5.
    CHECK(threshold(ramp(11), "75", "nearest") == 9.0);
    CHECK(threshold(ramp(11), "65", "nearest") == 7.0);
}

TEST_CASE("at a whole rank, at 0 and at 100 percent all estimators agree")
{
    for (const char* estimator : {"linear", "lower", "higher", "nearest"}) {
        CHECK(threshold(ramp(11), "70", estimator) == 8.0);
        CHECK(threshold(ramp(11), "0", estimator) == 1.0);
        CHECK(threshold(ramp(11), "100", estimator) == 11.0);
        CHECK(threshold({-0.75F}, "99.999", estimator) == 0.75);
        CHECK(threshold(std::vector<float>(50, 2.0F), "33", estimator) == 2.0);
    }
}

TEST_CASE("a mostly zero tensor can have a threshold of 0, with a note")
{
    std::vector<float> values(99, 0.0F);
    values.push_back(5.0F);
    const Calibration calibration = calibrated("percentile", values, {{"alpha", "90.5"}});
    CHECK(calibration.clip.threshold == 0.0);
    CHECK(calibration.notes == Notes{"threshold 0: more than 90.5 % are zero"});
    const Calibration range = calibrated("percentile", values, {{"alpha", "90.5"}}, affine);
    CHECK(range.clip.range == Range{0.0, 0.0});
    CHECK(range.notes == Notes{"threshold 0: more than 90.5 % are zero"});
}

TEST_CASE("affine tails cut half of the rest at each end, or all of it")
{
    std::vector<float> values;
    for (int value = -100; value <= 100; ++value)
        values.push_back(static_cast<float>(value));
    CHECK(calibrated("percentile", values, {{"alpha", "90"}}, affine).clip.range ==
          Range{-90.0, 90.0});
    CHECK(
        calibrated("percentile", values, {{"alpha", "90"}, {"tails", "full"}}, affine).clip.range ==
        Range{-80.0, 80.0});
}

TEST_CASE("one percentile of |x| can stand for both ends of an affine range")
{
    std::vector<float> values = ramp(100);
    for (float& value : values)
        value = std::max(value, -3.0F);  // 50 of -3 or -1; 2, 4, ..., 100
    const Calibration calibration =
        calibrated("percentile", values, {{"alpha", "90"}, {"domain", "magnitude"}}, affine);
    CHECK(calibration.clip.range == Range{-3.0, threshold(values, "90", "linear")});
    CHECK(calibration.notes ==
          Notes{"a threshold under an affine scheme: cut at the least and greatest value"});
    CHECK(calibrated("percentile", values, {{"alpha", "90"}, {"domain", "magnitude"}})
              .clip.threshold == threshold(values, "90", "linear"));
}

TEST_CASE("an affine range from a histogram does not reach beyond the data")
{
    // Bins from -8 to 8 in steps of 2: the left edges of those that hold -7 and 8 are -8 and 6.
    const GivenSettings centred{
        {"estimator", "hist-left"}, {"growth", "centred-numpy"}, {"bins", "8"}, {"alpha", "100"}};
    CHECK(calibrated("percentile", {-7.0F, 1.0F, 8.0F}, centred, affine).clip.range ==
          Range{-7.0, 6.0});
    // All in one bin above 0: the tool's range is inverted, from 1.75 to 1.5.
    GivenSettings narrow = centred;
    narrow["bins"] = "14";
    CHECK(calibrated("percentile", {1.75F, 1.75F}, narrow, affine).clip.range == Range{0.0, 1.5});
}

TEST_CASE("0 is put into an affine range, also where the tails cross")
{
    CHECK(calibrated("percentile", {1.0F, 2.0F, 3.0F}, {{"alpha", "100"}}, affine).clip.range ==
          Range{0.0, 3.0});
    const Calibration crossed =
        calibrated("percentile", ramp(11), {{"alpha", "0"}, {"tails", "full"}}, affine);
    CHECK(crossed.clip.range->low <= 0.0);
    CHECK(crossed.clip.range->high >= 0.0);
}

TEST_CASE("where a tail holds less than one value, the outermost decide, and a note says so")
{
    const auto notesOf = [](std::size_t count, const GivenSettings& given,
                            const Scheme& scheme = {}) {
        return calibrated("percentile", ramp(static_cast<int>(count)), given, scheme).notes;
    };
    const Notes few{"fewer than 1 / (1 - alpha) = 1000 values: the outermost decide"};
    CHECK(notesOf(999, {{"alpha", "99.9"}}) == few);
    CHECK(notesOf(1000, {{"alpha", "99.9"}}).empty());
    CHECK(notesOf(999, {{"alpha", "99.9"}, {"estimator", "hist-right"}}) == few);
    CHECK(notesOf(1999, {{"alpha", "99.9"}}, affine) ==
          Notes{"fewer than 2 / (1 - alpha) = 2000 values: the outermost decide"});
    CHECK(notesOf(2000, {{"alpha", "99.9"}}, affine).empty());
    CHECK(notesOf(1000, {{"alpha", "99.9"}, {"tails", "full"}}, affine).empty());
    CHECK(notesOf(5, {{"alpha", "100"}}).empty());
    // 99.999 % of 50,000 values lies between the two largest: rank 49999 * 0.99999 = 49998.5.
    const Calibration two = calibrated("percentile", ramp(50000), {{"alpha", "99.999"}});
    CHECK(*two.clip.threshold == Approx(49999.50001).epsilon(1e-14));
    CHECK(two.notes == Notes{"fewer than 1 / (1 - alpha) = 100000 values: the outermost decide"});
}

TEST_CASE("bins of a histogram that is not asked for have no effect, and a note says so")
{
    CHECK(calibrated("percentile", ramp(11), {{"alpha", "50"}, {"bins", "77"}}).notes ==
          Notes{"bins=77 has no effect: the estimator linear needs no histogram"});
    CHECK(calibrated("percentile", ramp(11),
                     {{"alpha", "50"}, {"bins", "77"}, {"estimator", "hist-left"}})
              .notes.empty());
}

TEST_CASE("scaling the data scales the percentile")
{
    std::mt19937 engine(17);
    std::normal_distribution<float> normal;
    std::vector<float> values(5000);
    std::vector<float> scaled;
    for (float& value : values) {
        value = normal(engine);
        scaled.push_back(-8.0F * value);
    }
    CHECK(threshold(scaled, "99.9", "linear") == 8.0 * threshold(values, "99.9", "linear"));
}

TEST_CASE("a percentile without its order statistics is a broken promise")
{
    TensorProfile profile;
    profile.moments.add(std::vector<float>{1.0F, 2.0F});
    const Calibrator& algorithm = calibrator("percentile");
    const Settings settings(algorithm.parameters, {}, "percentile");
    const Scheme scheme;
    CHECK_THROWS_AS(algorithm.calibrate({.settings = settings, .scheme = scheme}, profile),
                    std::invalid_argument);
}

TEST_CASE("an element's number is the whole part of the share of the count")
{
    // Of 11 values int(11 x 0.9) = 9, int(11 x 0.1) = 1, and never beyond the last.
    CHECK(threshold(ramp(11), "90", "element") == 10.0);
    CHECK(threshold(ramp(11), "100", "element") == 11.0);
    const GivenSettings full{{"alpha", "90"}, {"estimator", "element"}, {"tails", "full"}};
    // -11, -9, ..., -1, 2, 4, ..., 10: number 1 is -9, number 9 is 8.
    CHECK(calibrated("percentile", ramp(11), full, affine).clip.range == Range{-9.0, 8.0});
    const GivenSettings both{{"alpha", "90"}, {"estimator", "element"}, {"domain", "signed"}};
    CHECK(calibrated("percentile", ramp(11), both).clip.threshold == 9.0);
}

TEST_CASE("averaged batches give the mean of what each gives, in float32 where the arithmetic is")
{
    const std::vector<float> values = ramp(11);
    const GivenSettings averaged{{"alpha", "73"}, {"batches", "averaged"}};
    CHECK(calibrated("percentile", values, averaged).clip.threshold ==
          threshold(values, "73", "linear"));
    const Scheme single{.arithmetic = Arithmetic::Float32Ends};
    CHECK(calibrated("percentile", values, averaged, single).clip.threshold ==
          nearestFloat32(threshold(values, "73", "linear")));
    GivenSettings binned = averaged;
    binned["estimator"] = "hist-left";
    CHECK(calibrated("percentile", values, binned).notes.front() ==
          "batches=averaged has no effect: the histogram is of all batches");
}

TEST_CASE("a percentile range is not extended to 0 where that is asked for")
{
    const std::vector<float> values{10.0F, 11.0F, 12.0F, 13.0F, 14.0F};
    const GivenSettings given{{"alpha", "50"}, {"zero-in-range", "no"}};
    // Quarters are cut off at each end: ranks 1 and 3 of 0..4.
    CHECK(calibrated("percentile", values, given, affine).clip.range == Range{11.0, 13.0});
    CHECK(calibrated("percentile", values, {{"alpha", "50"}}, affine).clip.range ==
          Range{0.0, 13.0});
    GivenSettings magnitude = given;
    magnitude["domain"] = "magnitude";
    const Calibration ofMagnitude = calibrated("percentile", values, magnitude, affine);
    CHECK(ofMagnitude.clip.range == Range{0.0, 12.0});
    CHECK(ofMagnitude.notes.front() ==
          "zero-in-range=no has no effect: a magnitude is the distance of both ends from 0");
}

}  // namespace algorithms_percentile_test
