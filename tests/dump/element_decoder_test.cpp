// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/element_decoder.h"

#include "core/dump/small_float.h"
#include "core/kernels/half_floats.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace element_decoder_test {

using namespace calibscope;

constexpr float inf = std::numeric_limits<float>::infinity();

/// The bytes of words, in this machine's order or the other one.
template <typename Word>
std::vector<std::byte> bytesOf(const std::vector<Word>& words, bool isBigEndian)
{
    std::vector<std::byte> bytes(words.size() * sizeof(Word));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    if (isBigEndian != (std::endian::native == std::endian::big))
        for (std::size_t first = 0; first < bytes.size(); first += sizeof(Word))
            std::reverse(&bytes[first], &bytes[first] + sizeof(Word));
    return bytes;
}

template <typename Word>
std::vector<float> decoded(const std::vector<Word>& words, ElementType::Kind kind, bool isBigEndian)
{
    ElementDecoder decoder({.kind = kind, .isBigEndian = isBigEndian});
    const std::vector<std::byte> bytes = bytesOf(words, isBigEndian);
    const std::span<const float> values = decoder.decode(bytes);
    return {values.begin(), values.end()};
}

bool isSame(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

TEST_CASE("all 65536 patterns of the 16-bit floats decode to their values, in both byte orders")
{
    std::vector<std::uint16_t> patterns(65536);
    std::iota(patterns.begin(), patterns.end(), std::uint16_t{0});
    for (const bool isBigEndian : {false, true}) {
        const auto halves = decoded(patterns, ElementType::Kind::Float16, isBigEndian);
        const auto brains = decoded(patterns, ElementType::Kind::Bfloat16, isBigEndian);
        REQUIRE(halves.size() == patterns.size());
        REQUIRE(brains.size() == patterns.size());
        std::size_t different = 0;
        for (const std::uint16_t pattern : patterns) {
            different += std::bit_cast<std::uint32_t>(halves[pattern]) !=
                         std::bit_cast<std::uint32_t>(kernels::float16Value(pattern));
            different += std::bit_cast<std::uint32_t>(brains[pattern]) !=
                         static_cast<std::uint32_t>(pattern) << 16;
        }
        CHECK(different == 0);
    }
}

TEST_CASE("all patterns of an 8-bit float decode to their values")
{
    std::vector<std::uint8_t> patterns(256);
    std::iota(patterns.begin(), patterns.end(), std::uint8_t{0});
    for (const ElementType::Kind kind :
         {ElementType::Kind::Float8E4m3fn, ElementType::Kind::Float8E5m2,
          ElementType::Kind::Float8E4m3, ElementType::Kind::Float8E4m3fnuz,
          ElementType::Kind::Float8E5m2fnuz, ElementType::Kind::Float8E4m3b11fnuz}) {
        const std::vector<float> values = decoded(patterns, kind, false);
        REQUIRE(values.size() == patterns.size());
        for (const std::uint8_t pattern : patterns)
            CHECK(isSame(static_cast<double>(values[pattern]),
                         static_cast<double>(float8Values(kind)[pattern])));
    }
}

TEST_CASE("whole numbers that float32 holds are exact, in both byte orders")
{
    const auto check = [](auto tag, ElementType::Kind kind) {
        using Integer = decltype(tag);
        using Word = std::make_unsigned_t<Integer>;
        std::vector<Word> words;
        std::vector<float> expected;
        for (const std::int64_t number :
             {0, 1, 2, 77, 127, -1, -128, 255, 32767, -32768, 65535, 1 << 24, -(1 << 24)})
            if (std::in_range<Integer>(number)) {
                words.push_back(static_cast<Word>(number));
                expected.push_back(static_cast<float>(number));
            }
        for (const bool isBigEndian : {false, true})
            CHECK(decoded(words, kind, isBigEndian) == expected);
    };
    check(std::int8_t{}, ElementType::Kind::Int8);
    check(std::int16_t{}, ElementType::Kind::Int16);
    check(std::int32_t{}, ElementType::Kind::Int32);
    check(std::int64_t{}, ElementType::Kind::Int64);
    check(std::uint8_t{}, ElementType::Kind::Uint8);
    check(std::uint16_t{}, ElementType::Kind::Uint16);
    check(std::uint32_t{}, ElementType::Kind::Uint32);
    check(std::uint64_t{}, ElementType::Kind::Uint64);
}

TEST_CASE("larger whole numbers are rounded to the nearest, ties to even")
{
    constexpr std::uint64_t unit = std::uint64_t{1} << 40;  // of float32 from 2^63 on
    const std::vector<std::uint64_t> unsignedWords{
        (1U << 24) + 1,                           // tie: to the even 2^24
        (1U << 24) + 3,                           // tie: to the even 2^24 + 4
        (std::uint64_t{1} << 63) + unit / 2,      // tie: to the even 2^63
        (std::uint64_t{1} << 63) + unit / 2 + 1,  // a bit that a detour over double would lose
        ~std::uint64_t{0}};
    CHECK(decoded(unsignedWords, ElementType::Kind::Uint64, false) ==
          std::vector<float>{0x1p24F, 0x1p24F + 4.0F, 0x1p63F, 0x1p63F + 0x1p40F, 0x1p64F});
    const std::vector<std::uint64_t> signedWords{~std::uint64_t{0} - (1U << 24),  // -(2^24 + 1)
                                                 std::uint64_t{1} << 63};
    CHECK(decoded(signedWords, ElementType::Kind::Int64, true) ==
          std::vector<float>{-0x1p24F, -0x1p63F});
    const std::vector<std::uint32_t> words{(1U << 24) + 1, 0xffffffffU};
    CHECK(decoded(words, ElementType::Kind::Uint32, false) == std::vector<float>{0x1p24F, 0x1p32F});
    CHECK(decoded(words, ElementType::Kind::Int32, false) == std::vector<float>{0x1p24F, -1.0F});
}

TEST_CASE("any number of elements decodes, also beside the groups that are converted at once")
{
    for (const std::size_t count : {1U, 63U, 64U, 65U, 127U, 129U, 1000U}) {
        std::vector<std::uint16_t> words(count);
        std::iota(words.begin(), words.end(), std::uint16_t{1});
        std::vector<float> expected(count);
        std::iota(expected.begin(), expected.end(), 1.0F);
        CHECK(decoded(words, ElementType::Kind::Uint16, true) == expected);
    }
}

TEST_CASE("binary32 keeps every bit, in both byte orders")
{
    const std::vector<std::uint32_t> patterns{0x00000000, 0x80000000, 0x00000001, 0x807fffff,
                                              0x3f800000, 0x7f7fffff, 0x7f800000, 0xff800000,
                                              0x7fc00001, 0x12345678};
    for (const bool isBigEndian : {false, true}) {
        const std::vector<float> values =
            decoded(patterns, ElementType::Kind::Float32, isBigEndian);
        REQUIRE(values.size() == patterns.size());
        for (std::size_t index = 0; index < values.size(); ++index)
            CHECK(std::bit_cast<std::uint32_t>(values[index]) == patterns[index]);
    }
}

TEST_CASE("binary64 is rounded to the nearest, and what lies beyond float32 is infinite")
{
    const double largest = static_cast<double>(std::numeric_limits<float>::max());
    const double half = std::ldexp(1.0, 103);  // of the distance to the next power of two
    const std::vector<double> given{0.1,
                                    1.0 + std::ldexp(1.0, -24),  // tie: to the even 1
                                    1.0 + 3.0 * std::ldexp(1.0, -24),
                                    -0.0,
                                    1e-46,  // below half the least subnormal
                                    largest,
                                    std::nextafter(largest + half, 0.0),
                                    largest + half,
                                    -1e300,
                                    -std::numeric_limits<double>::infinity()};
    const std::vector<float> expected{0.1F,
                                      1.0F,
                                      1.0F + std::ldexp(1.0F, -22),
                                      -0.0F,
                                      0.0F,
                                      std::numeric_limits<float>::max(),
                                      std::numeric_limits<float>::max(),
                                      inf,
                                      -inf,
                                      -inf};
    std::vector<std::uint64_t> patterns;
    for (const double value : given)
        patterns.push_back(std::bit_cast<std::uint64_t>(value));
    for (const bool isBigEndian : {false, true}) {
        const std::vector<float> values =
            decoded(patterns, ElementType::Kind::Float64, isBigEndian);
        REQUIRE(values.size() == expected.size());
        for (std::size_t index = 0; index < values.size(); ++index)
            CHECK(isSame(static_cast<double>(values[index]), static_cast<double>(expected[index])));
    }
}

TEST_CASE("no bytes decode to no values, and a decoder can be used again")
{
    ElementDecoder decoder({.kind = ElementType::Kind::Float16});
    CHECK(decoder.decode({}).empty());
    CHECK(decoder.decode(bytesOf<std::uint16_t>({0x3c00, 0xc000}, false)).size() == 2);
    const std::span<const float> values = decoder.decode(bytesOf<std::uint16_t>({0x4200}, false));
    CHECK(std::vector<float>(values.begin(), values.end()) == std::vector<float>{3.0F});
}

TEST_CASE("doubles beyond float32, those that become 0, and integers that lose digits are told")
{
    const double largest = static_cast<double>(std::numeric_limits<float>::max());
    const std::vector<double> given{0.1,
                                    1e300,
                                    -3.5e38,
                                    largest,
                                    std::numeric_limits<double>::infinity(),
                                    std::numeric_limits<double>::quiet_NaN(),
                                    1e-46,
                                    -7e-46,  // half the least subnormal is 7.006e-46
                                    1.5e-45,
                                    -0.0,
                                    16777216.0,
                                    16777217.0,
                                    -16777218.0,
                                    16777217.5,  // no integer
                                    1e15,
                                    9007199254740991.0,   // 2^53 - 1
                                    -9007199254740994.0,  // every double from here on is whole
                                    3.4e38};
    using Lost = std::vector<LostValue>;
    const Lost expected{
        {.place = 1, .loss = ReadingLoss::Overflow},  {.place = 2, .loss = ReadingLoss::Overflow},
        {.place = 6, .loss = ReadingLoss::Underflow}, {.place = 7, .loss = ReadingLoss::Underflow},
        {.place = 11, .loss = ReadingLoss::Rounding}, {.place = 14, .loss = ReadingLoss::Rounding},
        {.place = 15, .loss = ReadingLoss::Rounding}};
    for (const bool isBigEndian : {false, true}) {
        ElementDecoder decoder({.kind = ElementType::Kind::Float64, .isBigEndian = isBigEndian});
        const std::vector<std::byte> bytes = bytesOf(given, isBigEndian);
        static_cast<void>(decoder.decode(bytes));
        CHECK(Lost(decoder.lost().begin(), decoder.lost().end()) == expected);
        static_cast<void>(decoder.decode(std::span(bytes).first(sizeof(double))));
        CHECK(decoder.lost().empty());
    }
}

TEST_CASE("an integer of more than 24 significant bits is told, at every place of a long tensor")
{
    const auto placesOf = []<typename Integer>(ElementType::Kind kind,
                                               const std::vector<Integer>& given) {
        ElementDecoder decoder({.kind = kind});
        const std::vector<std::byte> bytes = bytesOf(given, false);
        const std::span<const float> values = decoder.decode(bytes);
        std::vector<std::size_t> places;
        for (const LostValue& lost : decoder.lost()) {
            CHECK(lost.loss == ReadingLoss::Rounding);
            places.push_back(lost.place);
        }
        CHECK(values.size() == given.size());
        return places;
    };
    using Places = std::vector<std::size_t>;
    constexpr auto least64 = std::numeric_limits<std::int64_t>::min();  // a power of two
    constexpr auto most64 = std::numeric_limits<std::int64_t>::max();
    CHECK(placesOf(ElementType::Kind::Int64,
                   std::vector<std::int64_t>{least64, most64, -16777217, -16777216, 33554436,
                                             33554433}) == Places{1, 2, 5});
    CHECK(placesOf(ElementType::Kind::Uint64,
                   std::vector<std::uint64_t>{~std::uint64_t{0}, std::uint64_t{1} << 63U}) ==
          Places{0});
    CHECK(placesOf(ElementType::Kind::Uint32,
                   std::vector<std::uint32_t>{0xFFFFFFFFU, 0xFFFFFF00U, 0xFFFFFF80U}) ==
          Places{0, 2});
    std::vector<std::int32_t> ramp(1000);  // 16776216 to 16777215, then two odd ones beyond
    std::iota(ramp.begin(), ramp.end(), 16776216);
    ramp[63] = 16777217;
    ramp[998] = -16777219;
    CHECK(placesOf(ElementType::Kind::Int32, ramp) == Places{63, 998});
}

}  // namespace element_decoder_test
