// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include "tests/support/catch.h"

#include <string>

namespace utf8_test {

using namespace calibscope;

const std::string replacement = "\xef\xbf\xbd";

TEST_CASE("valid UTF-8 of one to four bytes stays as it is")
{
    for (const std::string text : {"", "abc", "\xc3\xa4", "\xe4\xb8\xad", "\xf0\x9f\x98\x80",
                                   "\xf4\x8f\xbf\xbf", "\xed\x9f\xbf", "\xee\x80\x80"})
        CHECK(validUtf8(text) == text);
}

TEST_CASE("each byte that is no part of a valid sequence becomes U+FFFD")
{
    CHECK(validUtf8("a\xff") == "a" + replacement);
    CHECK(validUtf8("\x80z") == replacement + "z");
    CHECK(validUtf8("\xc0\x80") == replacement + replacement);                    // overlong
    CHECK(validUtf8("\xe0\x80\x80") == replacement + replacement + replacement);  // overlong
    CHECK(validUtf8("\xed\xa0\x80") == replacement + replacement + replacement);  // surrogate
    CHECK(validUtf8("\xf4\x90\x80\x80").starts_with(replacement));                // beyond U+10FFFF
    CHECK(validUtf8("\xe4\xb8") == replacement + replacement);                    // breaks off
    CHECK(validUtf8("\xe4\x41\xad") == replacement + "A" + replacement);
}

TEST_CASE("a shown line has nothing that a terminal obeys")
{
    CHECK(shownLine("a\x1b]0;title\x07\x1b[31m\nok\t\x7f") == "a ]0;title  [31m ok  ");
    CHECK(shownLine(std::string("a\0b", 3)) == "a b");
    CHECK(shownLine("\u0080\u009b31m\u009f\u00a0") ==
          replacement + replacement + "31m" + replacement + "\u00a0");
    for (const std::string turn : {"\u2028", "\u2029", "\u202a", "\u202e", "\u2066", "\u2069"})
        CHECK(shownLine("x" + turn + "y") == "x" + replacement + "y");
    CHECK(shownLine("\xff") == replacement);
    for (const std::string text : {"", "conv1/ä 中 😀", "“a” – b… \u2027\u202f\u2065\u206a"})
        CHECK(shownLine(text) == text);
}

TEST_CASE("of a long sentence the beginning and the end are left, in whole characters")
{
    const std::string longest(sentenceLimit, 'x');
    CHECK(shortened(longest) == longest);
    CHECK(shortened("name" + std::string(100'000, 'x') + ": the reason; the remedy") ==
          "name" + std::string(sentenceLimit / 2 - 4, 'x') + "…" +
              std::string(sentenceLimit / 2 - 24, 'x') + ": the reason; the remedy");
    for (std::size_t before = 0; before < 4; ++before)
        for (const std::string character : {"é", "…", "\U0001F600"}) {
            std::string text(before, 'x');
            while (text.size() < 3 * sentenceLimit)
                text += character;
            const std::string cut = shortened(text);
            CHECK(validUtf8(cut) == cut);
            CHECK(cut.size() <= sentenceLimit + 3);
            CHECK(cut.size() > sentenceLimit - 8);
        }
}

TEST_CASE("code points are counted, not bytes")
{
    CHECK(codePoints("") == 0);
    CHECK(codePoints("a\xe4\xb8\xad\xf0\x9f\x98\x80") == 3);
}

}  // namespace utf8_test
