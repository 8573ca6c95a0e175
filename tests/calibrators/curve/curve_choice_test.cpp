// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/curve/curve_choice.h"

#include "tests/support/catch.h"

#include <limits>

namespace curve_choice_test {

using namespace calibscope;

const double inf = std::numeric_limits<double>::infinity();

Curve curveOf(std::vector<double> values)
{
    Curve curve{.objective = "error"};
    curve.value = std::move(values);
    for (std::size_t point = 0; point < curve.value.size(); ++point)
        curve.threshold.push_back(static_cast<double>(point + 1));
    return curve;
}

TEST_CASE("the least finite point is chosen, with the plateau within 1 % and the best beyond it")
{
    Curve curve = curveOf({inf, 3.0, 1.02, 1.009, 1.0, 1.01, 5.0});
    REQUIRE(chooseLeast(curve, false));
    CHECK(curve.chosen == 4);
    CHECK(curve.ties.empty());
    CHECK(curve.plateau == Range{4.0, 6.0});
    CHECK(curve.runnerUp == 2);  // 1.02: neighbours inside the plateau are the same answer
}

TEST_CASE("of equal points the widest or the narrowest is chosen and the others are ties")
{
    Curve curve = curveOf({2.0, 0.0, 4.0, 0.0, 7.0});
    REQUIRE(chooseLeast(curve, true));
    CHECK(curve.chosen == 3);
    CHECK(curve.ties == std::vector<std::size_t>{1});
    CHECK(curve.plateau == Range{4.0, 4.0});
    CHECK(curve.runnerUp == 1);
    REQUIRE(chooseLeast(curve, false));
    CHECK(curve.chosen == 1);
    CHECK(curve.ties == std::vector<std::size_t>{3});
}

TEST_CASE("nothing is chosen among infinities or of no points, and a lone point has no runner-up")
{
    Curve none = curveOf({inf, inf});
    CHECK_FALSE(chooseLeast(none, true));
    Curve empty;
    CHECK_FALSE(chooseLeast(empty, true));
    Curve lone = curveOf({inf, 0.5});
    REQUIRE(chooseLeast(lone, true));
    CHECK(lone.chosen == 1);
    CHECK_FALSE(lone.runnerUp);
    CHECK(lone.plateau == Range{2.0, 2.0});
}

}  // namespace curve_choice_test
