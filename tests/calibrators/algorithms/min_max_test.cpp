// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

namespace min_max_test {

using namespace calibscope;
using calibscope::test::calibrated;

constexpr Scheme affine{.kind = SchemeKind::Affine};

TEST_CASE("min-max takes the largest magnitude, whichever its sign")
{
    CHECK(calibrated("min-max", {-3.0F, 0.5F, 2.0F}).clip.threshold == 3.0);
    CHECK(calibrated("min-max", {-3.0F, 0.5F, 4.0F}).clip.threshold == 4.0);
    CHECK(calibrated("min-max", {0.75F}).clip.threshold == 0.75);
    CHECK(calibrated("min-max", {0.75F}).notes.empty());
}

TEST_CASE("a fraction keeps that share of the threshold or of both ends")
{
    CHECK(calibrated("min-max", {-3.0F, 4.0F}, {{"fraction", "0.999"}}).clip.threshold ==
          0.999 * 4.0);
    CHECK(calibrated("min-max", {-3.0F, 4.0F}, {{"fraction", "0.5"}}, affine).clip.range ==
          Range{-1.5, 2.0});
}

TEST_CASE("an affine range always holds 0")
{
    CHECK(calibrated("min-max", {1.0F, 4.0F}, {}, affine).clip.range == Range{0.0, 4.0});
    CHECK(calibrated("min-max", {-4.0F, -1.0F}, {}, affine).clip.range == Range{-4.0, 0.0});
    CHECK(calibrated("min-max", {-1.0F, 4.0F}, {}, affine).clip.range == Range{-1.0, 4.0});
}

TEST_CASE("an affine range is not extended to 0 where that is asked for")
{
    const GivenSettings given{{"zero-in-range", "no"}};
    CHECK(calibrated("min-max", {1.0F, 4.0F}, given, affine).clip.range == Range{1.0, 4.0});
    CHECK(calibrated("min-max", {-4.0F, -1.0F}, given, affine).clip.range == Range{-4.0, -1.0});
    CHECK(calibrated("min-max", {-1.0F, 4.0F}, given, affine).clip.range == Range{-1.0, 4.0});
    const Calibration constant = calibrated("min-max", {3.0F, 3.0F}, given, affine);
    CHECK(constant.clip.range == Range{0.0, 3.0});
    CHECK(constant.notes ==
          std::vector<std::string>{"zero-in-range=no leaves no width: 0 is put into the range"});
    CHECK(calibrated("min-max", {1.0F, 4.0F}, given).clip.threshold == 4.0);
    const GivenSettings least{{"zero-in-range", "no"}, {"least-range", "5"}};
    CHECK(calibrated("min-max", {1.0F, 4.0F}, least, affine).clip.range == Range{1.0, 6.0});
}

TEST_CASE("min-max of the parts covers the whole")
{
    const std::vector<float> first{-1.0F, 2.0F};
    const std::vector<float> second{0.5F, -7.0F};
    CHECK(std::max(*calibrated("min-max", first).clip.threshold,
                   *calibrated("min-max", second).clip.threshold) ==
          *calibrated("min-max", {-1.0F, 2.0F, 0.5F, -7.0F}).clip.threshold);
}

TEST_CASE("a least range raises the high end, also of zeros")
{
    const GivenSettings least{{"least-range", "0.5"}};
    CHECK(calibrated("min-max", {-0.25F, 0.125F}, least, affine).clip.range == Range{-0.25, 0.25});
    CHECK(calibrated("min-max", {0.0F, 0.0F}, least, affine).clip.range == Range{0.0, 0.5});
    CHECK(calibrated("min-max", {0.0F, 0.0F}, least, affine).notes ==
          std::vector<std::string>{"all zero"});
    CHECK(calibrated("min-max", {-0.25F}, least).clip.threshold == 0.25);
    CHECK(calibrated("min-max", {0.125F}, least).clip.threshold == 0.5);
    CHECK(calibrated("min-max", {-4.0F, 3.0F}, least).clip.threshold == 4.0);
    CHECK_FALSE(calibrated("min-max", {}, least).clip.threshold);
}

}  // namespace min_max_test
