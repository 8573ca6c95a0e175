// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/x_link.h"

#include "tests/support/catch.h"

namespace x_link_test {

using namespace calibscope;

LinkedZoom zoomTo(double low, double high)
{
    return {Range{low, high}, {}};
}

/// A stack with these steps after the first, which shows all.
ZoomStack stackOf(std::initializer_list<LinkedZoom> zooms)
{
    ZoomStack stack;
    for (const LinkedZoom& zoom : zooms) {
        stack.change(zoom);
        stack.commit();
    }
    return stack;
}

/// A plot that remembers what it was told.
class FakePlot : public LinkedPlot
{
public:
    FakePlot(std::optional<Range> content, PlotMargins needed) : range(content), own(needed) {}

    [[nodiscard]] std::optional<Range> contentRange() const override { return range; }
    [[nodiscard]] std::optional<LogX> contentLogX() const override { return log; }
    PlotMargins layOut(const Range& shown, const PlotMargins& least) override
    {
        ++layouts;
        laidOutFor = shown;
        margins = {std::max(own.left, least.left), std::max(own.right, least.right)};
        return margins;
    }
    void invalidate() override { ++invalidations; }
    void showCrosshair(std::optional<double> x) override { crosshair = x; }
    void reportRange(const Range& shown) override { reported.push_back(shown); }
    void reportZoomStep() override { ++steps; }

