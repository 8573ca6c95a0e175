// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/common_bins.h"

#include "tests/support/catch.h"

#include <numeric>
#include <random>

namespace compare_common_bins_test {

using namespace calibscope;
using test::Approx;

Histogram histogramOf(double low, double high, std::vector<std::uint64_t> counts)
{
    Histogram histogram;
    histogram.spec.bins = static_cast<int>(counts.size());
    histogram.low = low;
    histogram.high = high;
    histogram.counts = std::move(counts);
    return histogram;
}

double sumOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST_CASE("equal histograms keep their bins and are equal to the bit")
{
    const Histogram histogram = histogramOf(0.0, 4.0, {3, 0, 1, 4});
    const SharesInCommonBins shares = sharesInCommonBins(histogram, histogram);
    CHECK(shares.range == Range{0.0, 4.0});
    CHECK(shares.a == std::vector<double>{0.375, 0.0, 0.125, 0.5});
    CHECK(shares.a == shares.b);
    CHECK_FALSE(shares.isResampledA);
    CHECK_FALSE(shares.isResampledB);
}

TEST_CASE("a recording of twice the values has twice the bins' width: pairs of A's bins merge")
{
    const SharesInCommonBins shares = sharesInCommonBins(histogramOf(0.0, 4.0, {1, 1, 1, 1}),
                                                         histogramOf(0.0, 8.0, {1, 1, 1, 1}));
    CHECK(shares.range == Range{0.0, 8.0});
    CHECK(shares.width() == 2.0);
    CHECK(shares.a == std::vector<double>{0.5, 0.5, 0.0, 0.0});
    CHECK(shares.b == std::vector<double>{0.25, 0.25, 0.25, 0.25});
    CHECK(shares.isResampledA);
    CHECK_FALSE(shares.isResampledB);
}

TEST_CASE("a bin that lies across an edge is spread evenly")
{
    // B's only bin, from 1.5 to 2.25: two thirds of it are below 2.
    const SharesInCommonBins shares =
        sharesInCommonBins(histogramOf(0.0, 4.0, {1, 1, 1, 1}), histogramOf(1.5, 2.25, {6}));
    CHECK(shares.b[0] == 0.0);
    CHECK(shares.b[1] == Approx(2.0 / 3.0));
    CHECK(shares.b[2] == Approx(1.0 / 3.0));
    CHECK(shares.isResampledB);
}

TEST_CASE("bins go on by whole ones until both recordings fit")
{
    const SharesInCommonBins shares =
        sharesInCommonBins(histogramOf(-1.0, 1.0, {1, 1}), histogramOf(-1.25, 1.75, {1, 1, 1, 1}));
    CHECK(shares.range == Range{-2.0, 2.0});
    CHECK(shares.a == std::vector<double>{0.0, 0.5, 0.5, 0.0});
    CHECK(sumOf(shares.b) == Approx(1.0));
    CHECK(shares.edge(1) == -1.0);
}

TEST_CASE("no value is lost or won, whatever the ranges")
{
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> end(0.1, 9.0);
    std::uniform_int_distribution<std::uint64_t> count(0, 50);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::uint64_t> a(64);
        std::vector<std::uint64_t> b(48);
        for (std::vector<std::uint64_t>* counts : {&a, &b})
            for (std::uint64_t& each : *counts)
                each = count(generator);
        const SharesInCommonBins shares =
            sharesInCommonBins(histogramOf(-end(generator), end(generator), a),
                               histogramOf(-end(generator), end(generator), b));
        CHECK(sumOf(shares.a) == Approx(1.0).epsilon(1e-12));
        CHECK(sumOf(shares.b) == Approx(1.0).epsilon(1e-12));
    }
}

TEST_CASE("one value falls into the other's bins, two of them have none")
{
    const Histogram constant = histogramOf(3.0, 3.0, {5});
    const SharesInCommonBins shares =
        sharesInCommonBins(histogramOf(0.0, 4.0, {1, 1, 1, 1}), constant);
    CHECK(shares.b == std::vector<double>{0.0, 0.0, 0.0, 1.0});
    CHECK(sharesInCommonBins(constant, constant).bins() == 0);
}

TEST_CASE("ranges that are worlds apart get no bins")
{
    CHECK(sharesInCommonBins(histogramOf(0.0, 1.0, {1, 1}), histogramOf(1e9, 1e9, {1})).bins() ==
          0);
    CHECK(sharesInCommonBins(histogramOf(0.0, 1.0, {1, 1}), histogramOf(0.0, 1e9, {1, 1})).bins() ==
          2);
}

}  // namespace compare_common_bins_test
