// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/nearest_word.h"
#include "tests/support/catch.h"

namespace nearest_word_test {

using namespace calibscope;

TEST_CASE("the word that was meant is found")
{
    const std::vector<std::string> commands{"info",  "stats",  "scales", "compare",   "explain",
                                            "names", "export", "check",  "check-dump"};
    CHECK(nearestWord("scale", commands) == "scales");   // begun
    CHECK(nearestWord("ch", commands) == "check");       // the shorter of two
    CHECK(nearestWord("sclaes", commands) == "scales");  // two swapped
    CHECK(nearestWord("stas", commands) == "stats");     // one missing
    CHECK(nearestWord("infoo", commands) == "info");     // one too many
    CHECK(nearestWord("nanes", commands) == "names");    // one changed
    CHECK(nearestWord("chekc-dumb", commands) == "check-dump");
}

TEST_CASE("a word that is like none has no neighbour")
{
    const std::vector<std::string> commands{"info", "stats", "scales"};
    CHECK(nearestWord("", commands).empty());
    CHECK(nearestWord("xyz", commands).empty());
    CHECK(nearestWord("nonsense", commands).empty());
    CHECK(nearestWord("s", {"info"}).empty());
    CHECK(nearestWord(std::string(100000, 's'), commands).empty());
    CHECK(nearestWord("info", {}).empty());
}

}  // namespace nearest_word_test
