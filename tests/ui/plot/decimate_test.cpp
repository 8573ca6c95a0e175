// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/decimate.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace decimate_test {

using namespace calibscope;

std::vector<BinSpan> spansOf(const Range& range, std::size_t bins, const Range& shown, int columns)
{
    return columnBins(range, bins, AxisScale(ScaleKind::Linear, shown, 0.0, columns),
                      {.left = 0.0, .width = 1.0, .count = columns});
}

/// Bins of a half, from 1 on.
double halves(std::size_t bin)
{
    return 1.0 + 0.5 * static_cast<double>(bin);
}

PlotTable someTable(const Range& shown)
{
    return binTable(
        halves, shown,
        {{"counts", std::vector<std::uint64_t>{7, 8, 9}}, {"words", QStringList{"a", "b", "c"}}});
}

TEST_CASE("as many columns as bins are the bins")
{
    const auto spans = spansOf({0.0, 3.0}, 3, {0.0, 3.0}, 3);
    REQUIRE(spans.size() == 3);
    for (std::size_t column = 0; column < 3; ++column) {
        CHECK(spans[column].first == column);
        CHECK(spans[column].end == column + 1);
    }
}

TEST_CASE("wide bins fill several columns, outside of the range there is none")
{
    const auto spans = spansOf({1.0, 3.0}, 2, {0.0, 4.0}, 8);
    REQUIRE(spans.size() == 8);
    CHECK(spans[0].isEmpty());
    CHECK(spans[1].isEmpty());
    CHECK(spans[2].first == 0);
    CHECK(spans[3].first == 0);
    CHECK(spans[4].first == 1);
    CHECK(spans[5].first == 1);
    CHECK(spans[6].isEmpty());
    CHECK(spans[7].isEmpty());
}

TEST_CASE("no bin in view is left out or in two columns where columns are wider than bins")
{
    std::mt19937 random(7);
    std::uniform_int_distribution<std::size_t> binCounts(900, 5000);
    std::uniform_int_distribution<int> columnCounts(1, 800);
    for (int round = 0; round < 100; ++round) {
        const std::size_t bins = binCounts(random);
        const auto spans = spansOf({-0.3, 1.7}, bins, {-0.3, 1.7}, columnCounts(random));
        std::size_t next = 0;
        for (const BinSpan& span : spans) {
            CHECK(span.first == next);
            next = span.end;
        }
        CHECK(next == bins);
    }
}

TEST_CASE("a logarithmic axis gathers many bins at its upper end")
{
    const AxisScale x(ScaleKind::Log, {0.01, 1.0}, 0.0, 200.0);
    const auto spans = columnBins({0.0, 1.0}, 1000, x, {.left = 0.0, .width = 1.0, .count = 200});
    REQUIRE(spans.size() == 200);
    CHECK(spans.front().end - spans.front().first == 1);
    CHECK(spans.back().end == 1000);
    CHECK(spans.back().end - spans.back().first > 10);
}

TEST_CASE("a table by bin begins with the ends of the bins")
{
    CHECK(tableText(someTable({0.0, 9.0})) == "from\tto\tcounts\twords\n"
                                              "1\t1.5\t7\ta\n"
                                              "1.5\t2\t8\tb\n"
                                              "2\t2.5\t9\tc\n");
}

TEST_CASE("bins of which nothing is shown are not in the table")
{
    CHECK(tableText(someTable({1.75, 1.8})) == "from\tto\tcounts\twords\n1.5\t2\t8\tb\n");
    CHECK(someTable({2.25, 9.0}).rowCount() == 1);
    CHECK(someTable({0.0, 0.5}).rowCount() == 0);
    CHECK(someTable({3.0, 4.0}).rowCount() == 0);
    CHECK(someTable({3.0, 4.0}).columns.size() == 4);
}

TEST_CASE("bins that end or begin where the view does are in the table")
{
    CHECK(someTable({1.5, 2.0}).rowCount() == 3);
}

