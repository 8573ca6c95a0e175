// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/stats/growth/grown_batches.h"
#include "tests/support/catch.h"

namespace fixed_numpy_test {

using namespace calibscope;

TEST_CASE("fixed-numpy: one range from 0, whatever the batches")
{
    const Histogram histogram =
        test::grown({.growth = "fixed-numpy", .bins = 4}, {{1.0F, -2.0F}, {4.0F, 3.0F}, {}});
    CHECK(histogram.edges == std::vector<double>{0, 1, 2, 3, 4});
    CHECK(histogram.counts == std::vector<std::uint64_t>{0, 1, 1, 2});
    CHECK(test::grown({.growth = "fixed-numpy", .bins = 4}, {{0.0F}}).high == 0.0);
}

}  // namespace fixed_numpy_test
