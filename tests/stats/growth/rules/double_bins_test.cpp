// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/growth_rule.h"

#include "tests/support/catch.h"

#include <random>
#include <vector>

namespace double_bins_test {

using namespace calibscope;

using Batches = std::vector<std::vector<float>>;

Histogram grown(const Batches& batches, int bins)
{
    Histogram histogram = emptyHistogram({.growth = "double", .bins = bins});
    for (const std::vector<float>& batch : batches) {
        Extents extents;
        extents.add(batch);
        growthRule("double").grow(histogram, extents, {}, {});
        histogram.add(batch);
    }
    return histogram;
}

using Counts = std::vector<std::uint64_t>;

TEST_CASE("double: the first batch sets the width, its largest value lies in the last bin")
{
    const Histogram histogram = grown({{0.5F, -1.0F, 3.9F, -4.0F}}, 4);
    CHECK(histogram.high == 4.0);
    CHECK(histogram.counts == Counts{1, 1, 0, 2});
}

TEST_CASE("double: a larger value doubles the number of bins until it fits")
{
    CHECK(grown({{4.0F}, {-4.5F}}, 4).counts == Counts{0, 0, 0, 1, 1, 0, 0, 0});
    CHECK(grown({{4.0F}, {8.0F}}, 4).counts == Counts{0, 0, 0, 1, 0, 0, 0, 1});
    const Histogram twice = grown({{4.0F}, {8.5F, 1.0F}, {2.0F}}, 4);
    CHECK(twice.high == 16.0);
    CHECK(twice.width() == 1.0);
    CHECK(twice.counts == Counts{0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0});
    CHECK(twice.notes.empty());
}

TEST_CASE("double: zeros wait in bin 0 until a batch sets the width")
{
    const Histogram histogram = grown({{0.0F, -0.0F}, {0.0F}, {2.0F, 0.5F}}, 4);
    CHECK(histogram.high == 2.0);
    CHECK(histogram.counts == Counts{3, 1, 0, 1});
    CHECK(grown({{0.0F}}, 4).high == 0.0);
    CHECK(grown({{}, {}}, 4).total() == 0);
}

TEST_CASE("double: whatever the batches, the counts are those of one pass at the first width")
{
    std::mt19937 engine(31);
    std::normal_distribution<float> normal;
    Batches batches(6);
    float spread = 0.3F;
    for (std::vector<float>& batch : batches) {
        for (int draw = 0; draw < 500; ++draw)
            batch.push_back(spread * normal(engine));
        spread *= 1.9F;
    }
    const Histogram histogram = grown(batches, 64);
    Extents first;
    first.add(batches.front());
    CHECK(histogram.width() == first.absMax() / 64);
    Histogram onePass =
        emptyHistogram({.growth = "fixed", .bins = static_cast<int>(histogram.counts.size())});
    onePass.high = histogram.high;
    for (const std::vector<float>& batch : batches)
        onePass.add(batch);
    // The first batch's largest value was counted while its bin was the last one.
    --onePass.counts[64];
    ++onePass.counts[63];
    CHECK((histogram.counts == onePass.counts));  // in brackets: the lists are too long to print
    CHECK(histogram.counts.size() % 64 == 0);
}

TEST_CASE("double: beyond 2^18 bins pairs are merged and the width doubles, with a note")
{
    // 1024 bins over [0, 1]: 2^18 bins reach to 256; 300 needs 512.
    const Histogram most = grown({{1.0F}, {256.0F}}, 1024);
    CHECK(most.counts.size() == std::size_t{1} << 18);
    CHECK(most.notes.empty());
    const Histogram merged = grown({{1.0F, 0.0005F}, {300.0F}}, 1024);
    CHECK(merged.counts.size() == std::size_t{1} << 18);
    CHECK(merged.high == 512.0);
    CHECK(merged.width() == 2.0 / 1024);
    CHECK(merged.counts[0] == 1);
    CHECK(merged.counts[511] == 1);  // 1.0 lay in the last bin, 1023, below the edge
    CHECK(merged.counts[300 * 512] == 1);
    CHECK(merged.total() == 3);
    CHECK(merged.notes == std::vector<std::string>{"more than 2^18 bins: pairs of bins were "
                                                   "merged, the width is now 0.001953125"});
}

TEST_CASE("double: a first batch of tiny values and a huge one end in few steps")
{
    const Histogram histogram = grown({{1e-45F}, {3e38F}}, 1024);
    CHECK(histogram.counts.size() == std::size_t{1} << 18);
    CHECK(histogram.high >= 3e38);
    CHECK(histogram.total() == 2);
}

}  // namespace double_bins_test
