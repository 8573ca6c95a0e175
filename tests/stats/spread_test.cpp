// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/spread.h"

#include "tests/support/catch.h"

#include <numeric>

namespace spread_test {

using namespace calibscope;
using calibscope::test::Approx;

TEST_CASE("a mass over parts of bins is shared as the parts are")
{
    std::vector<double> bins(4, 0.0);
    spread(bins, 0.5, 2.5, 4.0);
    CHECK(bins == std::vector<double>{1.0, 2.0, 1.0, 0.0});
}

TEST_CASE("a mass at one place lies in its bin, at the upper end in the last")
{
    std::vector<double> bins(3, 0.0);
    spread(bins, 1.25, 1.25, 2.0);
    spread(bins, 3.0, 3.0, 5.0);
    CHECK(bins == std::vector<double>{0.0, 2.0, 5.0});
}

TEST_CASE("a mass outside is moved to the ends and none is lost")
{
    std::vector<double> bins(3, 0.0);
    spread(bins, -2.0, 1.0, 3.0);
    spread(bins, 7.0, 9.0, 4.0);
    spread(bins, -1e300, 1e300, 6.0);
    CHECK(std::accumulate(bins.begin(), bins.end(), 0.0) == Approx(13.0));
    CHECK(bins[2] == Approx(6.0));
}

}  // namespace spread_test
