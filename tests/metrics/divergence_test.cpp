// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/divergence.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace divergence_test {

using calibscope::MassBounds;
using calibscope::Range;
using calibscope::smoothedDivergence;
using calibscope::smoothedDivergenceBound;
using calibscope::test::Approx;

TEST_CASE("equal masses diverge by nothing, whatever their totals")
{
    const std::vector<double> p = {1.0, 2.0, 0.0, 5.0};
    CHECK(smoothedDivergence(p, p) == 0.0);
    CHECK(smoothedDivergence(p, std::vector{2.0, 4.0, 0.0, 10.0}) == Approx(0.0).margin(1e-15));
}

TEST_CASE("a divergence by hand: halves against a quarter and three quarters")
{
    const double expected = 0.5 * std::log(0.5 / 0.25) + 0.5 * std::log(0.5 / 0.75);
    CHECK(smoothedDivergence(std::vector{1.0, 1.0}, std::vector{1.0, 3.0}) ==
          Approx(expected).margin(1e-11));  // each bin's 1e-12 shifts it by about as much
}

TEST_CASE("mass where the other has none costs what 1e-12 of it would")
{
    CHECK(smoothedDivergence(std::vector{1.0, 0.0}, std::vector{0.0, 1.0}) ==
          Approx(-std::log(1e-12)).epsilon(1e-9));
}

TEST_CASE("the divergence of masses that are known as intervals is bounded")
{
    std::mt19937 engine(4);
    std::uniform_int_distribution<int> count(0, 9);
    for (int round = 0; round < 2000; ++round) {
        std::vector<double> masses[2];
        std::vector<double> least[2];
        std::vector<double> most[2];
        for (const int side : {0, 1})
            for (int bin = 0; bin < 5; ++bin) {
                const double mass = count(engine) + (bin == 0 ? 1.0 : 0.0);
                masses[side].push_back(mass);
                least[side].push_back(std::max(mass - count(engine), 0.0));
                most[side].push_back(mass + count(engine));
            }
        const auto bounds = [&](int side) {
            double total = 0.0;
            for (const double mass : masses[side])
                total += mass;
            return MassBounds{.least = least[side], .most = most[side], .total = total};
        };
        const Range bound = smoothedDivergenceBound(bounds(0), bounds(1));
        REQUIRE(bound.contains(smoothedDivergence(masses[0], masses[1])));
    }
}

TEST_CASE("the bound of masses that are known is their divergence")
{
    const std::vector<double> p = {1.0, 1.0};
    const std::vector<double> q = {1.0, 3.0};
    const Range bound = smoothedDivergenceBound({.least = p, .most = p, .total = 2.0},
                                                {.least = q, .most = q, .total = 4.0});
    const double expected = 0.5 * std::log(0.5 / 0.25) + 0.5 * std::log(0.5 / 0.75);
    CHECK(bound.low == Approx(expected).margin(1e-11));
    CHECK(bound.high == Approx(expected).margin(1e-11));
}

}  // namespace divergence_test
