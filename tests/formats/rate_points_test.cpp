// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/rate_points.h"

#include "tests/support/catch.h"

namespace rate_points_test {

using namespace calibscope;

std::vector<std::string> idsOn(const std::string& family, const MatrixShape& matrix)
{
    std::vector<std::string> ids;
    for (const RatePoint& point : ratePoints(family))
        if (isOwnPoint(point, matrix))
            ids.push_back(point.format.id);
    return ids;
}

TEST_CASE("an element has a point for each granularity that a row is long enough for")
{
    CHECK(idsOn("int4", {.outer = 8, .length = 40}) ==
          std::vector<std::string>{"int4-tensor", "int4-row", "int4-g32", "int4-g16", "int4-g8"});
    CHECK(idsOn("int4", {.outer = 1, .length = 8}) == std::vector<std::string>{"int4-tensor"});
    CHECK(idsOn("int4:search=shrink", {.outer = 2, .length = 16}) ==
          std::vector<std::string>{"int4-tensor:search=shrink", "int4-row:search=shrink",
                                   "int4-g8:search=shrink"});
}

TEST_CASE("a format with blocks of its own is one point")
{
    CHECK(idsOn("mxfp4", {.outer = 1, .length = 8}) == std::vector<std::string>{"mxfp4"});
    CHECK(idsOn("int4-g32", {.outer = 1, .length = 8}) == std::vector<std::string>{"int4-g32"});
    CHECK(idsOn("q4_k", {.outer = 1, .length = 512}) == std::vector<std::string>{"q4_k"});
    CHECK(idsOn("q4_k", {.outer = 2, .length = 128}).empty());
    for (const std::string& family : usualFamilies())
        CHECK_FALSE(ratePoints(family).empty());
}

}  // namespace rate_points_test