    std::optional<Range> range;
    std::optional<LogX> log;
    int steps = 0;
    PlotMargins own;
    PlotMargins margins;
    Range laidOutFor;
    std::optional<double> crosshair;
    std::vector<Range> reported;
    int layouts = 0;
    int invalidations = 0;
};

struct Stack
{
    Stack()
    {
        link.add(upper);
        link.add(lower);
    }
    FakePlot upper{Range{0.0, 4.0}, {50.0, 10.0}};
    FakePlot lower{Range{1.0, 5.0}, {40.0, 60.0}};
    XLink link;
};

TEST_CASE("a zoom stack begins with all shown and no way to go")
{
    ZoomStack stack;
    CHECK(stack.current() == LinkedZoom());
    CHECK_FALSE(stack.canGoBack());
    CHECK_FALSE(stack.canGoForward());
    CHECK_FALSE(stack.back());
    CHECK_FALSE(stack.forward());
}

TEST_CASE("back and forward give exactly the zooms that were")
{
    ZoomStack stack = stackOf({zoomTo(1, 3), zoomTo(1.1, 1.3)});
    CHECK(stack.back());
    CHECK(stack.current() == zoomTo(1, 3));
    CHECK(stack.back());
    CHECK(stack.current() == LinkedZoom());
    CHECK(stack.forward());
    CHECK(stack.forward());
    CHECK(stack.current() == zoomTo(1.1, 1.3));
    CHECK_FALSE(stack.forward());
}

TEST_CASE("a new zoom after going back forgets the way forward")
{
    ZoomStack stack = stackOf({zoomTo(1, 3), zoomTo(1, 2)});
    stack.back();
    stack.change(zoomTo(5, 6));
    CHECK_FALSE(stack.canGoForward());
    CHECK(stack.commit());
    CHECK_FALSE(stack.forward());
    stack.back();
    CHECK(stack.current() == zoomTo(1, 3));
}

TEST_CASE("changes of one gesture are one step, no change is none")
{
    ZoomStack stack;
    stack.change(zoomTo(1, 3));
    stack.change(zoomTo(1, 2));
    CHECK(stack.commit());
    CHECK_FALSE(stack.commit());
    stack.back();
    CHECK(stack.current() == LinkedZoom());
}

TEST_CASE("a cancelled gesture leaves the last step")
{
    ZoomStack stack = stackOf({zoomTo(1, 3)});
    stack.change(zoomTo(1, 2));
    stack.revert();
    CHECK(stack.current() == zoomTo(1, 3));
}

TEST_CASE("going back in the middle of a gesture ends it first")
{
    ZoomStack stack = stackOf({zoomTo(1, 3)});
    stack.change(zoomTo(1, 2));
    CHECK(stack.canGoBack());
    stack.back();
    CHECK(stack.current() == zoomTo(1, 3));
    stack.forward();
    CHECK(stack.current() == zoomTo(1, 2));
}

TEST_CASE("a cleared stack is a new one")
{
    ZoomStack stack = stackOf({zoomTo(1, 3)});
    stack.clear();
    CHECK(stack.current() == LinkedZoom());
    CHECK_FALSE(stack.canGoBack());
}

TEST_CASE("a long way back loses its beginning, not its end")
{
    ZoomStack stack;
    for (int step = 1; step <= 1000; ++step) {
        stack.change(zoomTo(0, step));
        stack.commit();
    }
    CHECK(stack.current() == zoomTo(0, 1000));
    int steps = 0;
    while (stack.back())
        ++steps;
    CHECK(steps < 1000);
    CHECK(steps > 100);
}

TEST_CASE("stacked plots share a range that holds all contents, and the widest margins")
{
    Stack stack;
    stack.link.ensureLayout();
    CHECK(stack.link.fullRange() == Range{0.0, 5.0});
    CHECK(stack.upper.laidOutFor == Range{0.0, 5.0});
    CHECK(stack.lower.laidOutFor == Range{0.0, 5.0});
    CHECK(stack.upper.margins == PlotMargins{50.0, 60.0});
    CHECK(stack.lower.margins == PlotMargins{50.0, 60.0});
}

TEST_CASE("nothing is laid out twice while nothing changes")
{
    Stack stack;
    stack.link.ensureLayout();
    const int layouts = stack.upper.layouts;
    stack.link.ensureLayout();
    CHECK(stack.upper.layouts == layouts);
    stack.link.invalidate();
    stack.link.ensureLayout();
    CHECK(stack.upper.layouts > layouts);
}

TEST_CASE("an empty plot does not stretch the range")
{
    Stack stack;
    stack.lower.range = std::nullopt;
    CHECK(stack.link.fullRange() == Range{0.0, 4.0});
    stack.upper.range = std::nullopt;
    CHECK(stack.link.fullRange() == Range{0.0, 1.0});
}

TEST_CASE("a range is shown in all plots, kept inside, and told once")
{
    Stack stack;
    stack.link.show({1.0, 2.0});
    stack.link.show({1.0, 2.0});
    CHECK(stack.link.shownRange() == Range{1.0, 2.0});
    stack.link.show({4.5, 6.5});
    CHECK(stack.link.shownRange() == Range{3.0, 5.0});
    stack.link.show({-100.0, 100.0});
    CHECK(stack.link.shownRange() == Range{0.0, 5.0});
    CHECK(stack.lower.reported == std::vector<Range>{{1.0, 2.0}, {3.0, 5.0}, {0.0, 5.0}});
}

TEST_CASE("who shows all sees what is added later too")
{
    Stack stack;
    stack.link.show({1.0, 2.0});
    stack.link.showAll();
    stack.lower.range = Range{0.0, 9.0};
    stack.link.invalidate();
    CHECK(stack.link.shownRange() == Range{0.0, 9.0});
}

TEST_CASE("a zoom stays when the full range grows and moves inside when it shrinks")
{
    Stack stack;
    stack.link.show({3.0, 5.0});
    stack.lower.range = Range{0.0, 9.0};
    CHECK(stack.link.shownRange() == Range{3.0, 5.0});
    stack.lower.range = Range{0.0, 4.0};
    CHECK(stack.link.shownRange() == Range{2.0, 4.0});
}

TEST_CASE("the crosshair is in all plots and leaves all")
{
    Stack stack;
    stack.link.hover(2.5);
    CHECK(stack.upper.crosshair == 2.5);
    CHECK(stack.lower.crosshair == 2.5);
    stack.link.hover(std::nullopt);
    CHECK_FALSE(stack.upper.crosshair.has_value());
}

TEST_CASE("a plot that left is told nothing more")
{
    Stack stack;
    stack.link.remove(stack.lower);
    stack.link.show({1.0, 2.0});
    CHECK(stack.lower.reported.empty());
    CHECK(stack.link.fullRange() == Range{0.0, 4.0});
}

TEST_CASE("x is logarithmic if all contents can have it, from the least floor on")
{
    Stack stack;
    stack.link.setLogX(true);
    CHECK(stack.link.xKind() == ScaleKind::Linear);
    stack.upper.log = LogX{0.01, 0.02};
    CHECK(stack.link.xKind() == ScaleKind::Linear);
    stack.lower.log = LogX{0.05, 0.05};
    CHECK(stack.link.xKind() == ScaleKind::Log);
    CHECK(stack.link.logX()->least == 0.02);
    CHECK(stack.link.fullRange() == Range{0.01, 5.0});
    stack.lower.log.reset();
    stack.lower.range.reset();
    CHECK(stack.link.fullRange() == Range{0.01, 4.0});
    stack.link.setLogX(false);
    CHECK(stack.link.fullRange() == Range{0.0, 4.0});
}

TEST_CASE("a linear zoom from below zero shows from the floor on a logarithmic axis")
{
    Stack stack;
    stack.upper.range = Range{-0.1, 4.0};
    stack.upper.log = LogX{0.01, 0.02};
    stack.lower.log = stack.upper.log;
    stack.link.show({-0.1, 2.0});
    stack.link.setLogX(true);
    CHECK(stack.link.shownRange() == Range{0.01, 2.0});
    stack.link.setLogX(false);
    CHECK(stack.link.shownRange() == Range{-0.1, 2.0});
}

TEST_CASE("zooms of all plots have one way back, a gesture is one step of it")
{
    Stack stack;
    stack.link.changeZoom(stack.upper, {Range{1.0, 3.0}, {}});
    stack.link.changeZoom(stack.upper, {Range{1.0, 2.0}, {{5.0, 6.0}}});
    CHECK(stack.lower.steps == 0);
    stack.link.commitZoom();
    CHECK(stack.lower.steps == 1);
    stack.link.changeZoom(stack.lower, {Range{1.5, 2.0}, {{7.0, 8.0}}});
    stack.link.commitZoom();
    CHECK(stack.link.zoom(stack.upper) == PlotZoom{Range{1.5, 2.0}, {{5.0, 6.0}}});
    stack.link.zoomBack();
    CHECK(stack.link.zoom(stack.lower) == PlotZoom{Range{1.0, 2.0}, {}});
    stack.link.zoomBack();
    CHECK(stack.link.zoom(stack.upper) == PlotZoom());
    stack.link.zoomForward();
    CHECK(stack.link.zoom(stack.upper) == PlotZoom{Range{1.0, 2.0}, {{5.0, 6.0}}});
    CHECK(stack.upper.steps == 5);
    stack.link.showAll();
    CHECK(stack.link.zoom(stack.upper) == PlotZoom());
    CHECK(stack.link.shownRange() == Range{0.0, 5.0});
}

}  // namespace x_link_test
