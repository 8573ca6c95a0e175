// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/histogram.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace stats_histogram_test {

using namespace calibscope;

Histogram bins(Domain domain, double low, double high, std::size_t count)
{
    return {.spec = {.growth = "fixed", .bins = static_cast<int>(count), .domain = domain},
            .low = low,
            .high = high,
            .counts = std::vector<std::uint64_t>(count)};
}

using Counts = std::vector<std::uint64_t>;

TEST_CASE("a bin holds its lower edge, the last one its upper edge too")
{
    Histogram histogram = bins(Domain::Signed, -2.0, 2.0, 4);
    histogram.add(std::vector<float>{-2.0F, -1.5F, -1.0F, 0.0F, 0.999F, 1.0F, 2.0F});
    CHECK(histogram.counts == Counts{2, 1, 2, 2});
    CHECK(histogram.total() == 7);
    CHECK(histogram.edge(0) == -2.0);
    CHECK(histogram.edge(4) == 2.0);
    CHECK(histogram.centre(1) == -0.5);
}

TEST_CASE("magnitudes count both signs, values outside fall into the end bins")
{
    Histogram histogram = bins(Domain::Magnitude, 0.0, 4.0, 4);
    histogram.add(std::vector<float>{-0.5F, 0.5F, -3.9F, 4.0F, -7.0F, -0.0F});
    CHECK(histogram.counts == Counts{3, 0, 0, 3});
    Histogram both = bins(Domain::Signed, 0.0, 4.0, 4);
    both.add(std::vector<float>{-7.0F, 9.0F});
    CHECK(both.counts == Counts{1, 0, 0, 1});
}

TEST_CASE("NaN and infinities are not counted")
{
    const float inf = std::numeric_limits<float>::infinity();
    Histogram histogram = bins(Domain::Signed, -1.0, 1.0, 3);
    histogram.add(std::vector<float>{std::nanf(""), inf, -inf});
    CHECK(histogram.total() == 0);
}

TEST_CASE("a range of one value counts everything in the first bin")
{
    Histogram histogram = bins(Domain::Signed, 0.75, 0.75, 5);
    histogram.add(std::vector<float>(10, 0.75F));
    CHECK(histogram.counts == Counts{10, 0, 0, 0, 0});
    CHECK(histogram.binOf(0.75) == 0);
}

TEST_CASE("a histogram without bins counts nothing")
{
    Histogram histogram;
    histogram.add(std::vector<float>{1.0F});
    CHECK(histogram.total() == 0);
    CHECK(histogram.binOf(1.0) == 0);
}

TEST_CASE("binOf() names the bin that add() counts")
{
    std::mt19937 engine(4);
    std::normal_distribution<float> normal(0.0F, 1.3F);
    for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
        Histogram added = bins(domain, domain == Domain::Signed ? -2.7 : 0.0, 3.1, 117);
        Histogram placed = added;
        for (int draw = 0; draw < 5000; ++draw) {
            const float value = normal(engine);
            added.add(std::span(&value, 1));
            ++placed.counts[placed.binOf(static_cast<double>(value))];
        }
        CHECK(added.counts == placed.counts);
    }
}

TEST_CASE("counting parts and the whole is the same")
{
    std::mt19937 engine(6);
    std::normal_distribution<float> normal;
    std::vector<float> values(1000);
    for (float& value : values)
        value = normal(engine);
    Histogram whole = bins(Domain::Magnitude, 0.0, 4.0, 50);
    whole.add(values);
    Histogram parts = bins(Domain::Magnitude, 0.0, 4.0, 50);
    parts.add(std::span(values).first(333));
    parts.add(std::span(values).subspan(333));
    CHECK(parts == whole);
}

TEST_CASE("a spec reads as in the table of scales")
{
    CHECK(histogramText({.growth = "double", .bins = 1024}) == "1024 bins of |x|, double");
    CHECK(histogramText({.growth = "redistribute", .bins = 512, .domain = Domain::Signed}) ==
          "512 bins of x, redistribute");
}

}  // namespace stats_histogram_test
