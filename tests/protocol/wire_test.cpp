// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/wire.h"

#include "core/base/error.h"
#include "core/protocol/cbor_check.h"
#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace wire_test {

using namespace calibscope;
using namespace calibscope::protocol;
using calibscope::test::containsText;

std::string cborOf(const Json& json)
{
    return toFrame(json).substr(4);
}

TEST_CASE("a frame is the length in four little-endian bytes and one CBOR value")
{
    // CBOR of the text "abc": 0x60 + length, then the characters.
    CHECK(toFrame("abc") == std::string("\x04\0\0\0\x63"
                                        "abc",
                                        8));
    CHECK(toFrame(std::string(300, 'x')).substr(0, 4) == std::string("\x2f\x01\0\0", 4));  // 303
}

TEST_CASE("a message over the limit is not sent")
{
    const Json large = Json::binary(std::vector<std::uint8_t>(frameLimit, 7));
    CHECK_THROWS_WITH((void)toFrame(large), containsText("more than a message may have"));
}

TEST_CASE("NaN, infinities, large counts and text that is not UTF-8 survive CBOR")
{
    const double inf = std::numeric_limits<double>::infinity();
    const std::string odd = "caf\xe9\xff";
    const Json json = {std::nan(""),
                       inf,
                       -inf,
                       0.1,
                       std::numeric_limits<std::uint64_t>::max(),
                       odd,
                       std::numeric_limits<double>::denorm_min()};
    const Json read = parseCbor(cborOf(json));
    CHECK(std::isnan(read[0].get<double>()));
    CHECK(read[1].get<double>() == inf);
    CHECK(read[2].get<double>() == -inf);
    CHECK(read[3].get<double>() == 0.1);
    CHECK(read[4].get<std::uint64_t>() == std::numeric_limits<std::uint64_t>::max());
    CHECK(read[5].get<std::string>() == odd);
    CHECK(read[6].get<double>() == std::numeric_limits<double>::denorm_min());
}

TEST_CASE("arrays and objects come back as they were nested")
{
    const Json json = Json::parse(
        R"({"a": [1, [2, {"b": []}], {}], "c": {"d": {"e": [true, null, -3]}, "f": "g"}})");
    CHECK(parseCbor(cborOf(json)) == json);
}

TEST_CASE("deep nesting is refused, not followed until the stack ends")
{
    CHECK_THROWS_WITH((void)parseCbor(std::string(std::size_t{1} << 20, '\x81')),
                      containsText("nested deeper"));

    const auto nested = [](std::size_t depth) {
        return std::string(depth, '\x81') + '\x01';  // arrays of one around a 1
    };
    CHECK_NOTHROW((void)parseCbor(nested(depthLimit)));
    CHECK_THROWS_AS((void)parseCbor(nested(depthLimit + 1)), Error);
}

TEST_CASE("a message of too many parts is refused before it fills the memory")
{
    // An array of valueLimit + 1 = 0x800001 zeros.
    const std::string zeros =
        std::string("\x9a\x00\x80\x00\x01", 5) + std::string(valueLimit + 1, '\0');
    CHECK_THROWS_WITH((void)parseCbor(zeros), containsText("parts"));
}

TEST_CASE("a message of few bytes that takes much memory is refused before it does")
{
    const auto repeated = [](const std::string& one, std::uint32_t count) {
        std::string bytes = "\x9a";
        for (int shift = 24; shift >= 0; shift -= 8)
            bytes += static_cast<char>(count >> shift & 0xffU);
        for (std::uint32_t index = 0; index < count; ++index)
            bytes += one;
        return bytes;
    };
    // Of 12 MiB each, they took 700 to 1100 MiB.
    const std::string word = "\xa1\x60\x60";  // {"": ""}
    CHECK_THROWS_WITH((void)parseCbor(repeated(word, 4'000'000)),
                      containsText("more than 384 MiB"));
    CHECK_THROWS_WITH((void)parseCbor(repeated("\xa0", 8'000'000)),
                      containsText("more than 384 MiB"));
    CHECK_THROWS_WITH((void)parseCbor(repeated("\x60", 8'000'000)),
                      containsText("more than 384 MiB"));
    CHECK_THROWS_WITH((void)parseCbor(repeated("\x80", 8'000'000)),
                      containsText("more than 384 MiB"));
    CHECK_NOTHROW(checkCbor(repeated(word, 1'000'000)));
    // The largest numbers that travel, and a list of them: bytes count as bytes.
    const std::string bytes(frameLimit - 16, '\7');
    CHECK_NOTHROW(checkCbor(std::string("\x5a\x03\xff\xff\xf0", 5) + bytes));
}

