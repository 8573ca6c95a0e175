// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy/rescaled_counts.h"

#include "tests/support/catch.h"

#include <numeric>
#include <random>

namespace rescaled_counts_test {

using namespace calibscope;

using Counts = std::vector<std::uint64_t>;

TEST_CASE("counts over the same range stay as they are")
{
    const Counts counts{3, 0, 7};
    CHECK(rescaledCounts(counts, {-1.0, 2.0}, {-1.0, 2.0}, 3, false) == counts);
    CHECK(rescaledCounts(counts, {-1.0, 2.0}, {-1.0, 2.0}, 3, true) == counts);
}

TEST_CASE("a range twice as wide takes bins in pairs")
{
    for (const bool inFloat32 : {false, true}) {
        CHECK(rescaledCounts(Counts{1, 2, 3, 4}, {0.0, 4.0}, {0.0, 8.0}, 4, inFloat32) ==
              Counts{3, 7, 0, 0});
        CHECK(rescaledCounts(Counts{1, 2, 3, 4}, {0.0, 4.0}, {-4.0, 4.0}, 4, inFloat32) ==
              Counts{0, 0, 3, 7});
    }
}

TEST_CASE("a bin across an edge is split in proportion")
{
    // Edges at 0, 1.5, 3, 4.5: the bin [1, 2) gives half of its four to each side.
    for (const bool inFloat32 : {false, true})
        CHECK(rescaledCounts(Counts{2, 4, 6}, {0.0, 3.0}, {0.0, 4.5}, 3, inFloat32) ==
              Counts{4, 8, 0});
}

TEST_CASE("counts outside the range go to its end bins")
{
    CHECK(rescaledCounts(Counts{5, 1, 1, 7}, {-2.0, 2.0}, {-1.0, 1.0}, 2, false) == Counts{6, 8});
}

TEST_CASE("the counts of one value go to its bin")
{
    for (const bool inFloat32 : {false, true})
        CHECK(rescaledCounts(Counts{9, 0}, {0.75, 0.75}, {-1.0, 1.0}, 4, inFloat32) ==
              Counts{0, 0, 0, 9});
}

TEST_CASE("fewer bins over the same range add neighbours")
{
    CHECK(rescaledCounts(Counts{1, 2, 3, 4}, {0.0, 4.0}, {0.0, 4.0}, 2, false) == Counts{3, 7});
}

TEST_CASE("the sum is kept, whatever the ranges and the rounding")
{
    std::mt19937 engine(7);
    std::uniform_int_distribution<std::uint64_t> count(0, 5);
    std::uniform_real_distribution<double> extent(0.001, 10.0);
    for (int round = 0; round < 100; ++round) {
        Counts counts(64);
        for (std::uint64_t& bin : counts)
            bin = count(engine);
        const Range from{-extent(engine), extent(engine)};
        const Range to{-extent(engine), extent(engine)};
        for (const bool inFloat32 : {false, true}) {
            const Counts moved = rescaledCounts(counts, from, to, 48, inFloat32);
            CHECK(std::accumulate(moved.begin(), moved.end(), std::uint64_t{0}) ==
                  std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
        }
    }
}

}  // namespace rescaled_counts_test
