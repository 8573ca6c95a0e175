// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/statistics.h"

#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <algorithm>
#include <limits>

namespace compare_statistics_test {

using namespace calibscope;
using test::Approx;
using test::profileOf;

StatisticPair find(const std::vector<StatisticPair>& pairs, std::string_view id)
{
    const auto found = std::ranges::find(pairs, id, &StatisticPair::id);
    REQUIRE(found != pairs.end());
    return *found;
}

TEST_CASE("each statistic of both recordings, and what B has more")
{
    const auto pairs =
        comparedStatistics(profileOf({-1.0F, 0.0F, 4.0F}), profileOf({-2.0F, 0.0F, 8.0F, 2.0F}));
    CHECK(find(pairs, "values").a == 3.0);
    CHECK(find(pairs, "values").absolute() == 1.0);
    CHECK(find(pairs, "min").absolute() == -1.0);
    CHECK(find(pairs, "min").relative() == -1.0);  // of the magnitude of A
    CHECK(find(pairs, "max").relative() == 1.0);
    CHECK(find(pairs, "absmax").b == 8.0);
    CHECK(find(pairs, "mean").a == Approx(1.0));
    CHECK(find(pairs, "mean").b == Approx(2.0));
    CHECK(find(pairs, "zeros").absolute() == 0.0);
    CHECK(find(pairs, "zeros").relative() == 0.0);
    CHECK_FALSE(find(pairs, "p50").isExact);
    CHECK(find(pairs, "p50").a == Approx(1.0).epsilon(0.002));  // of 0, 1, 4
}

TEST_CASE("what grew from nothing has no relative change")
{
    const auto pairs = comparedStatistics(profileOf({0.0F, 0.0F}), profileOf({0.0F, 3.0F}));
    CHECK(find(pairs, "max").absolute() == 3.0);
    CHECK_FALSE(find(pairs, "max").relative());
}

TEST_CASE("a recording without finite values has counts alone")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto pairs = comparedStatistics(profileOf({nan, nan}), profileOf({1.0F}));
    CHECK(find(pairs, "nan").a == 2.0);
    CHECK(find(pairs, "values").b == 1.0);
    for (const std::string_view id : {"min", "mean", "std", "p99", "kurtosis"}) {
        CHECK_FALSE(find(pairs, id).a);
        CHECK_FALSE(find(pairs, id).absolute());
    }
}

}  // namespace compare_statistics_test
