// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_object.h"

#include "tests/support/catch.h"

#include <chrono>
#include <string>

namespace json_object_test {

using namespace calibscope;

std::string nested(int depth, const std::string& inside)
{
    std::string text;
    for (int level = 0; level < depth; ++level)
        text += level % 2 == 0 ? "[" : "{\"a\":";
    text += inside;
    for (int level = depth; level-- > 0;)
        text += level % 2 == 0 ? "]" : "}";
    return text;
}

TEST_CASE("JSON of as many levels as are allowed is read, one more is refused")
{
    CHECK_NOTHROW(parseJson(nested(jsonDepthLimit, "1"), "a"));
    CHECK_THROWS_WITH(parseJson(nested(jsonDepthLimit + 1, "1"), "a"),
                      "a: is nested deeper than 64");
    CHECK_THROWS_WITH(parseJson(std::string(1 << 20, '['), "a"), "a: is nested deeper than 64");
}

TEST_CASE("brackets in a string are not levels")
{
    const std::string brackets(200, '[');
    CHECK(parseJson("[\"" + brackets + "\"]", "a")[0] == brackets);
    CHECK(parseJson("[\"\\\\\\\"" + brackets + "\"]", "a")[0] == "\\\"" + brackets);
    CHECK(parseJson("{\"" + brackets + "\":[]}", "a").contains(brackets));
    CHECK_THROWS_WITH(parseJson("\"" + brackets, "a"),
                      "a: is not valid JSON; it may be damaged or truncated");
}

TEST_CASE("a list of very many objects takes time in proportion to them")
{
    constexpr std::size_t count = 1'000'000;
    std::string text = "[{}";
    for (std::size_t place = 1; place < count; ++place)
        text += ",{}";
    const auto start = std::chrono::steady_clock::now();
    CHECK(parseJson(text + "]", "a").size() == count);
    // Minutes, where the list is looked through at the end of each.
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}

}  // namespace json_object_test
