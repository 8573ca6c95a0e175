#include "ui/document/open_dumps.h"

#include "tests/support/catch.h"

using namespace calibscope;

namespace {

OpenDumps threeDumps()
{
    OpenDumps dumps;
    for (const char* path : {"/a", "/b", "/c"})
        dumps.show({.path = path});
    return dumps;
}

}  // namespace

TEST_CASE("a further dump is shown, one that is open is shown as it was left")
{
    OpenDumps dumps = threeDumps();
    CHECK(dumps.shown() == 2U);
    HeldDump left = dumps.all()[2];
    left.selected = "/conv";
    dumps.keepShown(left);
    dumps.show({.path = "/a"});
    CHECK(dumps.shown() == 0U);
    dumps.show({.path = "/c", .selected = "/other"});
    CHECK(dumps.all().size() == 3);
    CHECK(dumps.all()[*dumps.shown()].selected == "/conv");
}

TEST_CASE("the neighbours of a dump go round, and a single one has none")
{
    OpenDumps dumps = threeDumps();
    CHECK(dumps.neighbour(1) == 0U);
    CHECK(dumps.neighbour(-1) == 1U);
    dumps.show(std::size_t{0});
    CHECK(dumps.neighbour(-1) == 2U);
    dumps.removeShown();
    dumps.removeShown();
    CHECK_FALSE(dumps.neighbour(1));
    CHECK_FALSE(OpenDumps().neighbour(1));
}

TEST_CASE("in place of a dump that goes the next one is shown, of the last the one before")
{
    OpenDumps dumps = threeDumps();
    dumps.removeShown();
    CHECK(dumps.all()[*dumps.shown()].path == "/b");
    dumps.show(std::size_t{0});
    dumps.removeShown();
    CHECK(dumps.all()[*dumps.shown()].path == "/b");
    dumps.removeShown();
    CHECK_FALSE(dumps.shown());
    dumps.removeShown();
    CHECK(dumps.all().empty());
}
