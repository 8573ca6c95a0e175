// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_painter.h"

#include "tests/support/catch.h"

namespace curve_painter_test {

using namespace calibscope;

const Curve affine{.threshold = {-4.0, -2.0, 1.0, 3.0}, .value = {1.0, 2.0, 3.0, 4.0}};

TEST_CASE("points below 0 and above are branches of their own")
{
    const auto branches = branchesOf(affine, Domain::Signed);
    REQUIRE(branches.size() == 2);
    CHECK(branches[0].isLow);
    CHECK(branches[0].place == std::vector<double>{-4.0, -2.0});
    CHECK(branches[1].place == std::vector<double>{1.0, 3.0});
    CHECK(branchValues(branches[1], affine.value) == std::vector<double>{3.0, 4.0});
}

TEST_CASE("among magnitudes the low branch is turned round, so that places ascend")
{
    const auto branches = branchesOf(affine, Domain::Magnitude);
    REQUIRE(branches.size() == 2);
    CHECK(branches[0].place == std::vector<double>{2.0, 4.0});
    CHECK(branchValues(branches[0], affine.value) == std::vector<double>{2.0, 1.0});
}

TEST_CASE("a symmetric curve has one branch, an empty one none")
{
    const Curve symmetric{.threshold = {0.0, 1.0}, .value = {1.0, 2.0}};
    REQUIRE(branchesOf(symmetric, Domain::Signed).size() == 1);
    CHECK_FALSE(branchesOf(symmetric, Domain::Signed).front().isLow);
    CHECK(branchesOf({}, Domain::Signed).empty());
}

TEST_CASE("the nearest point is the one whose place is nearest")
{
    CHECK(nearestPoint(affine, Domain::Signed, -2.4) == 1);
    CHECK(nearestPoint(affine, Domain::Magnitude, 2.4) == 1);
    CHECK(nearestPoint(affine, Domain::Magnitude, 2.6) == 3);
    CHECK(nearestPoint(affine, Domain::Signed, 99.0) == 3);
}

}  // namespace curve_painter_test
