// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/resampled_band.h"

#include "tests/support/catch.h"

#include <cmath>
#include <numeric>
#include <vector>

namespace resampled_band_test {

using namespace calibscope;
using namespace calibscope::samples;
using calibscope::test::Approx;

TEST_CASE("tails of a band shrink where few units were drawn")
{
    // Python: the density of t by Simpson's rule, bisected for 97.5 %. The expansion of t is
    // 2e-4 off at 5 degrees of freedom.
    CHECK(tailShare(6) == Approx(0.0024318).epsilon(5e-3));
    CHECK(tailShare(8) == Approx(0.0057375).epsilon(5e-3));
    CHECK(tailShare(16) == Approx(0.0138556).epsilon(1e-3));
    CHECK(tailShare(62) == Approx(0.0219027).epsilon(1e-3));
    CHECK(tailShare(1000000) == Approx(0.025).epsilon(1e-4));
}

TEST_CASE("a band goes from a tail's last result to the like from above")
{
    std::vector<double> results(200);
    std::iota(results.rbegin(), results.rend(), 1.0);             // 200, 199, ... 1
    CHECK(resampledBand(results, 1000000) == Range{5.0, 196.0});  // 201 * 2.5 % = 5.025
    CHECK(resampledBand(results, 16) == Range{2.0, 199.0});       // 201 * 1.386 % = 2.79
    CHECK(resampledBand(results, 6) == Range{1.0, 200.0});        // less than one
    CHECK(resampledBand({3.0}, 10) == Range{3.0, 3.0});
    results.resize(fewestResamples);
    CHECK(resampledBand(results, 1000000) == Range{162.0, 200.0});  // all 39
}

// What follows is NumPy's, by the lines of make_studies.py.

TEST_CASE("neighbours that are alike count as fewer")
{
    const auto alike = runScatter(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
    REQUIRE(alike);
    CHECK(alike->runs == 8.0);
    CHECK(alike->mean == Approx(1.3255753628431561));
    CHECK(alike->deviation == Approx(0.703394779703443));
    CHECK(alike->correlation == Approx(0.95));
    CHECK(alike->independent == Approx(2.0));
    const auto byTurns = runScatter(std::vector<double>{1, 2, 1, 2, 1, 2, 1, 2});
    CHECK(byTurns->correlation == 0.0);
    CHECK(byTurns->independent == 8.0);
    // Six digits that climb: too few to be sure of it.
    const auto few = runScatter(std::vector<double>{1.0, 1.1, 1.3, 1.2, 1.4, 1.5});
    CHECK(few->correlation == Approx(0.95));
    CHECK(few->independent == 6.0);
}

TEST_CASE("equal thresholds are not alike by their last bits, and zeros are passed by")
{
    const double next = std::nextafter(0.1, 1.0);
    const auto equal = runScatter(std::vector<double>{0.1, 0.1, 0.1, next, next, next, next});
    CHECK(equal->correlation == 0.0);
    CHECK(equal->independent == 7.0);
    const auto silent = runScatter(std::vector<double>{0, 3, 1, 2, 3, 1, 2, 0});
    CHECK(silent->runs == 6.0);
    CHECK_FALSE(runScatter(std::vector<double>{0, 0, 1, 2, 3, 1, 2, 0}));
}

TEST_CASE("a band is widened by what resamples do not see")
{
    const RunScatter alike{
        .runs = 16.0, .mean = 1.0, .deviation = 0.3, .correlation = 0.6, .independent = 4.0};
    const std::vector<double> results = {2.8, 2.9, 3.0, 3.1, 3.3};
    const Range wide = widenedBand({2.8, 3.3}, 3.0, results, alike, 1.0);
    CHECK(wide.low == Approx(3.0 * std::pow(2.8 / 3.0, 2.0)));
    CHECK(wide.high == Approx(4.833819438628125));
    // Independent runs that the threshold does not follow: not at all.
    const RunScatter independent{.runs = 16.0, .mean = 1.0, .deviation = 0.3, .independent = 16.0};
    CHECK(widenedBand({3.0, 3.0}, 3.0, std::vector{3.0, 3.0, 3.0}, independent, 1.0) ==
          Range{3.0, 3.0});
    CHECK(widenedBand({0.0, 0.0}, 0.0, std::vector{0.0}, independent, 1.0) == Range{0.0, 0.0});
    CHECK(widenedBand({0.0, 2.0}, 1.5, std::vector{0.0, 2.0}, alike, 1.0).low == 0.0);
}

}  // namespace resampled_band_test
