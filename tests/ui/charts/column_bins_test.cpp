// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/column_bins.h"

#include "tests/support/catch.h"

#include <random>

namespace column_bins_test {

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

}  // namespace column_bins_test
