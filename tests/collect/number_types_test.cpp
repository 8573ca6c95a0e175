// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_profile.h"
#include "core/tensor/element_type.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/h5_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace number_types_test {

using namespace calibscope;
using test::RawType;
using test::Storage;

/// A number type by its definition: integers by their bits, floats by sign, exponent and mantissa.
struct NumberType
{
    std::string text;
    RawType raw;
    bool isFiniteOnly = false;  ///< E4M3 of OCP: the largest exponent is one like any other
};

std::vector<NumberType> numberTypes()
{
    using Kind = RawType::Kind;
    return {{"float16", {.kind = Kind::Float, .bytes = 2, .exponentBits = 5, .bias = 15}},
            {"bfloat16", {.kind = Kind::Float, .bytes = 2, .exponentBits = 8, .bias = 127}},
            {"float32", {.kind = Kind::Float, .bytes = 4, .exponentBits = 8, .bias = 127}},
            {"float64", {.kind = Kind::Float, .bytes = 8, .exponentBits = 11, .bias = 1023}},
            {"float8_e4m3fn", {.kind = Kind::Float, .exponentBits = 4, .bias = 7}, true},
            {"float8_e5m2", {.kind = Kind::Float, .exponentBits = 5, .bias = 15}},
            {"int8", {.kind = Kind::Signed, .bytes = 1}},
            {"int16", {.kind = Kind::Signed, .bytes = 2}},
            {"int32", {.kind = Kind::Signed, .bytes = 4}},
            {"int64", {.kind = Kind::Signed, .bytes = 8}},
            {"uint8", {.kind = Kind::Unsigned, .bytes = 1}},
            {"uint16", {.kind = Kind::Unsigned, .bytes = 2}},
            {"uint32", {.kind = Kind::Unsigned, .bytes = 4}},
            {"uint64", {.kind = Kind::Unsigned, .bytes = 8}}};
}

/// Patterns of so many bytes, spread over all of them: the ends, and a sequence of Weyl.
std::vector<std::uint64_t> patternsOf(std::size_t bytes, std::size_t count)
{
    const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
    std::vector<std::uint64_t> patterns{0, 1, mask, mask >> 1, (mask >> 1) + 1};
    while (patterns.size() < count)
        patterns.push_back((patterns.size() * 0x9e3779b97f4a7c15U) >> (64 - 8 * bytes));
    return patterns;
}

std::string bytesOf(const std::vector<std::uint64_t>& patterns, const RawType& type)
{
    std::string bytes;
    for (const std::uint64_t pattern : patterns)
        for (std::size_t place = 0; place < type.bytes; ++place) {
            const std::size_t byte = type.isBigEndian ? type.bytes - 1 - place : place;
            bytes += static_cast<char>(pattern >> 8 * byte & 0xffU);
        }
    return bytes;
}

double integerValue(std::uint64_t pattern, const RawType& type)
{
    const std::size_t bits = 8 * type.bytes;
    if (type.kind == RawType::Kind::Unsigned || (pattern >> (bits - 1) & 1U) == 0)
        return static_cast<double>(static_cast<float>(pattern));
    const std::uint64_t magnitude = (bits == 64 ? 0 : std::uint64_t{1} << bits) - pattern;
    return -static_cast<double>(static_cast<float>(magnitude));
}

double floatValue(std::uint64_t pattern, const NumberType& type)
{
    const auto mantissaBits = static_cast<int>(8 * type.raw.bytes - 1 - type.raw.exponentBits);
    const int largest = (1 << type.raw.exponentBits) - 1;
    const int exponent = static_cast<int>(pattern >> mantissaBits) & largest;
    const std::uint64_t digits = pattern & ((std::uint64_t{1} << mantissaBits) - 1);
    const double sign = (pattern >> (8 * type.raw.bytes - 1)) != 0 ? -1.0 : 1.0;
    const bool allOnes = digits + 1 == std::uint64_t{1} << mantissaBits;
    if (exponent == largest && (type.isFiniteOnly ? allOnes : digits != 0))
        return std::nan("");
    if (exponent == largest && !type.isFiniteOnly)
        return sign * std::numeric_limits<double>::infinity();
    const double fraction = std::ldexp(static_cast<double>(digits), -mantissaBits);
    const double value = std::ldexp(exponent == 0 ? fraction : 1.0 + fraction,
                                    std::max(exponent, 1) - static_cast<int>(type.raw.bias));
    return static_cast<double>(static_cast<float>(sign * value));
}

double valueOf(std::uint64_t pattern, const NumberType& type)
{
    return type.raw.kind == RawType::Kind::Float ? floatValue(pattern, type)
                                                 : integerValue(pattern, type.raw);
}

/// Statistics of the finite values, summed in the plainest way.
struct Plain
{
    std::size_t finite = 0;
    std::size_t nan = 0;
    std::size_t infinite = 0;
    std::size_t zeros = 0;
    double min = std::numeric_limits<double>::infinity();
    double max = -min;
    long double sum = 0;
    long double sumMagnitudes = 0;
    std::vector<std::uint64_t> counts = std::vector<std::uint64_t>(16);  ///< of |x| up to its max

