// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_zoom.h"

#include "tests/support/catch.h"

namespace plot_zoom_test {

using namespace calibscope;

using calibscope::test::Approx;

TEST_CASE("zooming keeps the place under the pointer")
{
    const Range zoomed = zoomedRange(ScaleKind::Linear, {0.0, 10.0}, {0.0, 10.0}, 2.0, 0.5);
    CHECK(zoomed == Range{1.0, 6.0});
}

TEST_CASE("zooming out ends at the full range")
{
    CHECK(zoomedRange(ScaleKind::Linear, {4.0, 5.0}, {0.0, 10.0}, 4.5, 100.0) == Range{0.0, 10.0});
    CHECK(zoomedRange(ScaleKind::Linear, {0.0, 4.0}, {0.0, 10.0}, 3.0, 2.0) == Range{0.0, 8.0});
}

TEST_CASE("zooming in and out again shows all, wherever the pointer is")
{
    const Range full{0.0, 0.3};
    int others = 0;
    for (int place = 1; place < 1000; ++place) {
        Range shown = full;
        for (const double factor : {0.8, 1.25, 1.25, 1.25})
            shown = zoomedRange(ScaleKind::Linear, shown, full,
                                shown.low + place / 1000.0 * shown.width(), factor);
        others += shown != full;
    }
    CHECK(others == 0);
}

TEST_CASE("zooming in ends at a millionth of the full range")
{
    const Range zoomed = zoomedRange(ScaleKind::Linear, {4.0, 5.0}, {0.0, 10.0}, 4.5, 1e-30);
    CHECK(zoomed.width() == Approx(1e-5));
}

TEST_CASE("moving stops at the ends and keeps the width")
{
    CHECK(movedRange(ScaleKind::Linear, {4.0, 6.0}, {0.0, 10.0}, 0.5) == Range{5.0, 7.0});
    CHECK(movedRange(ScaleKind::Linear, {4.0, 6.0}, {0.0, 10.0}, 100.0) == Range{8.0, 10.0});
    CHECK(movedRange(ScaleKind::Linear, {4.0, 6.0}, {0.0, 10.0}, -100.0) == Range{0.0, 2.0});
    CHECK(movedRange(ScaleKind::Linear, {-5.0, 20.0}, {0.0, 10.0}, 3.0) == Range{0.0, 10.0});
}

TEST_CASE("on a logarithmic axis a zoom in keeps the decade under the pointer")
{
    const Range zoomed = zoomedRange(ScaleKind::Log, {1.0, 1e4}, {1.0, 1e4}, 100.0, 0.5);
    CHECK(zoomed.low == Approx(10.0));
    CHECK(zoomed.high == Approx(1000.0));
}

TEST_CASE("on a logarithmic axis a move is by decades and stops at the ends")
{
    const Range moved = movedRange(ScaleKind::Log, {1.0, 100.0}, {1.0, 1e6}, 0.5);
    CHECK(moved.low == Approx(10.0));
    CHECK(moved.high == Approx(1000.0));
    CHECK(movedRange(ScaleKind::Log, {1.0, 100.0}, {1.0, 1e6}, 9.0).high == 1e6);
    CHECK(movedRange(ScaleKind::Log, {10.0, 100.0}, {1.0, 1e6}, -9.0).low == 1.0);
}

TEST_CASE("a range that lies inside stays as it is, to the last digit")
{
    const Range range{0.1, 0.3};
    CHECK(rangeInside(ScaleKind::Log, range, {0.01, 1.0}) == range);
    CHECK(rangeInside(ScaleKind::Linear, {-1.0, 0.5}, {0.0, 10.0}) == Range{0.0, 1.5});
    CHECK(rangeInside(ScaleKind::Linear, {-1.0, 50.0}, {0.0, 10.0}) == Range{0.0, 10.0});
}

}  // namespace plot_zoom_test