TEST_CASE("no bins, no rows")
{
    const PlotTable table = binTable(halves, {0.0, 1.0}, {{"counts", std::vector<double>{}}});
    CHECK(table.rowCount() == 0);
    CHECK(table.columns.size() == 3);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

Histogram histogramOf(double low, double high, std::vector<std::uint64_t> counts)
{
    Histogram histogram;
    histogram.low = low;
    histogram.high = high;
    histogram.counts = std::move(counts);
    return histogram;
}

std::vector<std::uint64_t> maximaOf(const Histogram& histogram, const Range& shown, int columns)
{
    const AxisScale x(ScaleKind::Linear, shown, 0.0, columns);
    return columnMaxima(histogram, x, {.left = 0.0, .width = 1.0, .count = columns});
}

/// One pixel for each unit of x, y downward from 100.
AxisScale pixels(double low, double high)
{
    return {ScaleKind::Linear, {low, high}, low, high};
}

TEST_CASE("as many columns as bins show the bins")
{
    const Histogram histogram = histogramOf(0.0, 4.0, {5, 0, 7, 1});
    CHECK(maximaOf(histogram, {0.0, 4.0}, 4) == std::vector<std::uint64_t>{5, 0, 7, 1});
}

TEST_CASE("fewer columns than bins show the largest count of theirs")
{
    const Histogram histogram = histogramOf(0.0, 6.0, {5, 0, 7, 1, 2, 9});
    CHECK(maximaOf(histogram, {0.0, 6.0}, 3) == std::vector<std::uint64_t>{5, 7, 9});
    CHECK(maximaOf(histogram, {0.0, 6.0}, 1) == std::vector<std::uint64_t>{9});
}

TEST_CASE("more columns than bins repeat the bins, outside of the histogram there is nothing")
{
    const Histogram histogram = histogramOf(1.0, 3.0, {5, 7});
    CHECK(maximaOf(histogram, {0.0, 4.0}, 8) == std::vector<std::uint64_t>{0, 0, 5, 5, 7, 7, 0, 0});
    CHECK(maximaOf(histogram, {10.0, 20.0}, 3) == std::vector<std::uint64_t>{0, 0, 0});
    CHECK(maximaOf(histogram, {0.0, 4.0}, 0).empty());
}

TEST_CASE("the highest count is always drawn, whatever the bins, the columns and the range")
{
    std::mt19937 random(3);
    std::uniform_int_distribution<int> binCounts(1, 3000);
    std::uniform_int_distribution<int> columnCounts(1, 1500);
    std::geometric_distribution<std::uint64_t> counts(0.2);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::uint64_t> filled(static_cast<std::size_t>(binCounts(random)));
        std::ranges::generate(filled, [&] { return counts(random); });
        const Histogram histogram = histogramOf(-0.7, 2.3, filled);
        const auto maxima = maximaOf(histogram, {-0.7, 2.3}, columnCounts(random));
        CHECK(std::ranges::max(maxima) == std::ranges::max(filled));
    }
}

TEST_CASE("on a logarithmic axis each decade takes as many columns, zero has the first ones")
{
    // Bins [0, 1) ... [999, 1000); the scale goes from 0.1 (where 0 is) to 1000.
    std::vector<std::uint64_t> counts(1000, 0);
    counts[0] = 9;
    counts[5] = 5;
    counts[70] = 3;
    counts[999] = 1;
    const Histogram histogram = histogramOf(0.0, 1000.0, counts);
    const AxisScale x(ScaleKind::Log, {0.1, 1000.0}, 0.0, 4.0);
    CHECK(columnMaxima(histogram, x, {.left = 0.0, .width = 1.0, .count = 4}) ==
          std::vector<std::uint64_t>{9, 5, 3, 1});
    // Wide bins fill all their columns: 5 from log10(5) to log10(6).
    const auto fine = columnMaxima(histogram, x, {.left = 1.0, .width = 0.01, .count = 100});
    CHECK(fine[75] == 5);
    CHECK(std::ranges::count(fine, 5U) == 8);
}

TEST_CASE("unequal bins are drawn where their edges are")
{
    Histogram histogram = histogramOf(0.0, 8.0, {4, 2, 7});
    histogram.edges = {0.0, 1.0, 2.0, 8.0};
    CHECK(maximaOf(histogram, {0.0, 8.0}, 8) == std::vector<std::uint64_t>{4, 2, 7, 7, 7, 7, 7, 7});
    CHECK(maximaOf(histogram, {0.0, 8.0}, 2) == std::vector<std::uint64_t>{7, 7});
}

