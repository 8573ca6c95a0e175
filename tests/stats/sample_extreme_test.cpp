// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/sample_extreme.h"

#include "tests/support/catch.h"

namespace sample_extreme_test {

using namespace calibscope;

TEST_CASE("a range is wider by the sample's magnitude over that of the others")
{
    CHECK(widening({.value = -6.0, .others = 4.0}) == 1.5);
    CHECK_FALSE(widening({.value = 6.0, .others = 0.0}));
    CHECK_FALSE(widening({.value = 6.0, .others = {}}));
}

TEST_CASE("samples are ranked by the ranges that they set alone")
{
    const std::vector<SetRange> ranges{{0, 7, 1.5}, {1, 3, 2.0}, {2, 7, 3.0}, {3, 9, 1.0},
                                       {4, 7, 2.0}, {5, 2, 4.0}, {6, 7, 2.5}};
    const std::vector<RankedSample> ranked = rankedSamples(ranges);
    REQUIRE(ranked.size() == 3);  // that of sample 9 is reached by others
    CHECK(ranked[0].sample == 7);
    CHECK(ranked[0].ranges.size() == 4);
    CHECK(ranked[0].ranges.front().tensor == 2);
    CHECK(ranked[0].medianWidening() == 2.25);  // of 1.5, 2, 2.5 and 3
    CHECK(ranked[1].sample == 2);
    CHECK(ranked[1].medianWidening() == 4.0);
    CHECK(ranked[2].sample == 3);
}

}  // namespace sample_extreme_test
