// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy/entropy_plain.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <vector>

namespace entropy_plain_test {

using namespace calibscope;
using calibscope::test::Approx;

constexpr double inf = std::numeric_limits<double>::infinity();

double divergence(const std::vector<std::uint64_t>& counts, std::size_t trial,
                  const EntropyRule& rule)
{
    return plainDivergence(filledBins(counts), trial, rule);
}

/// KL of two lists of masses.
double kl(const std::vector<double>& from, const std::vector<double>& to)
{
    double fromTotal = 0.0;
    double toTotal = 0.0;
    for (const double mass : from)
        fromTotal += mass;
    for (const double mass : to)
        toTotal += mass;
    double sum = 0.0;
    for (std::size_t index = 0; index < from.size(); ++index)
        if (from[index] > 0.0)
            sum +=
                from[index] / fromTotal * std::log(from[index] / fromTotal / (to[index] / toTotal));
    return sum;
}

TEST_CASE("levels are equal parts of 0 to the candidate's centre, decided by bin centres")
{
    // 2 levels over [0, 3.5): the border is at 1.75, between the centres 1.5 and 2.5.
    CHECK(entropyLevel(0, 3, 2) == 0);
    CHECK(entropyLevel(1, 3, 2) == 0);
    CHECK(entropyLevel(2, 3, 2) == 1);
    CHECK(entropyLevel(3, 3, 2) == 1);  // its centre lies at the upper end, in the last level
    // 3 levels over [0, 4.5): bin 1's centre lies on a border, which belongs to the level above.
    CHECK(entropyLevel(1, 4, 3) == 1);
    // As many levels as bins, and more: some levels stay empty.
    CHECK(entropyLevel(0, 0, 127) == 126);
    CHECK(entropyLevel(0, 1, 4) == 1);
    CHECK(entropyLevel(1, 1, 4) == 3);
}

TEST_CASE("a histogram worked out by hand, outliers in the coarse histogram")
{
    // Cut at bin 3, P = 4 2 2 1+1; 2 levels of two bins each: 6 and 4, spread back 3 3 2 2.
    CHECK(divergence({4, 2, 2, 1, 1}, 3, {.levels = 2}) ==
          Approx(0.4 * std::log(4.0 / 3.0) + 0.2 * std::log(2.0 / 3.0)).epsilon(1e-14));
    CHECK(divergence({4, 2, 2, 1, 1}, 3, {.levels = 2, .coarseFirst = true}) ==
          Approx(0.3 * std::log(3.0 / 4.0) + 0.3 * std::log(3.0 / 2.0)).epsilon(1e-14));
}

TEST_CASE("a histogram worked out by hand, outliers left out of the coarse histogram")
{
    // P = 4 2 2 2, Q from 4 2 2 1: levels 6 and 3, spread back 3 3 1.5 1.5.
    const EntropyRule rule{.levels = 2, .outliersInQ = false};
    CHECK(divergence({4, 2, 2, 1, 1}, 3, rule) ==
          Approx(kl({4, 2, 2, 2}, {3, 3, 1.5, 1.5})).epsilon(1e-14));
}

TEST_CASE("a level is spread over its filled bins only")
{
    // P = 4 0 1 3: the first level's 4 goes back to bin 0, nothing is lost there.
    CHECK(divergence({4, 0, 1, 3}, 3, {.levels = 2, .emptyBins = EmptyBins::Spread}) ==
          Approx(kl({4, 1, 3}, {4, 2, 2})).epsilon(1e-14));
}

TEST_CASE("a level is spread over all its bins, what falls on the empty ones is lost")
{
    // P = 4 0 1 3: Q = 2 2 2 2.
    CHECK(divergence({4, 0, 1, 3}, 3, {.levels = 2}) ==
          Approx(kl({4, 0, 1, 3}, {2, 2, 2, 2})).epsilon(1e-14));
    // Reversed, Q has something in bin 1 where P has nothing; not so where whole levels are empty.
    CHECK(divergence({4, 0, 1, 3}, 3, {.levels = 2, .coarseFirst = true}) == inf);
    CHECK(divergence({0, 0, 1, 3}, 3, {.levels = 2, .coarseFirst = true}) ==
          Approx(kl({2, 2}, {1, 3})).epsilon(1e-14));
}

TEST_CASE("over all bins, an empty last bin has its level's share even with outliers left out")
{
    // P = 4 2 2 1, levels 6 and 2 of what lies inside: Q = 3 3 1 1.
    const EntropyRule rule{.levels = 2, .outliersInQ = false};
    CHECK(divergence({4, 2, 2, 0, 1}, 3, rule) ==
          Approx(kl({4, 2, 2, 1}, {3, 3, 1, 1})).epsilon(1e-14));
    // Unless its whole level is empty.
    CHECK(divergence({4, 2, 0, 0, 1}, 3, rule) == inf);
    CHECK(
        divergence({4, 2, 0, 0, 1}, 3, {.levels = 2, .outliersInQ = false, .coarseFirst = true}) ==
        Approx(kl({3, 3}, {4 * 6 / 7.0, 2 * 6 / 7.0}) + std::log(7.0 / 6.0)).epsilon(1e-14));
}

TEST_CASE("a level has as many bins as lie in it, counted one by one")
{
    for (const bool byEdge : {false, true})
        for (std::size_t trial = 0; trial < 40; ++trial)
            for (std::size_t levels = 1; levels < 60; ++levels) {
                std::vector<std::size_t> bins(levels);
                for (std::size_t bin = 0; bin <= trial; ++bin)
                    ++bins[entropyLevel(bin, trial, levels, byEdge)];
                for (std::size_t level = 0; level < levels; ++level) {
                    INFO("level " << level << " of " << levels << ", trial " << trial);
                    REQUIRE(binsOfLevel(level, trial, levels, byEdge) == bins[level]);
                }
            }
}

TEST_CASE("outliers left out and an empty last bin can't be matched")
{
    const EntropyRule rule{.levels = 2, .outliersInQ = false, .emptyBins = EmptyBins::Spread};
    CHECK(divergence({4, 2, 2, 0, 1}, 3, rule) == inf);
    CHECK(divergence({4, 2, 2, 0, 0}, 3, rule) < inf);  // no outliers
    CHECK(divergence({4, 2, 2, 0, 1}, 3, {.levels = 2}) < inf);
    // Reversed it can: Q has nothing where P has the outliers.
    const EntropyRule reversed{
        .levels = 2, .outliersInQ = false, .emptyBins = EmptyBins::Spread, .coarseFirst = true};
    CHECK(divergence({4, 2, 2, 0, 1}, 3, reversed) ==
          Approx(kl({3, 3, 2}, {4 * 8 / 9.0, 2 * 8 / 9.0, 2 * 8 / 9.0}) + std::log(9.0 / 8.0))
              .epsilon(1e-14));
}

TEST_CASE("an empty coarse histogram is never chosen")
{
    CHECK(divergence({0, 0, 0, 0}, 2, {.levels = 2}) == inf);
    CHECK(divergence({0, 0, 0, 5}, 2, {.levels = 2, .outliersInQ = false}) == inf);
    CHECK(divergence({}, 0, {.levels = 2, .emptyBins = EmptyBins::Smooth}) == inf);
}

TEST_CASE("one filled bin and a level for each bin lose nothing")
{
    CHECK(divergence({0, 9, 0, 0}, 3, {.levels = 2, .emptyBins = EmptyBins::Spread}) == 0.0);
    CHECK(divergence({3, 1, 4, 1}, 3, {.levels = 4}) == 0.0);
    CHECK(divergence({7}, 0, {.levels = 127}) == 0.0);
}

TEST_CASE("smoothing gives empty bins epsilon and takes it from the others, in P and in Q")
{
    // P = 4 0 1 3, Q = 4 0 2 2: one empty bin gets 0.3, three give 0.1 each.
    const EntropyRule rule{.levels = 2, .emptyBins = EmptyBins::Smooth, .epsilon = 0.3};
    CHECK(divergence({4, 0, 1, 3}, 3, rule) ==
          Approx(kl({3.9, 0.3, 0.9, 2.9}, {3.9, 0.3, 1.9, 1.9})).epsilon(1e-14));
}

TEST_CASE("smoothing makes the empty last bin of Q comparable")
{
    // P = 4 2 2 1, Q = 3 3 2 0: only Q has an empty bin.
    const EntropyRule rule{
        .levels = 2, .outliersInQ = false, .emptyBins = EmptyBins::Smooth, .epsilon = 0.3};
    CHECK(divergence({4, 2, 2, 0, 1}, 3, rule) ==
          Approx(kl({4, 2, 2, 1}, {2.9, 2.9, 1.9, 0.3})).epsilon(1e-14));
}

TEST_CASE("smoothing that would take a whole count from a bin is not done")
{
    // Three empty bins at 0.5 against one filled one.
    const EntropyRule rule{.levels = 2, .emptyBins = EmptyBins::Smooth, .epsilon = 0.5};
    CHECK(divergence({9, 0, 0, 0}, 3, rule) == 0.0);
}

TEST_CASE("multiplying all counts changes no divergence")
{
    const std::vector<std::uint64_t> counts{9, 0, 5, 3, 3, 0, 1, 2, 0, 1};
    std::vector<std::uint64_t> scaled;
    for (const std::uint64_t count : counts)
        scaled.push_back(1000 * count);
    for (std::size_t trial = 3; trial < counts.size(); ++trial)
        for (const bool outliersInQ : {true, false})
            for (const EmptyBins emptyBins : {EmptyBins::All, EmptyBins::Spread}) {
                const EntropyRule rule{
                    .levels = 3, .outliersInQ = outliersInQ, .emptyBins = emptyBins};
                const double value = divergence(counts, trial, rule);
                CHECK((divergence(scaled, trial, rule) == value ||
                       divergence(scaled, trial, rule) == Approx(value).epsilon(1e-13)));
            }
}

}  // namespace entropy_plain_test
