// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/channels/channel_plots.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"

namespace channel_plots_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("histograms of the same bins stay as they are")
{
    const std::vector<Histogram> rows = {histogramOf(Domain::Magnitude, 0.0, 8.0, {5, 1, 0, 0}),
                                         histogramOf(Domain::Magnitude, 0.0, 8.0, {0, 2, 9, 0})};
    CHECK(inEqualBins(rows, 2) == rows);
}

TEST_CASE("histograms of other bins come into those of a range that holds all")
{
    const std::vector<Histogram> common =
        inEqualBins({histogramOf(Domain::Magnitude, 0.0, 8.0, {1, 2, 3, 4, 5, 6, 7, 8}),
                     histogramOf(Domain::Magnitude, 0.0, 2.0, {1, 1, 1, 1, 1, 1, 1, 1}),
                     histogramOf(Domain::Magnitude, 0.0, 0.0, {9})},
                    4);
    REQUIRE(common.size() == 3);
    CHECK(common[0].counts == std::vector<std::uint64_t>{3, 7, 11, 15});
    CHECK(common[1].counts == std::vector<std::uint64_t>{8, 0, 0, 0});
    CHECK(common[2].counts == std::vector<std::uint64_t>{9, 0, 0, 0});
    for (const Histogram& histogram : common)
        CHECK(histogram.range() == Range{0.0, 8.0});
}

TEST_CASE("histograms of x keep negative values, and no sum changes")
{
    const Histogram left = histogramOf(Domain::Signed, -3.0, 1.0, {4, 0, 5, 1});
    const Histogram right = histogramOf(Domain::Signed, 0.5, 2.5, {2, 7});
    const std::vector<Histogram> common = inEqualBins({left, right}, 11);
    CHECK(common[0].range() == Range{-3.0, 2.5});
    CHECK(common[0].total() == left.total());
    CHECK(common[1].total() == right.total());
    CHECK(common[1].counts[8] == 2);  // the centre 1 lies in [1, 1.5)
}

TEST_CASE("few values are outlined in few bins")
{
    const auto bins = [](std::uint64_t values) {
        return binsToOutline({histogramOf(Domain::Magnitude, 0.0, 1.0, {values, 0}),
                              histogramOf(Domain::Magnitude, 0.0, 1.0, {5000, 5000})});
    };
    CHECK(bins(3) == 32);
    CHECK(bins(600) == 128);
    CHECK(bins(100'000) == 256);
}

}  // namespace channel_plots_test
