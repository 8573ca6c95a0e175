#include "core/base/utf8.h"

#include "tests/support/catch.h"

#include <string>

using namespace calibscope;

namespace {

const std::string replacement = "\xef\xbf\xbd";

}  // namespace

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

TEST_CASE("code points are counted, not bytes")
{
    CHECK(codePoints("") == 0);
    CHECK(codePoints("a\xe4\xb8\xad\xf0\x9f\x98\x80") == 3);
}
