// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/stats/growth/grown_batches.h"
#include "tests/support/catch.h"

#include <limits>
#include <random>

namespace as_needed_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::Batches;

using Counts = std::vector<std::uint64_t>;

Histogram grown(const Batches& batches, int bins)
{
    return test::grown({.growth = "as-needed", .bins = bins}, batches);
}

TEST_CASE("as-needed: a larger value adds as many bins as it needs at the first width")
{
    const Histogram histogram = grown({{0.5F, -4.0F}, {6.5F, 0.25F}}, 4);
    CHECK(histogram.counts.size() == 7);
    CHECK(histogram.edges == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(histogram.high == 7.0);
    CHECK(histogram.counts == Counts{2, 0, 0, 1, 0, 0, 1});
    CHECK(histogram.leftOut == 0);
    CHECK(histogram.notes.empty());
}

TEST_CASE("as-needed: zeros wait in bin 0 until a batch sets the width")
{
    const Histogram histogram = grown({{0.0F, -0.0F}, {}, {2.0F}}, 4);
    CHECK(histogram.counts == Counts{2, 0, 0, 1});
    CHECK(histogram.high == 2.0);
    CHECK(grown({{0.0F}}, 4).counts == Counts{1, 0, 0, 0});
    CHECK(grown({{0.0F}}, 4).high == 0.0);
}

TEST_CASE("as-needed: an outlier merges pairs of bins rather than fill the memory")
{
    const Histogram histogram = grown({{1.0F, 0.25F}, {1e30F}}, 1000);
    CHECK(histogram.counts.size() <= (1U << 20) + 1);
    CHECK(histogram.counts.size() > 1U << 18);
    CHECK(histogram.total() == 3);
    CHECK(histogram.counts[0] == 2);
    CHECK(histogram.high >= 1e30 * (1.0 - 1e-6));
    REQUIRE(histogram.notes.size() == 1);
    CHECK_THAT(histogram.notes[0], test::containsText("pairs of bins were merged"));
}

TEST_CASE("as-needed: a range too narrow for float32 edges gets equal bins, with a note")
{
    const Histogram histogram = grown({{1e-45F}, {4e-45F}}, 8);
    CHECK(histogram.edges.empty());
    CHECK(histogram.high >= static_cast<double>(4e-45F));
    CHECK(histogram.total() == 2);
    REQUIRE(histogram.notes.size() == 1);
    CHECK_THAT(histogram.notes[0], test::containsText("too narrow"));
    const float most = std::numeric_limits<float>::max();
    CHECK(grown({{1e38F}, {most}}, 8).total() + grown({{1e38F}, {most}}, 8).leftOut == 2);
}

TEST_CASE("as-needed: whatever the batches, no value is lost but by rounding at the last edge")
{
    std::mt19937 engine(8);
    std::normal_distribution<float> normal;
    for (int round = 0; round < 20; ++round) {
        Batches batches(4, std::vector<float>(500));
        float scale = 1.0F;
        for (std::vector<float>& batch : batches) {
            for (float& value : batch)
                value = scale * normal(engine);
            scale *= 1.7F;
        }
        const Histogram histogram = grown(batches, 64);
        CHECK(histogram.total() + histogram.leftOut == 2000);
        CHECK(histogram.leftOut <= 1);
        CHECK(histogram.edges.size() > histogram.counts.size());
        CHECK(histogram.edge(1) == Approx(histogram.edge(64) / 64.0).epsilon(1e-6));
    }
}

}  // namespace as_needed_test
