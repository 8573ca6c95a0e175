// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/histogram/histogram_percentile.h"

#include "tests/support/catch.h"

namespace histogram_percentile_test {

using namespace calibscope;
using calibscope::test::Approx;

/// Counts 5, 0, 4, 1 over [0, 8]: half of all reach the first bin, 90 % the third.
const Histogram histogram{.spec = {.bins = 4}, .low = 0.0, .high = 8.0, .counts = {5, 0, 4, 1}};

TEST_CASE("the bin that reaches the share gives its left edge, centre or right edge")
{
    CHECK(histogramPercentile(histogram, 50.0, "hist-left") == 0.0);
    CHECK(histogramPercentile(histogram, 50.0, "hist-centre") == 1.0);
    CHECK(histogramPercentile(histogram, 50.0, "hist-right") == 2.0);
    CHECK(histogramPercentile(histogram, 51.0, "hist-left") == 4.0);
    CHECK(histogramPercentile(histogram, 90.0, "hist-right") == 6.0);
    CHECK(histogramPercentile(histogram, 91.0, "hist-left") == 6.0);
    CHECK(histogramPercentile(histogram, 0.0, "hist-left") == 0.0);
}

TEST_CASE("linear goes from edge to edge with the share")
{
    CHECK(histogramPercentile(histogram, 0.0, "hist-linear") == 0.0);
    CHECK(histogramPercentile(histogram, 25.0, "hist-linear") == Approx(1.0));
    CHECK(histogramPercentile(histogram, 50.0, "hist-linear") == Approx(2.0));
    CHECK(histogramPercentile(histogram, 70.0, "hist-linear") == Approx(5.0));
    CHECK(histogramPercentile(histogram, 100.0, "hist-linear") == Approx(8.0));
}

TEST_CASE("a sum of shares that never reaches 1 gives the upper end for 100 %")
{
    // numpy.cumsum(counts / 136)[-1] is 0.9999999999999999 for 16, 15, ..., 1.
    Histogram ramp{.spec = {.bins = 16}, .low = 0.0, .high = 16.0, .counts = {}};
    for (std::uint64_t count = 16; count > 0; --count)
        ramp.counts.push_back(count);
    CHECK(histogramPercentile(ramp, 100.0, "hist-left") == 16.0);
    CHECK(histogramPercentile(histogram, 100.0, "hist-left") == 6.0);
}

TEST_CASE("an empty histogram gives its lower end")
{
    const Histogram empty{.spec = {.bins = 2}, .low = -1.0, .high = 1.0, .counts = {0, 0}};
    CHECK(histogramPercentile(empty, 99.0, "hist-centre") == -1.0);
}

TEST_CASE("estimators from a histogram are those named so")
{
    CHECK(isHistogramEstimator("hist-linear"));
    CHECK_FALSE(isHistogramEstimator("linear"));
}

}  // namespace histogram_percentile_test
