#include "ui/charts/shares_content.h"

#include "tests/support/catch.h"
#include "tests/support/framed_content.h"
#include "tests/support/shares_samples.h"

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("A stands as columns as high as its shares, B as a line over them")
{
    SharesContent content;
    content.setAxis(CountAxis::Linear);
    content.setShares(sharesOf({0.5, 0.25, 0.25, 0.0}, {0.0, 0.5, 0.25, 0.25}));
    const RecordedPainting painting = paintingOf(content);
    std::vector<QRectF> columns;
    bool hasLine = false;
    for (const DrawnRect& drawn : painting.rects) {
        if (drawn.color == colorOfA)
            columns.push_back(drawn.rect);
        hasLine = hasLine || drawn.color == colorOfB;
    }
    REQUIRE(columns.size() == 2);  // equal neighbours are one
    CHECK(columns[0].height() / columns[1].height() == Approx(2.0).epsilon(0.02));
    CHECK(columns[1].width() / columns[0].width() == Approx(2.0).epsilon(0.02));
    CHECK(hasLine);
}

TEST_CASE("in whose bins both are drawn is said in the legend")
{
    SharesContent content;
    SharesMark mark = sharesOf({0.5, 0.5}, {0.5, 0.5});
    content.setShares(mark);
    CHECK(content.legend()[2].text == "the same bins in both, 1 wide");
    CHECK(content.legend()[1].style == Qt::DashLine);
    mark.shares.isResampledB = true;
    content.setShares(mark);
    CHECK(content.legend()[2].text == "bins of A, 1 wide; B resampled into them, ≈");
    CHECK(content.isLegendNeeded());
}

TEST_CASE("the place under the pointer tells both shares, resampled ones as about")
{
    SharesContent content;
    SharesMark mark = sharesOf({0.5, 0.5}, {0.25, 0.75});
    mark.shares.isResampledB = true;
    content.setShares(mark);
    CHECK(content.readout(1.5, frameOf(content)) == "|x| from 1 to 2   A 50 %   B ≈75 %");
    CHECK(content.readout(7.0, frameOf(content)).contains("no value here"));
}

TEST_CASE("both recordings decide what there is to see")
{
    SharesContent content;
    content.setShares(sharesOf({1.0, 0.0, 0.0, 0.0}, {0.5, 0.0, 0.5, 0.0}));
    CHECK(content.fullRange().high == Approx(3.0).margin(0.1));
    REQUIRE(content.logX());
    CHECK(content.logX()->least == 2.0);  // the bin at 0 has a place of its own
    const auto table = content.table({0.0, 4.0});
    REQUIRE(table);
    CHECK(table->rowCount() == 4);
}

TEST_CASE("nothing to show says why")
{
    SharesContent content;
    content.setEmpty("All values of A are 1, all of B are 2.");
    CHECK(content.isEmpty());
    CHECK(content.summary() == "All values of A are 1, all of B are 2.");
}
