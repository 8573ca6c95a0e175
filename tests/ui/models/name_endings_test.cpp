// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/name_endings.h"

#include "tests/support/catch.h"

#include <vector>

namespace name_endings_test {

using namespace calibscope;

TEST_CASE("the shortest ending of whole parts that no other name has")
{
    const std::vector<std::string_view> names = {"a/block0/u", "a/block1/u", "a/block1/v",
                                                 "l1.0.conv",  "l2.0.conv",  "stem"};
    const NameEndings endings(names);
    CHECK(endings.needed("a/block0/u") == "block0/u");
    CHECK(endings.needed("a/block1/u") == "block1/u");
    CHECK(endings.needed("a/block1/v") == "v");
    CHECK(endings.needed("l1.0.conv") == "l1.0.conv");
    CHECK(endings.needed("stem") == "stem");
}

TEST_CASE("names that are ends of others, alike, odd or empty have all of themselves")
{
    const std::vector<std::string_view> names = {"b", "a/b", "x", "x", "", "/", "c//d"};
    const NameEndings endings(names);
    CHECK(endings.needed("b") == "b");
    CHECK(endings.needed("a/b") == "a/b");
    CHECK(endings.needed("x") == "x");
    CHECK(endings.needed("").empty());
    CHECK(endings.needed("/") == "/");
    CHECK(endings.needed("c//d") == "d");
}

}  // namespace name_endings_test
