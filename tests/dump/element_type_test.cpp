#include "core/dump/element_type.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace calibscope;

namespace {

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
    const std::span<const float> values = decoder.decode(bytesOf(words, isBigEndian));
    return {values.begin(), values.end()};
}

/// IEEE 754-2019, 3.4: value from sign, exponent and mantissa, in exact arithmetic.
double binary16ByDefinition(unsigned pattern)
{
    const double sign = (pattern & 0x8000U) != 0 ? -1.0 : 1.0;
    const int exponent = static_cast<int>(pattern >> 10 & 0x1fU);
    const double mantissa = pattern & 0x3ffU;
    if (exponent == 31)
        return mantissa == 0.0 ? sign * std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::quiet_NaN();
    if (exponent == 0)
        return sign * std::ldexp(mantissa, -24);
    return sign * std::ldexp(1024.0 + mantissa, exponent - 25);
}

bool isSame(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

}  // namespace

TEST_CASE("all 65536 patterns of binary16 decode to their values, in both byte orders")
{
    std::vector<std::uint16_t> patterns(65536);
    for (std::size_t pattern = 0; pattern < patterns.size(); ++pattern)
        patterns[pattern] = static_cast<std::uint16_t>(pattern);
    for (const bool isBigEndian : {false, true}) {
        const std::vector<float> values =
            decoded(patterns, ElementType::Kind::Float16, isBigEndian);
        REQUIRE(values.size() == patterns.size());
        std::size_t different = 0;
        for (std::size_t pattern = 0; pattern < values.size(); ++pattern)
            different += isSame(static_cast<double>(values[pattern]),
                                binary16ByDefinition(static_cast<unsigned>(pattern)))
                             ? 0U
                             : 1U;
        CHECK(different == 0);
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
