// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <random>

namespace torch_histogram_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::calibrated;

std::vector<float> normalValues()
{
    std::mt19937 engine(12);
    std::normal_distribution<float> normal(0.0F, 10.0F);
    std::vector<float> values(20000);
    for (float& value : values)
        value = normal(engine);
    return values;
}

TEST_CASE("the kept range lies inside the data, and its farther end is the symmetric threshold")
{
    const std::vector<float> values = normalValues();
    Extents extents;
    extents.add(values);
    const Calibration affine =
        calibrated("torch-histogram", values, {}, {.kind = SchemeKind::Affine});
    REQUIRE(affine.clip.range);
    CHECK(affine.clip.range->low >= extents.min);
    CHECK(affine.clip.range->high <= extents.max);
    CHECK(affine.clip.range->width() < extents.max - extents.min);
    const Calibration symmetric = calibrated("torch-histogram", values);
    CHECK(*symmetric.clip.threshold == std::max(-affine.clip.range->low, affine.clip.range->high));
}

TEST_CASE("values beyond the whole numbers that the ends are cut to are noted")
{
    const Calibration calibration = calibrated("torch-histogram", {0.5F, 1.0F, 3.5F, -1.25F});
    REQUIRE_FALSE(calibration.notes.empty());
    CHECK_THAT(calibration.notes[0], test::containsText("2 values were left out"));
}

TEST_CASE("over real ends no value is left out")
{
    const Calibration calibration = calibrated("torch-histogram", {0.5F, 1.0F, 3.5F, -1.25F},
                                               {{"ends", "real"}, {"rebin", "midpoints"}});
    for (const std::string& note : calibration.notes)
        CHECK_THAT(note, !test::containsText("left out"));
}

TEST_CASE("a range wider than float32 is kept as it is, with a note")
{
    const Calibration calibration = calibrated("torch-histogram", {3.4e38F, -3.4e38F, 1.0F});
    CHECK(*calibration.clip.threshold == static_cast<double>(3.4e38F));
    CHECK_THAT(calibration.notes.back(), test::containsText("overflows float32"));
}

TEST_CASE("a constant keeps its value as threshold, no move raises the error")
{
    const Calibration calibration = calibrated("torch-histogram", std::vector<float>(100, -0.75F));
    CHECK(calibration.clip.threshold == 0.75);
    CHECK(calibration.notes == std::vector<std::string>{"no move inward raised the error"});
}

}  // namespace torch_histogram_test
