// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hex.h"

#include "tests/support/catch.h"

namespace hex_test {

using namespace calibscope;

TEST_CASE("bytes become two lower-case digits each, and bytes again")
{
    using namespace std::string_view_literals;
    CHECK(hexText("\x00\x0f\xa5\xff"sv) == "000fa5ff");
    CHECK(bytesFromHex("000fa5ff") == std::string("\x00\x0f\xa5\xff"sv));
    CHECK(hexText("").empty());
    CHECK(bytesFromHex("") == "");
}

TEST_CASE("half a byte and other letters are not bytes")
{
    for (const char* text : {"0", "000", "0g", "g0", "AB", " 0", "0x"})
        CHECK_FALSE(bytesFromHex(text));
}

}  // namespace hex_test
