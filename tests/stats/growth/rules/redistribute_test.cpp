// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/growth_rule.h"

#include "tests/support/catch.h"

#include <cmath>
#include <random>
#include <vector>

namespace redistribute_test {

using namespace calibscope;

using Counts = std::vector<std::uint64_t>;

void addBatch(Histogram& histogram, const std::vector<float>& batch)
{
    Extents extents;
    extents.add(batch);
    growthRule("redistribute").grow(histogram, extents, {.finite = histogram.total()}, {});
    histogram.add(batch);
}

Histogram grown(const std::vector<std::vector<float>>& batches, int bins,
                Domain domain = Domain::Signed)
{
    Histogram histogram =
        emptyHistogram({.growth = "redistribute", .bins = bins, .domain = domain});
    for (const std::vector<float>& batch : batches)
        addBatch(histogram, batch);
    return histogram;
}

/// Four bins of width 1 over [0, 4] with counts 4, 0, 2, 1.
Histogram fourBins()
{
    return grown({{0.0F, 0.5F, 0.5F, 0.5F, 2.5F, 2.5F, 4.0F}}, 4);
}

TEST_CASE("redistribute: the first batch sets the range")
{
    CHECK(fourBins().range() == Range{0.0, 4.0});
    CHECK(fourBins().counts == Counts{4, 0, 2, 1});
}

TEST_CASE("redistribute: a batch inside the range moves nothing")
{
    Histogram histogram = fourBins();
    addBatch(histogram, {1.5F, 4.0F, 0.0F});
    CHECK(histogram.counts == Counts{5, 1, 2, 2});
}

TEST_CASE("redistribute: bins that fit into wider ones move whole")
{
    Histogram histogram = fourBins();
    addBatch(histogram, {8.0F});
    // Bins of width 2: 0 and 1 into the first, 2 and 3 into the second, then the 8.
    CHECK(histogram.range() == Range{0.0, 8.0});
    CHECK(histogram.counts == Counts{4, 3, 0, 1});
}

TEST_CASE("redistribute: a bin across an edge is split in proportion, in whole counts")
{
    Histogram histogram = fourBins();
    addBatch(histogram, {-1.0F, 5.0F});
    // New edges -1, 0.5, 2, 3.5, 5. Bin [0, 1) of 4: half of it, 2, stays below 0.5. Bin [2, 3)
    // fits. Bin [3, 4) of 1: a half rounds up, so all of it stays in the bin of its start.
    CHECK(histogram.counts == Counts{2 + 1, 2, 2 + 1, 1});
}

TEST_CASE("redistribute: a constant so far moves whole to the bin of its value")
{
    Histogram histogram = grown({{0.75F, 0.75F, 0.75F}}, 4);
    CHECK(histogram.range() == Range{0.75, 0.75});
    addBatch(histogram, {0.0F, 1.0F});
    CHECK(histogram.range() == Range{0.0, 1.0});
    CHECK(histogram.counts == Counts{1, 0, 0, 4});
}

TEST_CASE("redistribute: batches without finite values change nothing, wherever they come")
{
    const std::vector<float> nothing{std::nanf("")};
    const std::vector<float> first{0.0F, 4.0F, 1.0F};
    const std::vector<float> second{-2.0F, 6.0F};
    CHECK(grown({nothing, first, nothing, second, {}}, 8) == grown({first, second}, 8));
}

TEST_CASE("redistribute: magnitudes grow from 0")
{
    const Histogram histogram = grown({{-1.0F, 0.5F}, {-2.0F}}, 4, Domain::Magnitude);
    CHECK(histogram.range() == Range{0.0, 2.0});
    // Over [0, 1]: 0.5 in [0.5, 0.75), 1 in [0.75, 1]; over [0, 2] both start in [0.5, 1).
    CHECK(histogram.counts == Counts{0, 2, 0, 1});
}

TEST_CASE("redistribute: no count is lost or made, and the range is that of all batches")
{
    std::mt19937 engine(77);
    std::normal_distribution<float> normal;
    Histogram histogram =
        emptyHistogram({.growth = "redistribute", .bins = 512, .domain = Domain::Signed});
    Extents whole;
    for (int batch = 0; batch < 40; ++batch) {
        std::vector<float> values(300);
        for (float& value : values)
            value = normal(engine) * std::exp(0.1F * static_cast<float>(batch)) +
                    0.05F * static_cast<float>(batch);
        whole.add(values);
        addBatch(histogram, values);
        REQUIRE(histogram.total() == whole.finite);
    }
    CHECK(histogram.range() == Range{whole.min, whole.max});
    CHECK(histogram.counts.size() == 512);
}

}  // namespace redistribute_test
