// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/resampled_band.h"

#include "tests/support/catch.h"

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

}  // namespace resampled_band_test
