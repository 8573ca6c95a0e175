#include "ui/theme/heat_colors.h"

#include "tests/support/catch.h"
#include "ui/theme/chart_colors.h"

using namespace calibscope;

TEST_CASE("more looks farther from the ground, step by step, on light and on dark")
{
    for (const bool isDark : {false, true}) {
        const QColor ground = (isDark ? darkChartColors() : lightChartColors()).background;
        double last = 1.1;  // the least can be told from the ground
        for (int step = 0; step <= 10; ++step) {
            const double contrast = contrastRatio(heatColor(step / 10.0, isDark), ground);
            CHECK(contrast > last);
            last = contrast;
        }
        CHECK(last > 10.0);
    }
}

TEST_CASE("shares outside 0 to 1 have the colours of the ends")
{
    CHECK(heatColor(-1.0, true) == heatColor(0.0, true));
    CHECK(heatColor(2.0, false) == heatColor(1.0, false));
}
