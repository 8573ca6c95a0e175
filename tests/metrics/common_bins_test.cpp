// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/common_bins.h"

#include "tests/support/catch.h"

#include <cmath>

namespace metrics_common_bins_test {

using namespace calibscope;

TEST_CASE("common bins are closed below, and the last one above too")
{
    const CommonBins common(1024.0);  // bins of width 1
    CHECK(common.binOf(-1024.0) == 0);
    CHECK(common.binOf(-1023.5) == 0);
    CHECK(common.binOf(-1023.0) == 1);
    CHECK(common.binOf(-1e-300) == 1023);
    CHECK(common.binOf(0.0) == 1024);
    CHECK(common.binOf(-0.0) == 1024);
    CHECK(common.binOf(std::nextafter(1.0, 0.0)) == 1024);
    CHECK(common.binOf(1.0) == 1025);
    CHECK(common.binOf(1024.0) == 2047);
    CHECK(common.position(-1024.0) == 0.0);
    CHECK(common.position(0.25) == 1024.25);
    CHECK(common.position(1024.0) == 2048.0);
}

TEST_CASE("what lies beyond the largest magnitude is cut at the ends")
{
    const CommonBins common(0.3);
    CHECK(common.binOf(-1.0) == 0);
    CHECK(common.binOf(1e300) == 2047);
    CHECK(common.position(7.0) == 2048.0);
    CHECK(common.position(-7.0) == 0.0);
}

TEST_CASE("the largest magnitude and zero lie where they should for any scale of the data")
{
    for (const double absMax : {1e-45, 3e-40, 0.1, 0.3, 1.0 / 3.0, 7.7, 1e38}) {
        const CommonBins common(absMax);
        CHECK(common.binOf(absMax) == 2047);
        CHECK(common.binOf(-absMax) == 0);
        CHECK(common.binOf(0.0) == 1024);
        CHECK(common.binOf(absMax / 2) == 1536);
    }
}

TEST_CASE("without a magnitude everything lies in one bin")
{
    const CommonBins common(0.0);
    CHECK(common.binOf(0.0) == 1024);
    CHECK(common.position(-0.5) == common.position(0.5));
}

}  // namespace metrics_common_bins_test
