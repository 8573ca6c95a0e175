#include "ui/charts/change_content.h"

#include "tests/support/catch.h"
#include "tests/support/framed_content.h"
#include "tests/support/shares_samples.h"

using namespace calibscope;
using namespace calibscope::test;

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
    CHECK(content.readout(1.5, frameOf(content)) == "|x| from 1 to 2   B less A 50 %   B over A 3");
}
