// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

namespace algorithms_fixed_test {

using namespace calibscope;
using calibscope::test::calibrated;

constexpr Scheme affine{.kind = SchemeKind::Affine};

using Notes = std::vector<std::string>;

TEST_CASE("fixed gives its threshold whatever the data, 1 by default: scale 1/127")
{
    const Calibration calibration = calibrated("fixed", {0.1F, 1.5F});
    CHECK(calibration.clip.threshold == 1.0);
    CHECK(calibration.notes.empty());
    CHECK(makeQuantizer({}, calibration.clip).quantizer.scale == 1.0 / 127);
    CHECK(calibrated("fixed", {0.1F}, {{"threshold", "0.25"}}).clip.threshold == 0.25);
}

TEST_CASE("a fixed threshold stays above smaller data and above all zeros, with a note")
{
    CHECK(calibrated("fixed", {0.1F, 0.6F}).clip.threshold == 1.0);
    CHECK(calibrated("fixed", {0.1F, 0.6F}).notes == Notes{"threshold above the maximum"});
    CHECK(calibrated("fixed", {0.0F, 0.0F}).clip.threshold == 1.0);
}

TEST_CASE("under an affine scheme the ends are given, or cut where the data end")
{
    const std::vector<float> values{-0.2F, 3.0F};
    const Calibration cut = calibrated("fixed", values, {}, affine);
    CHECK(cut.clip.range == Range{static_cast<double>(-0.2F), 1.0});
    CHECK(cut.notes ==
          Notes{"a threshold under an affine scheme: cut at the least and greatest value"});

    const Calibration given = calibrated("fixed", values, {{"low", "-0.5"}, {"high", "2"}}, affine);
    CHECK(given.clip.range == Range{-0.5, 2.0});
    CHECK(given.notes.empty());
    CHECK(calibrated("fixed", values, {{"low", "-7"}}, affine).clip.range == Range{-7.0, 1.0});
    CHECK(calibrated("fixed", values, {{"high", "7"}}, affine).clip.range ==
          Range{static_cast<double>(-0.2F), 7.0});
}

TEST_CASE("given affine ends ignore all-zero data, those that follow the threshold do not")
{
    const std::vector<float> zeros{0.0F, -0.0F};
    CHECK(calibrated("fixed", zeros, {{"low", "-1"}, {"high", "1"}}, affine).clip.range ==
          Range{-1.0, 1.0});
    const Calibration following = calibrated("fixed", zeros, {}, affine);
    CHECK(following.clip.range == Range{0.0, 0.0});
    CHECK(following.notes.back() == "all zero");
}

TEST_CASE("a threshold beside both given ends has no effect, and a note says so")
{
    const GivenSettings given{{"threshold", "2"}, {"low", "-1"}, {"high", "1"}};
    CHECK(calibrated("fixed", {0.5F, 3.0F}, given, affine).notes ==
          Notes{"threshold=2 has no effect: both ends are given"});
}

}  // namespace algorithms_fixed_test
