#include "ui/plot/plot_stack.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "ui/charts/histogram_plot.h"

using namespace calibscope;
using namespace calibscope::test;

namespace {

struct Stacked
{
    Stacked()
    {
        for (HistogramPlot* plot : {&upper, &lower}) {
            plot->resize(400, 200);
            plot->setHistogram(tailHistogram(4.0));
        }
        all = upper.shownRange();
    }
    HistogramPlot upper;
    HistogramPlot lower;
    PlotStack stack{{&upper, &lower}};
    Range all;
};

}  // namespace

TEST_CASE("stacked plots zoom together until they are parted")
{
    Stacked test;
    test.lower.showRange({1.0, 2.0});
    CHECK(test.upper.shownRange() == Range{1.0, 2.0});
    test.stack.setLinked(false);
    CHECK(test.upper.shownRange() == Range{1.0, 2.0});
    CHECK(test.lower.shownRange() == test.all);
    test.lower.showRange({3.0, 4.0});
    CHECK(test.upper.shownRange() == Range{1.0, 2.0});
}

TEST_CASE("plots that are linked again show what the first one shows")
{
    Stacked test;
    test.stack.setLinked(false);
    test.upper.showRange({1.0, 2.0});
    test.lower.showRange({3.0, 4.0});
    test.stack.setLinked(true);
    CHECK(test.lower.shownRange() == Range{1.0, 2.0});
}

TEST_CASE("a plot that is added is linked only if the others are")
{
    Stacked test;
    HistogramPlot third;
    third.setHistogram(tailHistogram(4.0));
    test.stack.setLinked(false);
    test.stack.add(third);
    test.upper.showRange({1.0, 2.0});
    CHECK(third.shownRange() == test.all);
    test.stack.setLinked(true);
    CHECK(third.shownRange() == Range{1.0, 2.0});
}

TEST_CASE("a logarithmic x is one of all plots, linked or not")
{
    Stacked test;
    test.stack.setLinked(false);
    test.stack.setLogX(true);
    CHECK(test.upper.isLogX() == test.upper.canLogX());
    CHECK(test.lower.isLogX() == test.upper.isLogX());
    CHECK(test.lower.isLogX());
}
