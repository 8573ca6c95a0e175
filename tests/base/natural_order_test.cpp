// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/natural_order.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace base_natural_order_test {

using calibscope::naturallyBefore;
using calibscope::naturallyBeforeWithCase;

TEST_CASE("runs of digits count as numbers of any length")
{
    CHECK(naturallyBefore("block2", "block10"));
    CHECK_FALSE(naturallyBefore("block10", "block2"));
    CHECK(naturallyBefore("a2.b10", "a10.b2"));
    CHECK(naturallyBefore("a99999999999999999998", "a99999999999999999999"));
    CHECK(naturallyBefore("a1", "ab"));
    CHECK(naturallyBefore("layer9/x", "layer10/a"));
}

TEST_CASE("only equal names are equal")
{
    CHECK_FALSE(naturallyBefore("a", "a"));
    CHECK_FALSE(naturallyBefore("", ""));
    CHECK(naturallyBefore("", "a"));
    CHECK(naturallyBefore("a", "a0"));
    for (const auto& [one, other] : {std::pair("a007", "a7"), {"Conv1", "conv1"}, {"0", "00"}})
        CHECK(naturallyBefore(one, other) != naturallyBefore(other, one));
    CHECK(naturallyBefore("Conv1", "conv2"));
    CHECK(naturallyBefore("conv1", "Conv2"));
}

TEST_CASE("bytes beyond ASCII have an order too")
{
    CHECK(naturallyBefore("a", "\xc3\xa4"));
    CHECK_FALSE(naturallyBefore("\xff", "a"));
}

TEST_CASE("the order is strict and total on names of few letters")
{
    std::mt19937 random(3);
    std::vector<std::string> names;
    for (int name = 0; name < 60; ++name) {
        std::string text;
        for (int letter = 0; letter < 4; ++letter)
            text += "aB01/"[random() % 5];
        names.push_back(text);
    }
    for (const std::string& one : names)
        for (const std::string& other : names) {
            CHECK((naturallyBefore(one, other) || naturallyBefore(other, one)) == (one != other));
            for (const std::string& third : names)
                if (naturallyBefore(one, other) && naturallyBefore(other, third))
                    REQUIRE(naturallyBefore(one, third));
        }
}

TEST_CASE("case matters where it is asked for")
{
    CHECK(naturallyBeforeWithCase("Rank10", "rank2"));
    CHECK_FALSE(naturallyBefore("Rank10", "rank2"));
    CHECK(naturallyBeforeWithCase("rank2", "rank10"));
    CHECK(naturallyBeforeWithCase("rank02", "rank2"));
}

}  // namespace base_natural_order_test
