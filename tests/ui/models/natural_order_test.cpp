// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/natural_order.h"

#include "tests/support/catch.h"

namespace models_natural_order_test {

using calibscope::naturalLess;

TEST_CASE("runs of digits count as numbers")
{
    CHECK(naturalLess(u"layer2", u"layer10"));
    CHECK_FALSE(naturalLess(u"layer10", u"layer2"));
    CHECK(naturalLess(u"layer2.conv10", u"layer10.conv2"));
    CHECK(naturalLess(u"a99999999999999999998", u"a99999999999999999999"));
}

TEST_CASE("zeros in front of a number, and case, make no difference")
{
    CHECK_FALSE(naturalLess(u"a007", u"a7"));
    CHECK_FALSE(naturalLess(u"a7", u"a007"));
    CHECK_FALSE(naturalLess(u"Conv1", u"conv1"));
    CHECK(naturalLess(u"Conv1", u"conv2"));
}

TEST_CASE("a text comes before the longer one that begins with it, and nothing before itself")
{
    CHECK(naturalLess(u"", u"a"));
    CHECK(naturalLess(u"a", u"ab"));
    CHECK(naturalLess(u"a1", u"a1b"));
    CHECK_FALSE(naturalLess(u"a1", u"a1"));
    CHECK_FALSE(naturalLess(u"", u""));
}

TEST_CASE("a digit against a letter is a comparison of letters")
{
    CHECK(naturalLess(u"a1", u"ab"));
    CHECK_FALSE(naturalLess(u"ab", u"a1"));
}

}  // namespace models_natural_order_test
