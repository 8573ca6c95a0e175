// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/workbench.h"

#include "tests/support/catch.h"
#include "tests/ui/document/session_samples.h"

namespace workbench_test {

using namespace calibscope;

TEST_CASE("a workbench is its two parts")
{
    const Workbench whole = test::busyWorkbench();
    CHECK(joined(whole, whole) == whole);
    CHECK(joined(ownPart(whole), sharedPart(whole)) == whole);
    CHECK(ownPart(sharedPart(whole)) == Workbench{});
    CHECK(sharedPart(ownPart(whole)) == Workbench{});
    CHECK(ownPart(whole).pins == whole.pins);
    CHECK(ownPart(whole).recipe.empty());
    CHECK(sharedPart(whole).recipe == whole.recipe);
    CHECK(sharedPart(whole).decisions.isEmpty());
}

TEST_CASE("what would have to be decided again is touched, what is looked at is not")
{
    Workbench workbench;
    workbench.zooms = test::busyWorkbench().zooms;
    workbench.display.isLogX = true;
    workbench.recipe = "moffett-cnn";
    CHECK(isUntouched(workbench));
    workbench.pins = {"/a"};
    CHECK_FALSE(isUntouched(workbench));
    workbench.pins.clear();
    workbench.added = test::busyWorkbench().added;
    CHECK_FALSE(isUntouched(workbench));
}

}  // namespace workbench_test
