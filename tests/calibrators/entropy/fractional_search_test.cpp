// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy/fractional_search.h"

#include "tests/support/catch.h"

#include <cmath>
#include <vector>

namespace fractional_search_test {

using namespace calibscope;
using calibscope::test::Approx;

using Counts = std::vector<std::uint64_t>;

TEST_CASE("levels share the bins on their borders in proportion")
{
    // Each level's overlap with each bin, in NumPy and in double; float32 sums of 12 terms differ
    // by less than 1e-5 of the largest.
    const std::vector<double> expected{
        0.5357042179834277,  0.3733541913275247,  0.214016603547295,   0.11275634806429494,
        0.08053993503680959, 0.04261841856579994, 0.04620672903103469, 0.06462839000592431};
    const FractionalSearch found = searchFractional(Counts{9, 7, 6, 4, 3, 3, 2, 1, 1, 0, 0, 1}, 4);
    REQUIRE(found.divergences.size() == expected.size());
    CHECK(found.first == 4);
    for (std::size_t trial = 0; trial < expected.size(); ++trial)
        CHECK(static_cast<double>(found.divergences[trial]) ==
              Approx(expected[trial]).margin(1e-5));
    CHECK(found.chosen == 5);
}

TEST_CASE("a trial that keeps all but an empty bin has as many levels as bins: no divergence")
{
    const FractionalSearch found = searchFractional(Counts{3, 1, 2, 5, 0}, 4);
    REQUIRE(found.divergences.size() == 1);
    CHECK(found.divergences.front() == 0.0F);
}

TEST_CASE("no more bins than levels, or no counts, leave no trial")
{
    CHECK(searchFractional(Counts(4, 1), 4).divergences.empty());
    CHECK(searchFractional(Counts(8, 0), 4).divergences.empty());
    CHECK(searchFractional(Counts{}, 2).divergences.empty());
}

TEST_CASE("two levels have no level between the first and the last")
{
    // 1.5 bins each, the middle one shared; the last bin counts in P only.
    const FractionalSearch found = searchFractional(Counts{1, 1, 3, 1}, 2);
    REQUIRE(found.divergences.size() == 2);
    const double epsilon = 1e-4;
    double expected = 0.0;
    const double first = (1 + 0.5) / 1.5 / 6;
    const double last = (3 + 0.5) / 1.5 / 6;
    const std::vector<double> q{first, 0.5 * first + 0.5 * last, last};
    const std::vector<double> p{1.0 / 6, 1.0 / 6, 4.0 / 6};
    for (std::size_t bin = 0; bin < q.size(); ++bin)
        expected += (p[bin] + epsilon) * std::log((p[bin] + epsilon) / (q[bin] + epsilon));
    CHECK(static_cast<double>(found.divergences.back()) == Approx(expected).epsilon(1e-5));
}

}  // namespace fractional_search_test
