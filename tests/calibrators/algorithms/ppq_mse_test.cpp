// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

namespace ppq_mse_test {

using namespace calibscope;
using calibscope::test::calibrated;

TEST_CASE("ppq's steps are whole bins, so that a constant has a threshold beyond itself")
{
    // 2048 bins and 255 levels: nine bins a step, 2295 bins in all.
    const Calibration constant = calibrated("ppq-mse", std::vector<float>(64, 0.75F));
    CHECK(constant.clip.threshold == 2295.0 * (0.75 / 2048.0));
    CHECK(constant.notes == std::vector<std::string>{"threshold above the maximum"});
}

TEST_CASE("ppq's levels of x begin at no value above 0, and an affine range holds 0")
{
    constexpr Scheme affine{.kind = SchemeKind::Affine};
    const Calibration positive = calibrated("ppq-mse", {1.0F, 2.0F, 3.0F, 5.0F}, {}, affine);
    CHECK(positive.clip.range == Range{0.0, 2304.0 * (4.0 / 2048.0) + 1.0});
    const Calibration both = calibrated("ppq-mse", {-4.0F, -3.0F, 0.0F, 2.0F, 4.0F}, {}, affine);
    CHECK(both.clip.range->low == -4.0);
}

}  // namespace ppq_mse_test
