// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/lzf.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace lzf_test {

using namespace calibscope;
using hdf5::LzfResult;

using namespace std::string_literals;

struct Decoded
{
    std::string text;
    std::string fault;
};

/// Decodes with both spans in memory of just their size, so that a sanitizer sees each step beyond.
Decoded decoded(const std::string& packed, std::size_t roomBytes)
{
    const auto bytes = std::make_unique<std::byte[]>(packed.size());
    std::memcpy(bytes.get(), packed.data(), packed.size());
    const auto room = std::make_unique<std::byte[]>(roomBytes);
    const LzfResult result = hdf5::decodeLzf({bytes.get(), packed.size()}, {room.get(), roomBytes});
    return {.text = {reinterpret_cast<const char*>(room.get()), result.bytes},
            .fault = std::string(result.fault)};
}

/// The plainest packer that uses all three kinds of steps: the longest copy from the nearest place
/// that has one, else a literal.
std::string packed(const std::string& text)
{
    constexpr std::size_t farthest = 8192;
    std::string bytes;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t best = 0;
        std::size_t distance = 0;
        for (std::size_t from = at - std::min(at, farthest); from < at; ++from) {
            std::size_t length = 0;
            while (length < 264 && at + length < text.size() &&
                   text[from + length] == text[at + length])
                ++length;
            if (length >= best && length >= 3) {
                best = length;
                distance = at - from - 1;
            }
        }
        if (best == 0) {
            bytes += '\0';
            bytes += text[at++];
            continue;
        }
        const std::size_t length = best - 2;
        bytes += static_cast<char>(std::min<std::size_t>(length, 7) << 5U | distance >> 8U);
        if (length >= 7)
            bytes += static_cast<char>(length - 7);
        bytes += static_cast<char>(distance & 0xffU);
        at += best;
    }
    return bytes;
}

constexpr const char* endsEarly = "its LZF bytes end within a step";
constexpr const char* beforeStart = "its LZF bytes copy from before their start";
constexpr const char* tooLong = "its LZF bytes decode to more than a chunk";

TEST_CASE("LZF: literals, short copies and long copies decode as the format says")
{
    CHECK(decoded("\x04hello"s, 5).text == "hello");
    CHECK(decoded("\x02"s + "abc" + "\x20\x02"s, 6).text == "abcabc");   // 3 bytes from 3 back
    CHECK(decoded("\x00z\x20\x00"s, 4).text == "zzzz");                  // overlapping: a run
    CHECK(decoded("\x01xy\xe0\x03\x01"s, 14).text == "xyxyxyxyxyxyxy");  // 3 + 9 bytes, 2 back
    CHECK(decoded(""s, 8).text.empty());
    CHECK(decoded(""s, 0).fault.empty());
}

TEST_CASE("LZF: a copy reaches 8192 bytes back and is at most 264 long")
{
    std::string text(8192, '\0');
    std::minstd_rand random(7);
    std::ranges::generate(text, [&] { return static_cast<char>(random() >> 8U); });
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); at += 32)
        bytes += "\x1f" + text.substr(at, 32);
    const Decoded result = decoded(bytes + "\xff\xff\xff"s, 8192 + 264);
    CHECK(result.fault.empty());
    CHECK(result.text == text + text.substr(0, 264));
}

TEST_CASE("LZF: bytes that break off, reach back too far or decode to too much are faults")
{
    struct Case
    {
        std::string packed;
        std::string fault;
        std::string decodedBefore;
    };
    const std::vector<Case> cases{
        {"\x04hell"s, endsEarly, ""},          // literals are missing
        {"\x00"s, endsEarly, ""},              //
        {"\x00z\x20"s, endsEarly, "z"},        // the distance is missing
        {"\x00z\xe0"s, endsEarly, "z"},        // length and distance are missing
        {"\x00z\xe0\x01"s, endsEarly, "z"},    // the distance is missing
        {"\x20\x00"s, beforeStart, ""},        // nothing is there yet
        {"\x00z\x20\x01"s, beforeStart, "z"},  // two bytes back of one
        {"\x00z\x3f\xff"s, beforeStart, "z"},  // 8192 bytes back
        {"\x1f"
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"s,
         tooLong, ""},
        {"\x00z\xe0\xff\x00"s, tooLong, "z"},  // a run of 264
    };
    for (const Case& damaged : cases) {
        const Decoded result = decoded(damaged.packed, 16);
        CHECK(result.fault == damaged.fault);
        CHECK(result.text == damaged.decodedBefore);
    }
    CHECK(decoded("\x00z"s, 0).fault == tooLong);
}

TEST_CASE("LZF: what was packed comes back, and only into room enough")
{
    std::minstd_rand random(11);
    for (const unsigned letters : {1U, 2U, 4U, 256U})
        for (const std::size_t length : {1U, 2U, 31U, 32U, 33U, 300U, 5000U}) {
            std::string text(length, '\0');
            std::ranges::generate(text,
                                  [&] { return static_cast<char>((random() >> 8U) % letters); });
            const std::string bytes = packed(text);
            CHECK(decoded(bytes, length).text == text);
            CHECK(decoded(bytes, length + 7).text == text);
            CHECK(decoded(bytes, length - 1).fault == tooLong);
        }
}

TEST_CASE("LZF: any bytes end with a result that fits the room")
{
    std::string text(600, '\0');
    std::minstd_rand random(13);
    std::ranges::generate(text, [&] { return static_cast<char>((random() >> 8U) % 3); });
    const std::string whole = packed(text);
    std::array<std::size_t, 2> results{};  // without and with a fault
    for (int round = 0; round < 20000; ++round) {
        std::string bytes = whole.substr(0, 1 + random() % whole.size());
        for (unsigned edits = random() % 4; edits > 0; --edits)
            bytes[random() % bytes.size()] = static_cast<char>(random() >> 8U);
        const Decoded result = decoded(bytes, text.size());
        ++results.at(result.fault.empty() ? 0 : 1);
        if (result.text.size() > text.size())
            FAIL("round " << round << " decoded to " << result.text.size() << " bytes");
    }
    CHECK(results[0] > 1000);
    CHECK(results[1] > 1000);
}

}  // namespace lzf_test
