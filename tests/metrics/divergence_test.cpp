#include "core/metrics/divergence.h"

#include "tests/support/catch.h"

#include <cmath>
#include <vector>

using calibscope::smoothedDivergence;
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