    explicit Plain(const std::vector<double>& values)
    {
        for (const double value : values) {
            nan += std::isnan(value) ? 1U : 0U;
            infinite += std::isinf(value) ? 1U : 0U;
            if (!std::isfinite(value))
                continue;
            ++finite;
            zeros += value == 0.0 ? 1U : 0U;
            min = std::min(min, value);
            max = std::max(max, value);
            sum += static_cast<long double>(value);
            sumMagnitudes += static_cast<long double>(std::fabs(value));
        }
        const double width = std::max(max, -min) / 16.0;
        for (const double value : values)
            if (std::isfinite(value))
                ++counts[static_cast<std::size_t>(std::min(std::fabs(value) / width, 15.0))];
    }
};

void checkStatistics(const ValueSource& source, const Plain& plain)
{
    TensorProfile profile = collectProfile(source);
    const HistogramSpec spec{"fixed", 16, Domain::Magnitude};
    collectMore(profile, source, std::vector{spec}, {});
    const Extents& extents = profile.extents();
    CHECK(extents.finite == plain.finite);
    CHECK(extents.nan == plain.nan);
    CHECK(extents.infinite() == plain.infinite);
    CHECK(extents.zeros == plain.zeros);
    CHECK(extents.min == plain.min);
    CHECK(extents.max == plain.max);
    CHECK(std::fabs(static_cast<long double>(profile.moments.sum) - plain.sum) <=
          1e-12L * plain.sumMagnitudes);
    CHECK(profile.histogram(spec)->counts == plain.counts);
}

const std::map<std::string, Storage>& storages()
{
    static const std::map<std::string, Storage> list{
        {"contiguous", {}},
        {"compact", {.isCompact = true}},
        {"chunked", {.chunk = {7, 16}}},
        {"resizable", {.chunk = {64, 9}, .isResizable = true}},
        {"gzip", {.chunk = {16, 32}, .gzip = 6}},
        {"shuffled", {.chunk = {5, 32}, .hasShuffle = true, .gzip = 1}},
        {"checked", {.chunk = {16, 32}, .hasShuffle = true, .gzip = 4, .hasFletcher32 = true}}};
    return list;
}

TEST_CASE("every number type in every byte order and storage has the statistics of its values")
{
    for (NumberType type : numberTypes())
        for (const bool isBigEndian : {false, true}) {
            type.raw.isBigEndian = isBigEndian;
            const auto patterns = patternsOf(type.raw.bytes, 48 * 32);
            std::vector<double> values;
            for (const std::uint64_t pattern : patterns)
                values.push_back(valueOf(pattern, type));
            const Plain plain(values);
            test::H5File file;
            for (const auto& [name, storage] : storages())
                file.writeBytes(name, {48, 32}, bytesOf(patterns, type.raw), type.raw, storage);
            const auto dump = DumpFile::open(file.path());
            REQUIRE(dump->tensors().size() == storages().size());
            for (const TensorInfo& info : dump->tensors()) {
                INFO(type.text << (isBigEndian ? ", big endian, " : ", ") << info.name);
                CHECK(elementText(info) == type.text);
                checkStatistics(dump->source(info), plain);
            }
        }
}

TEST_CASE("one tensor's values are the same in every number type that holds them")
{
    // Small whole numbers of both signs: exact in all types with a sign, shifted for the others.
    std::vector<float> values;
    for (int place = 0; place < 60; ++place)
        values.push_back(static_cast<float>(place % 13 - 6));
    for (const NumberType& type : numberTypes()) {
        const bool hasSign = type.raw.kind != RawType::Kind::Unsigned;
        std::map<float, std::uint64_t> patternOf;
        const std::size_t bits = 8 * type.raw.bytes;
        for (int number = -6; number <= 6; ++number) {
            std::uint64_t pattern = static_cast<std::uint64_t>(hasSign ? number : number + 6);
            if (type.raw.kind == RawType::Kind::Float && number == 0)
                pattern = 0;
            else if (type.raw.kind == RawType::Kind::Float) {
                const int power = std::ilogb(static_cast<double>(number));
                const auto mantissaBits = static_cast<int>(bits - 1 - type.raw.exponentBits);
                const double digits = std::ldexp(std::abs(number), mantissaBits - power);
                pattern = (static_cast<std::uint64_t>(number < 0) << (bits - 1)) +
                          (static_cast<std::uint64_t>(power + static_cast<int>(type.raw.bias) - 1)
                           << mantissaBits) +
                          static_cast<std::uint64_t>(digits);
            }
            patternOf[static_cast<float>(number)] = pattern;
        }
        std::vector<std::uint64_t> patterns;
        std::vector<float> expected;
        for (const float value : values) {
            patterns.push_back(patternOf.at(value));
            expected.push_back(hasSign ? value : value + 6.0F);
        }
        test::H5File file;
        file.writeBytes("/a", {4, 15}, bytesOf(patterns, type.raw), type.raw);
        INFO(type.text);
        CHECK(test::valuesIn(file.path(), "/a") == expected);
    }
}

}  // namespace number_types_test