TEST_CASE("the greatest count in view is that of all bins that reach into it")
{
    Histogram histogram = histogramOf(0.0, 4.0, {5, 9, 7, 1});
    CHECK(greatestCount(histogram, {0.0, 4.0}) == 9);
    CHECK(greatestCount(histogram, {2.2, 2.4}) == 7);
    CHECK(greatestCount(histogram, {1.9, 2.4}) == 9);
    CHECK(greatestCount(histogram, {3.5, 99.0}) == 1);
    CHECK(greatestCount(histogram, {5.0, 6.0}) == 0);
    CHECK(greatestCount(histogram, {-6.0, -5.0}) == 0);
    histogram.edges = {0.0, 3.0, 3.1, 3.2, 4.0};
    CHECK(greatestCount(histogram, {2.2, 2.4}) == 5);
}

TEST_CASE("a curve with few points is drawn point by point")
{
    const std::vector<double> x = {1.0, 20.0, 30.0};
    const std::vector<double> y = {4.0, 2.0, 3.0};
    const auto lines = curveLines(x, y, pixels(0.0, 40.0), pixels(0.0, 10.0));
    REQUIRE(lines.size() == 1);
    CHECK(lines[0] == QPolygonF{{1.0, 4.0}, {20.0, 2.0}, {30.0, 3.0}});
}

TEST_CASE("missing values part a curve and a lone point is a line of its own")
{
    const std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8};
    const std::vector<double> y = {1, 2, infinity, 5, std::nan(""), 3, 4, infinity};
    const auto lines = curveLines(x, y, pixels(0.0, 10.0), pixels(0.0, 10.0));
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == QPolygonF{{1, 1}, {2, 2}});
    CHECK(lines[1] == QPolygonF{{4, 5}});
    CHECK(lines[2] == QPolygonF{{6, 3}, {7, 4}});
}

TEST_CASE("a curve without a finite value has no lines")
{
    const std::vector<double> x = {1, 2};
    const std::vector<double> y = {infinity, std::nan("")};
    CHECK(curveLines(x, y, pixels(0.0, 10.0), pixels(0.0, 10.0)).empty());
    CHECK(curveLines({}, {}, pixels(0.0, 10.0), pixels(0.0, 10.0)).empty());
}

TEST_CASE("many points in a pixel column keep their first, lowest, highest and last")
{
    const std::vector<double> x = {1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 2.5};
    const std::vector<double> y = {5.0, 6.0, 9.0, 5.5, 1.0, 4.0, 7.0};
    const auto lines = curveLines(x, y, pixels(0.0, 10.0), pixels(0.0, 10.0));
    REQUIRE(lines.size() == 1);
    REQUIRE(lines[0].size() == 5);
    const std::vector<double> kept = {5.0, 9.0, 1.0, 4.0, 7.0};
    for (qsizetype point = 0; point < 5; ++point)
        CHECK(lines[0][point].y() == kept[static_cast<std::size_t>(point)]);
}

TEST_CASE("of a large curve at most four points a pixel stay, the extremes among them")
{
    std::mt19937 random(17);
    std::normal_distribution<double> noise;
    std::vector<double> x;
    std::vector<double> y;
    for (int point = 0; point < 65536; ++point) {
        x.push_back(point / 65536.0);
        y.push_back(noise(random));
    }
    const AxisScale xScale(ScaleKind::Linear, {0.0, 1.0}, 0.0, 300.0);
    const auto lines = curveLines(x, y, xScale, pixels(-10.0, 10.0));
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].size() <= 4 * 301);
    const auto less = [](const QPointF& one, const QPointF& other) { return one.y() < other.y(); };
    const auto [low, high] = std::ranges::minmax_element(lines[0], less);
    CHECK(low->y() == test::Approx(std::ranges::min(y)));
    CHECK(high->y() == test::Approx(std::ranges::max(y)));
}

TEST_CASE("only what is in view and one neighbour to each side is drawn")
{
    std::vector<double> x;
    for (int point = 0; point < 100; ++point)
        x.push_back(point);
    const auto lines = curveLines(x, x, pixels(40.0, 50.5), pixels(0.0, 100.0));
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].front().x() == 39.0);
    CHECK(lines[0].back().x() == 51.0);
}

TEST_CASE("extents of columns leave out what is not positive and finite")
{
    const std::vector<double> values = {1.0, 3.0, 0.0, 2.0, infinity, -1.0};
    const auto extents = columnExtents(values, 3);
    REQUIRE(extents.size() == 3);
    CHECK(extents[0] == Range{1.0, 3.0});
    CHECK(extents[1] == Range{2.0, 2.0});
    CHECK(extents[2] == Range{0.0, 0.0});
    CHECK(columnExtents({}, 1).front() == Range{0.0, 0.0});
}

}  // namespace decimate_test
