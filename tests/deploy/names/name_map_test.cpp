// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/name_map.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

namespace name_map_test {

using namespace calibscope;
using test::containsText;

TEST_CASE("a map has rows of two names, below a head or without one")
{
    const deploy::NameMap expected{{"a.b", "/a/b:0"}, {"c", "x, \"y\""}};
    CHECK(deploy::nameMapFromCsv("tensor,graph_name\na.b,/a/b:0\nc,\"x, \"\"y\"\"\"\n", "m") ==
          expected);
    CHECK(deploy::nameMapFromCsv("a.b,/a/b:0\r\nc,\"x, \"\"y\"\"\"", "m") == expected);
    CHECK(deploy::nameMapFromCsv("tensor,graph name\n", "m").empty());
}

TEST_CASE("a map that contradicts itself is refused with its line")
{
    CHECK_THROWS_WITH(deploy::nameMapFromCsv("a,b\na,c\n", "m"),
                      containsText("m: line 2: a has two names, b and c"));
    CHECK(deploy::nameMapFromCsv("a,b\na,b\n", "m").size() == 1);
    CHECK_THROWS_WITH(deploy::nameMapFromCsv("a\n", "m"), containsText("m: line 1: has 1 fields"));
    CHECK_THROWS_WITH(deploy::nameMapFromCsv("a,\n", "m"), containsText("has an empty name"));
    CHECK_THROWS_AS(deploy::readNameMap("/dev/zero"), Error);
}

}  // namespace name_map_test
