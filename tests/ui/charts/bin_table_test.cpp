#include "ui/charts/bin_table.h"

#include "tests/support/catch.h"

using namespace calibscope;

namespace {

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

}  // namespace

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
