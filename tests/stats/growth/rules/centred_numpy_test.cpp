// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/stats/growth/grown_batches.h"
#include "tests/support/catch.h"

#include <numeric>

namespace centred_numpy_test {

using namespace calibscope;
using calibscope::test::Batches;

using Counts = std::vector<std::uint64_t>;

Histogram grown(const Batches& batches, int bins)
{
    return test::grown({.growth = "centred-numpy", .bins = bins, .domain = Domain::Signed},
                       batches);
}

TEST_CASE("centred-numpy: the first batch's largest magnitude is the range on both sides")
{
    const Histogram histogram = grown({{-1.0F, 4.0F, 0.0F, 1.9F}}, 4);
    CHECK(histogram.edges == std::vector<double>{-4, -2, 0, 2, 4});
    CHECK(histogram.counts == Counts{0, 1, 2, 1});
    CHECK(histogram.low == -4.0);
    CHECK(histogram.high == 4.0);
}

TEST_CASE("centred-numpy: a larger magnitude adds whole bins at both ends, the width stays")
{
    // 5.5 is 1.5 beyond 4: one bin of 2 is enough. 6 lies on the edge and opens a further one, as
    // (new - old) // width + 1 has it.
    const Histogram histogram = grown({{-4.0F}, {5.5F}}, 4);
    CHECK(histogram.edges == std::vector<double>{-6, -4, -2, 0, 2, 4, 6});
    CHECK(histogram.counts == Counts{0, 1, 0, 0, 0, 1});
    CHECK(grown({{-4.0F}, {6.0F}}, 4).high == 8.0);
    CHECK(grown({{-4.0F}, {5.5F}, {-9.0F}}, 4).high == 10.0);
    // A batch within the range changes nothing.
    CHECK(grown({{-4.0F}, {1.0F}}, 4).counts == Counts{1, 0, 1, 0});
}

TEST_CASE("centred-numpy: zeros alone get half of 1 on both sides until there is more")
{
    const Histogram zeros = grown({{0.0F, -0.0F}}, 5);
    CHECK(zeros.counts == Counts{0, 0, 2, 0, 0});
    CHECK(zeros.low == -0.5);
    const Histogram after = grown({{0.0F}, {3.0F, -0.1F}}, 5);
    CHECK(after.high == 3.0);
    CHECK(after.counts == Counts{0, 0, 2, 0, 1});
    CHECK(grown({{0.0F}, {0.2F}}, 5).high == static_cast<double>(0.2F));
    CHECK(grown({{0.5F}, {0.75F}}, 5).counts.size() == 9);  // 0.5 was a magnitude: 2 further bins
    CHECK(grown({{}, {1.0F}}, 3).counts == Counts{0, 0, 1});
}

TEST_CASE("centred-numpy: an even number of bins merges by pairs, an odd one by threes")
{
    for (const int bins : {4, 6, 5, 7, 9}) {
        const Histogram histogram = grown({{1.0F, -1.0F, 0.0F}, {1e6F}}, bins);
        INFO(bins);
        CHECK(histogram.counts.size() <= std::size_t{1} << 20);
        CHECK(histogram.counts.size() % 2 == static_cast<std::size_t>(bins % 2));
        CHECK(histogram.total() == 4);
        CHECK(histogram.low == -histogram.high);
        CHECK(histogram.high >= 1e6);
        REQUIRE(histogram.notes.size() == 1);
        CHECK(histogram.notes.front().starts_with("more than 2^20 bins"));
        // -1, 0 and 1 are now in the bins around 0, the further value is in the last bin that
        // reaches it.
        const std::size_t middle = histogram.counts.size() / 2;
        CHECK(std::accumulate(histogram.counts.begin() + static_cast<std::ptrdiff_t>(middle) - 1,
                              histogram.counts.begin() + static_cast<std::ptrdiff_t>(middle) + 2,
                              std::uint64_t{0}) == 3);
        CHECK(histogram.counts[histogram.binOf(1e6)] == 1);
    }
}

TEST_CASE("centred-numpy: ranges too narrow or too wide for float32 edges have equal bins")
{
    const Histogram narrow = grown({{1e-45F, -1e-45F}}, 4);
    CHECK(narrow.edges.empty());
    CHECK(narrow.low == -narrow.high);
    CHECK(narrow.counts == Counts{1, 0, 0, 1});
    const Histogram wide = grown({{1.0F}, {3.4e38F}}, 101);
    CHECK(wide.total() == 2);
    CHECK(wide.high >= 3.4e38);
}

}  // namespace centred_numpy_test
