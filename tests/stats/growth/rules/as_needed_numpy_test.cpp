// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/stats/growth/grown_batches.h"
#include "tests/support/catch.h"

namespace as_needed_numpy_test {

using namespace calibscope;
using calibscope::test::Batches;

using Counts = std::vector<std::uint64_t>;

Histogram grown(const Batches& batches, int bins)
{
    return test::grown({.growth = "as-needed-numpy", .bins = bins}, batches);
}

TEST_CASE("as-needed-numpy: the first batch's magnitudes are the range, smaller ones are left out")
{
    const Histogram histogram = grown({{-1.0F, 5.0F, 2.0F}, {0.5F, 0.0F, 4.5F}}, 4);
    CHECK(histogram.edges == std::vector<double>{1, 2, 3, 4, 5});
    CHECK(histogram.counts == Counts{1, 1, 0, 2});
    CHECK(histogram.leftOut == 2);
    CHECK(
        notesOf(histogram) ==
        std::vector<std::string>{"2 values outside the histogram were left out, as the tool does"});
}

TEST_CASE("as-needed-numpy: a larger value adds bins above, by rounding sometimes one more")
{
    CHECK(grown({{1.0F, 5.0F}, {6.5F}, {9.0F}}, 4).counts == Counts{1, 0, 0, 1, 0, 1, 0, 1});
    // 0.05 and twice as much: numpy.arange gives 11 edges where 10 would do.
    CHECK(grown({{0.0F, 0.05F}, {2.0F * 0.05F}}, 10).counts.size() == 21);
}

TEST_CASE("as-needed-numpy: one value alone gets half of 1 on both sides")
{
    const Histogram histogram = grown({{0.75F, 0.75F}}, 2);
    CHECK(histogram.edges == std::vector<double>{0.25, 0.75, 1.25});
    CHECK(histogram.counts == Counts{0, 2});
    CHECK(grown({{0.0F}}, 2).edges == std::vector<double>{-0.5, 0.0, 0.5});
    const Histogram large = grown({{1e30F}}, 4);  // 1e30 +- 0.5 is 1e30
    CHECK(large.counts == Counts{0, 0, 0, 1});
    CHECK(large.low == 0.0);
    CHECK(large.notes.size() == 1);
}

}  // namespace as_needed_numpy_test
