#include "ui/charts/x_range.h"

#include "tests/support/catch.h"

using namespace calibscope;
using calibscope::test::Approx;

TEST_CASE("zooming keeps the place under the pointer")
{
    const Range zoomed = zoomedRange({0.0, 10.0}, {0.0, 10.0}, 2.0, 0.5);
    CHECK(zoomed == Range{1.0, 6.0});
}

TEST_CASE("zooming out ends at the full range")
{
    CHECK(zoomedRange({4.0, 5.0}, {0.0, 10.0}, 4.5, 100.0) == Range{0.0, 10.0});
    CHECK(zoomedRange({0.0, 4.0}, {0.0, 10.0}, 3.0, 2.0) == Range{0.0, 8.0});
}

TEST_CASE("zooming in ends at a millionth of the full range")
{
    const Range zoomed = zoomedRange({4.0, 5.0}, {0.0, 10.0}, 4.5, 1e-30);
    CHECK(zoomed.width() == Approx(1e-5));
}

TEST_CASE("moving stops at the ends and keeps the width")
{
    CHECK(movedRange({4.0, 6.0}, {0.0, 10.0}, 1.0) == Range{5.0, 7.0});
    CHECK(movedRange({4.0, 6.0}, {0.0, 10.0}, 100.0) == Range{8.0, 10.0});
    CHECK(movedRange({4.0, 6.0}, {0.0, 10.0}, -100.0) == Range{0.0, 2.0});
    CHECK(movedRange({-5.0, 20.0}, {0.0, 10.0}, 3.0) == Range{0.0, 10.0});
}