TEST_CASE("damaged CBOR is an error that names the byte")
{
    const std::string whole = cborOf({{"id", 1}, {"values", {1.5, 2.5}}});
    for (std::size_t length = 0; length < whole.size(); ++length)
        CHECK_THROWS_AS((void)parseCbor(std::string_view(whole).substr(0, length)), Error);
    CHECK_THROWS_WITH((void)parseCbor(whole + '\0'), containsText("damaged at byte"));
    // A byte string that claims 2^63 bytes.
    CHECK_THROWS_AS((void)parseCbor(std::string("\x5b\x80\0\0\0\0\0\0\0", 9)), Error);
}

TEST_CASE("lengths that are not told in advance are refused before anything follows them")
{
    // 40 kB of "a text made of texts" ended the reader by recursion.
    for (const char first : {'\x5f', '\x7f', '\x9f', '\xbf'})
        CHECK_THROWS_WITH((void)parseCbor(std::string(40'000, first)),
                          containsText("damaged at byte"));
    // (_ "a") in parts, [_ 1], {_ "a": 1}: right CBOR, but never sent.
    for (const char* bytes : {"\x7f\x61\x61\xff", "\x9f\x01\xff", "\xbf\x61\x61\x01\xff"})
        CHECK_THROWS_AS((void)parseCbor(bytes), Error);
    const auto nested = [](const std::string& inner) { return "\x81\xa1\x61\x61" + inner; };
    CHECK_NOTHROW((void)parseCbor(nested("\x61\x62")));
    CHECK_THROWS_WITH((void)parseCbor(nested("\x7f\x61\x62\xff")), containsText("byte 4"));
}

TEST_CASE("what this program never writes is refused: tags, odd keys, odd simple values")
{
    for (const char* bytes : {"\xc1\x01", "\xa1\x01\x01", "\xa1\x41\x61\x01", "\xf7", "\xf8\xff",
                              "\xff", "\x1c", "\xfc"})
        CHECK_THROWS_AS((void)parseCbor(bytes), Error);
    CHECK(parseCbor("\xa1\x61\x61\xa1\x61\x62\xf6") == Json::parse(R"({"a": {"b": null}})"));
}

TEST_CASE("what is told to follow has to follow before room is made for it")
{
    const std::string huge = "\xff\xff\xff\xff\xff\xff\xff\xff";
    for (const char* first : {"\x5b", "\x7b", "\x9b", "\xbb"})
        CHECK_THROWS_AS((void)parseCbor(first + huge), Error);
    CHECK_THROWS_AS((void)parseCbor(std::string("\xbb\x80\0\0\0\0\0\0\0", 9)),
                    Error);  // 2^63 pairs
}

TEST_CASE("random bytes are either a value or an error")
{
    std::mt19937 random(20);
    int values = 0;
    int errors = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string bytes(random() % 40, '\0');
        for (char& byte : bytes)
            byte = static_cast<char>(random() % 256);
        try {
            (void)parseCbor(bytes);
            ++values;
        } catch (const Error&) {
            ++errors;
        }
    }
    CHECK(values + errors == 20000);
    CHECK(values > 0);
    CHECK(errors > 0);
}

}  // namespace wire_test
