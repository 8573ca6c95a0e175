// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/shares_content.h"

#include "tests/support/catch.h"
#include "tests/support/framed_content.h"
#include "tests/support/shares_samples.h"

namespace shares_content_test {

using namespace calibscope::test;
using namespace calibscope;

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

/// Pixels of a colour in the picture of a content, up to column `end`.
int pixelsOf(const SharesContent& content, const QColor& color, int first, int end)
{
    const PlotFrame frame = frameOf(content);
    QImage picture(framedSize, QImage::Format_RGB32);
    picture.fill(frame.colors.background);
    {
        QPainter painter(&picture);
        painter.setClipRect(frame.area);
        content.paint(painter, frame);
    }
    int pixels = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = first; x < end; ++x)
            pixels += picture.pixelColor(x, y) == color ? 1 : 0;
    return pixels;
}

TEST_CASE("equal recordings look equal: B is drawn only where it differs from A")
{
    SharesContent content;
    content.setAxis(CountAxis::Linear);
    // More bins than pixels, and every other one empty: columns a pixel wide.
    std::vector<double> shares(4000);
    for (std::size_t bin = 0; bin < shares.size(); bin += 2)
        shares[bin] = 1.0 / double(1 + bin % 50);
    content.setShares(sharesOf(shares, shares));
    CHECK(pixelsOf(content, colorOfB, 0, framedSize.width()) == 0);
    CHECK(pixelsOf(content, colorOfA, 0, framedSize.width()) > 1000);
    CHECK(content.legend()[1].text == "B, the same in every bin");

    // The upper half of the bins is lower in B, and some of it is gone.
    std::vector<double> other = shares;
    for (std::size_t bin = 2000; bin < shares.size(); ++bin)
        other[bin] = bin < 3000 ? shares[bin] / 2.0 : 0.0;
    content.setShares(sharesOf(shares, other));
    const PlotFrame frame = frameOf(content);
    const QRectF area = frame.area;
    const int middle = int(frame.x.scale.toPixel(2000.0));  // bins are 1 wide
    CHECK(pixelsOf(content, colorOfB, 0, middle - 1) == 0);
    // One pixel for each column at most: the steps of a line would cover A.
    const int ofB = pixelsOf(content, colorOfB, middle + 1, framedSize.width());
    CHECK(ofB <= int(area.width()) / 2 + 2);
    CHECK(ofB > int(area.width()) / 4);
    CHECK(content.legend()[1].text == "B, where it differs");
}

TEST_CASE("in whose bins both are drawn is said in the legend")
{
    SharesContent content;
    SharesMark mark = sharesOf({0.5, 0.5}, {0.5, 0.5});
    content.setShares(mark);
    CHECK(content.legend()[2].text == "the same bins in both, 1 wide");
    CHECK(content.legend()[1].style == Qt::SolidLine);
    mark.shares.isResampledB = true;
    content.setShares(mark);
    CHECK(content.legend()[2].text == "bins of A, 1 wide; B resampled, ≈");
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

TEST_CASE("more in B rises from the line, less hangs from it")
{
    ChangeContent content;
    content.setShares(sharesOf({0.75, 0.125, 0.125}, {0.25, 0.5, 0.25}));
    const RecordedPainting painting = paintingOf(content);
    const auto more = rectsOf(painting, colorOfB);
    const auto less = rectsOf(painting, colorOfA);
    REQUIRE(more.size() == 2);
    REQUIRE(less.size() == 1);
    CHECK(more[0].bottom() == Approx(less[0].top()));
    CHECK(more[0].height() / more[1].height() == Approx(3.0).epsilon(0.02));
    CHECK(less[0].height() / more[0].height() == Approx(4.0 / 3.0).epsilon(0.02));
}

TEST_CASE("equal recordings have a line alone")
{
    ChangeContent content;
    for (const auto kind : {ChangeContent::Kind::Difference, ChangeContent::Kind::Ratio}) {
        content.setKind(kind);
        content.setShares(sharesOf({0.5, 0.5}, {0.5, 0.5}));
        const RecordedPainting painting = paintingOf(content);
        CHECK(rectsOf(painting, colorOfB).empty());
        CHECK(rectsOf(painting, colorOfA).empty());
        CHECK_FALSE(painting.rects.empty());
    }
}

TEST_CASE("a ratio is as far above the line as its inverse is below")
{
    ChangeContent content;
    content.setKind(ChangeContent::Kind::Ratio);
    content.setShares(sharesOf({0.5, 0.125, 0.375}, {0.125, 0.5, 0.375}));
    const RecordedPainting painting = paintingOf(content);
    const auto more = rectsOf(painting, colorOfB);
    const auto less = rectsOf(painting, colorOfA);
    REQUIRE(more.size() == 1);
    REQUIRE(less.size() == 1);
    CHECK(more[0].height() == Approx(less[0].height()).margin(1.0));
}

TEST_CASE("what only one recording has fills its half, whatever the axis")
{
    ChangeContent content;
    content.setKind(ChangeContent::Kind::Ratio);
    content.setShares(sharesOf({0.5, 0.5, 0.0}, {0.25, 0.5, 0.25}));
    const PlotFrame frame = frameOf(content);
    const auto more = rectsOf(paintingOf(content), colorOfB);
    REQUIRE_FALSE(more.empty());
    CHECK(more[0].top() == Approx(frame.area.top()).margin(1.0));
}

TEST_CASE("the summary tells which share of the values lies elsewhere")
{
    ChangeContent content;
    content.setShares(sharesOf({0.75, 0.25}, {0.25, 0.75}));
    CHECK(content.summary().contains("50 % of the values lie in other bins"));
    CHECK(content.readout(1.5, frameOf(content)) == "|x| from 1 to 2   B − A 50 %   B over A 3");
}

}  // namespace shares_content_test
