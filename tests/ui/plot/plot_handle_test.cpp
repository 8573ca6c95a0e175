// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_handle.h"

#include "tests/support/catch.h"

namespace plot_handle_test {

using namespace calibscope;

/// Handles at 1 and 3, which may go from 0 to 4.
HandleSelection twoHandles()
{
    HandleSelection selection;
    selection.setHandles(
        {{"low", "lower", 1.0, {0.0, 4.0}, 0.5, {}}, {"high", "upper", 3.0, {0.0, 4.0}, 0.5, {}}});
    return selection;
}

const AxisScale tenPixelsForOne(ScaleKind::Linear, {0.0, 10.0}, 0.0, 100.0);

TEST_CASE("a handle near the pointer can be grabbed, the nearest of several")
{
    const HandleSelection selection = twoHandles();
    REQUIRE(selection.at(13.0, tenPixelsForOne) != nullptr);
    CHECK(selection.at(13.0, tenPixelsForOne)->id == "low");
    CHECK(selection.at(26.0, tenPixelsForOne)->id == "high");
    CHECK(selection.at(20.0, tenPixelsForOne) == nullptr);
}

TEST_CASE("choosing goes from handle to handle and out at both ends")
{
    HandleSelection selection = twoHandles();
    CHECK(selection.chosen() == nullptr);
    CHECK(selection.chooseNext(true));
    CHECK(selection.chosen()->id == "low");
    CHECK(selection.chooseNext(true));
    CHECK(selection.chosen()->id == "high");
    CHECK_FALSE(selection.chooseNext(true));
    CHECK(selection.chosen() == nullptr);
    CHECK(selection.chooseNext(false));
    CHECK(selection.chosen()->id == "high");
    CHECK_FALSE(HandleSelection().chooseNext(true));
}

TEST_CASE("a held handle is kept in what is allowed, also when the content changes")
{
    HandleSelection selection = twoHandles();
    CHECK(selection.hold("high", 9.0) == 4.0);
    CHECK(selection.isHeld());
    selection.setHandles({{"high", "upper", 3.0, {0.0, 2.0}, 0.5, {}}});
    CHECK(selection.handles().front().value == 2.0);
    selection.release();
    selection.setHandles({{"high", "upper", 1.5, {0.0, 2.0}, 0.5, {}}});
    CHECK(selection.handles().front().value == 1.5);
}

TEST_CASE("a chosen or held handle that is gone is chosen and held no more")
{
    HandleSelection selection = twoHandles();
    selection.choose("low");
    selection.hold("low", 2.0);
    selection.setHandles({{"high", "upper", 3.0, {0.0, 4.0}, 0.5, {}}});
    CHECK(selection.chosen() == nullptr);
    CHECK_FALSE(selection.isHeld());
}

}  // namespace plot_handle_test
