// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/centred_bins.h"

#include "tests/support/catch.h"

#include <vector>

namespace stats_centred_bins_test {

using namespace calibscope;

using Counts = std::vector<std::uint64_t>;

Histogram withCounts(Counts counts, double half)
{
    Histogram histogram;
    histogram.spec.domain = Domain::Signed;
    histogram.counts = std::move(counts);
    setHalfRange(histogram, half);
    return histogram;
}

TEST_CASE("an even number of bins is merged by pairs around the edge at 0")
{
    Histogram histogram = withCounts({1, 2, 3, 4, 5, 6, 7, 8}, 4.0);
    mergeAroundMiddle(histogram);
    CHECK(histogram.counts == Counts{3, 7, 11, 15});
    CHECK(histogram.edges == std::vector<double>{-4, -2, 0, 2, 4});
    Histogram padded = withCounts({1, 2, 3, 4, 5, 6}, 3.0);
    mergeAroundMiddle(padded);
    CHECK(padded.counts == Counts{1, 5, 9, 6});
    CHECK(padded.edges == std::vector<double>{-4, -2, 0, 2, 4});
}

TEST_CASE("an odd number of bins is merged by threes around the bin of 0")
{
    Histogram histogram = withCounts({1, 2, 3, 4, 5, 6, 7, 8, 9}, 4.5);
    mergeAroundMiddle(histogram);
    CHECK(histogram.counts == Counts{6, 15, 24});
    CHECK(histogram.high == 4.5);
    Histogram padded = withCounts({1, 2, 3, 4, 5}, 2.5);
    mergeAroundMiddle(padded);
    CHECK(padded.counts == Counts{1, 9, 5});
    CHECK(padded.high == 4.5);
    CHECK(padded.low == -4.5);
}

TEST_CASE("a range whose edges float32 cannot tell apart has equal bins")
{
    const Histogram histogram = withCounts(Counts(4), 1e-45);
    CHECK(histogram.edges.empty());
    CHECK(histogram.low == -1e-45);
    CHECK(histogram.high == 1e-45);
}

}  // namespace stats_centred_bins_test
