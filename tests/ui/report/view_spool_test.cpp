#include "ui/report/view_spool.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("views come back as they were put, without their sketch")
{
    const TemporaryFolder folder;
    const ViewSpool spool(folder.file("views"));
    protocol::TensorView view;
    view.profile.info = {.name = "a", .path = "/a", .elementType = "float32", .shape = {2, 3}};
    view.profile.histograms = {{.low = 0.0, .high = 3.0, .counts = {2, 1, 1}}};
    spool.put(3, view);
    const auto taken = spool.take(3);
    REQUIRE(taken);
    CHECK(taken->profile.info.name == "a");
    CHECK(taken->profile.histograms == view.profile.histograms);
    CHECK_FALSE(spool.take(4));
    spool.clear();
    CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a folder for views that can't be made is told")
{
    CHECK_THROWS_WITH(ViewSpool("/nowhere/views"), containsText("/nowhere/views"));
}
