#include "core/report/tables/cells.h"

#include "tests/support/catch.h"

using namespace calibscope;

TEST_CASE("a number that is missing makes an absent cell")
{
    CHECK(optionalCell(2.5) == Cell{2.5});
    CHECK(optionalCell({}) == Cell{});
}

TEST_CASE("notes are parted by semicolons")
{
    CHECK(joinedNotes({}).empty());
    CHECK(joinedNotes({"one"}) == "one");
    CHECK(joinedNotes({"one", "two"}) == "one; two");
}
