// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_table_view.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "ui/charts/histogram_content.h"

#include <memory>

namespace plot_table_view_test {

using namespace calibscope;
using namespace calibscope::test;

std::unique_ptr<HistogramPlot> plotOf(int bins)
{
    auto plot = std::make_unique<HistogramPlot>();
    plot->resize(400, 200);
    plot->setHistogram(tailHistogram(4.0, bins));
    return plot;
}

TEST_CASE("a table holds what its plot shows, and follows it")
{
    const std::unique_ptr<HistogramPlot> plot = plotOf(64);
    PlotTableView view;
    view.setPlot(*plot);
    view.show();
    CHECK(view.model()->rowCount() == 64);
    plot->showRange({0.0, 2.0});
    CHECK(view.model()->rowCount() == static_cast<int>(plot->table().rowCount()));
    plot->setHistogram(tailHistogram(4.0, 16));
    CHECK(view.model()->rowCount() == 16);
}

TEST_CASE("a table that is not seen takes nothing until it is")
{
    const std::unique_ptr<HistogramPlot> plot = plotOf(64);
    PlotTableView view;
    view.setPlot(*plot);
    CHECK(view.model()->rowCount() == 0);
    view.show();
    CHECK(view.model()->rowCount() == 64);
}

TEST_CASE("a table of another plot leaves the former one alone")
{
    const std::unique_ptr<HistogramPlot> former = plotOf(64);
    const std::unique_ptr<HistogramPlot> now = plotOf(32);
    PlotTableView view;
    view.show();
    view.setPlot(*former);
    view.setPlot(*now);
    former->setHistogram(tailHistogram(4.0, 8));
    CHECK(view.model()->rowCount() == 32);
}

}  // namespace plot_table_view_test
