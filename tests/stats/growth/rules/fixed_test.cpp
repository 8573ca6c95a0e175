// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/growth_rule.h"

#include "tests/support/catch.h"

#include <vector>

namespace rules_fixed_test {

using namespace calibscope;

Histogram grown(Domain domain, const std::vector<std::vector<float>>& batches)
{
    Extents whole;
    for (const std::vector<float>& batch : batches)
        whole.add(batch);
    Histogram histogram = emptyHistogram({.growth = "fixed", .bins = 4, .domain = domain});
    for (const std::vector<float>& batch : batches) {
        Extents extents;
        extents.add(batch);
        growthRule("fixed").grow(histogram, extents, {}, whole);
        histogram.add(batch);
    }
    return histogram;
}

using Counts = std::vector<std::uint64_t>;

TEST_CASE("fixed: one range for all batches, from 0 to the largest magnitude or from min to max")
{
    const Histogram magnitude = grown(Domain::Magnitude, {{1.0F}, {-8.0F, 4.0F}});
    CHECK(magnitude.range() == Range{0.0, 8.0});
    CHECK(magnitude.counts == Counts{1, 0, 1, 1});
    const Histogram both = grown(Domain::Signed, {{1.0F}, {-8.0F, 4.0F}});
    CHECK(both.range() == Range{-8.0, 4.0});
    CHECK(both.counts == Counts{1, 0, 0, 2});
}

TEST_CASE("fixed: the order of the batches makes no difference")
{
    const std::vector<float> first{1.0F, -2.0F};
    const std::vector<float> second{5.0F, 0.1F};
    CHECK(grown(Domain::Signed, {first, second}) == grown(Domain::Signed, {second, first}));
}

TEST_CASE("fixed: constant data and no data")
{
    CHECK(grown(Domain::Signed, {{0.75F, 0.75F}}).counts == Counts{2, 0, 0, 0});
    CHECK(grown(Domain::Magnitude, {{0.75F, 0.75F}}).counts == Counts{0, 0, 0, 2});
    CHECK(grown(Domain::Magnitude, {{}}).total() == 0);
}

}  // namespace rules_fixed_test
