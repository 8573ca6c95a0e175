// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/grown_counts.h"

#include "tests/support/catch.h"

#include <numeric>
#include <vector>

namespace grown_counts_test {

using namespace calibscope;

void addBatch(GrownCounts& counts, const std::vector<float>& batch)
{
    Extents extents;
    extents.add(batch);
    counts.beginBatch(extents);
    counts.add(batch);
}

double sumOf(const std::vector<double>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), 0.0);
}

TEST_CASE("a wider batch moves whole counts, none is lost")
{
    GrownCounts counts;
    addBatch(counts, {0.0F, 0.0F});  // left out
    CHECK_FALSE(counts.hasBins());
    addBatch(counts, {0.0F, 1.0F, 256.5F, 512.0F});
    CHECK(counts.range() == Range{0.0, 512.0});
    CHECK(counts.counts()[0] == 1.0);
    CHECK(counts.counts()[1] == 1.0);
    CHECK(counts.counts()[256] == 1.0);
    CHECK(counts.counts()[511] == 1.0);
    addBatch(counts, {-512.0F, 0.0F});
    CHECK(counts.range() == Range{-512.0, 512.0});
    CHECK(counts.counts()[0] == 1.0);
    CHECK(counts.counts()[256] == 3.0);  // 0, 1 and the new 0 in bins of two
    CHECK(counts.counts()[384] == 1.0);
    CHECK(counts.counts()[511] == 1.0);
    CHECK(sumOf(counts.counts()) == 6.0);
}

TEST_CASE("one value gets a width of 0.01, zeros among others are counted")
{
    GrownCounts counts;
    addBatch(counts, {0.75F});
    CHECK(counts.range() == Range{0.75, 0.75 + static_cast<double>(0.01F)});
    addBatch(counts, {0.5F, 0.0F});
    CHECK(sumOf(counts.counts()) == 3.0);
}

TEST_CASE("counts are shared by overlap in whole numbers")
{
    const std::vector<double> counts{4.0, 8.0};
    CHECK(sharedByOverlap(counts, {0.0, 2.0}, {0.0, 2.0}) == counts);
    CHECK(sharedByOverlap(counts, {0.0, 2.0}, {-2.0, 2.0}) == std::vector<double>{0.0, 12.0});
    // Bins of 1.5: the first covers all of the first source bin and half of the second.
    CHECK(sharedByOverlap(counts, {0.0, 2.0}, {0.0, 3.0}) == std::vector<double>{8.0, 4.0});
}

}  // namespace grown_counts_test
