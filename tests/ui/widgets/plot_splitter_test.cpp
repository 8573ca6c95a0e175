// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot_splitter.h"

#include "tests/support/catch.h"

namespace plot_splitter_test {

using namespace calibscope;

struct TwoPlots
{
    explicit TwoPlots(int height)
    {
        splitter.addWidget(new QWidget);
        splitter.addWidget(new QWidget);
        splitter.setHandleWidth(4);
        splitter.setUsualShares({5, 3});
        splitter.setUsualLeast({200, 180});
        splitter.resize(300, height);
        splitter.show();
    }

    PlotSplitter splitter{Qt::Vertical};
};

TEST_CASE("with room enough parts have their shares")
{
    const TwoPlots plots(804);
    CHECK(std::abs(plots.splitter.sizes()[0] - 500) <= 3);
    CHECK(std::abs(plots.splitter.sizes()[1] - 300) <= 3);
}

TEST_CASE("a part that would be too low gets what it needs from the others")
{
    const TwoPlots plots(404);
    CHECK(std::abs(plots.splitter.sizes()[0] - 220) <= 3);
    CHECK(std::abs(plots.splitter.sizes()[1] - 180) <= 3);
}

TEST_CASE("no part is pushed below its least to help another")
{
    const TwoPlots plots(304);
    CHECK(std::abs(plots.splitter.sizes()[0] - 190) <= 3);
    CHECK(std::abs(plots.splitter.sizes()[1] - 114) <= 3);
}

}  // namespace plot_splitter_test
