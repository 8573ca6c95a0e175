// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/largest_values.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace largest_values_test {

using namespace calibscope;

constexpr std::array allEnds{ValueEnd::Magnitudes, ValueEnd::Top, ValueEnd::Bottom};

/// The same by sorting all values.
std::vector<double> bySorting(std::span<const float> values, ValueEnd end, std::size_t most)
{
    std::vector<double> sorted;
    for (const float value : values)
        if (std::isfinite(value))
            sorted.push_back(
                static_cast<double>(end == ValueEnd::Magnitudes ? std::abs(value) : value + 0.0F));
    if (end == ValueEnd::Bottom)
        std::ranges::sort(sorted);
    else
        std::ranges::sort(sorted, std::greater{});
    sorted.resize(std::min(sorted.size(), most));
    return sorted;
}

LargestValues inPieces(std::span<const float> values, ValueEnd end, std::size_t most,
                       std::size_t size)
{
    LargestValues largest(end, most);
    for (std::size_t first = 0; first < values.size(); first += size)
        largest.add(values.subspan(first, std::min(size, values.size() - first)));
    return largest;
}

std::vector<std::uint64_t> bitsOf(const std::vector<double>& values)
{
    std::vector<std::uint64_t> bits;
    for (const double value : values)
        bits.push_back(std::bit_cast<std::uint64_t>(value));
    return bits;
}

TEST_CASE("the largest values are those of a sort, bit by bit, for blocks of any size")
{
    for (const auto& [kind, values] : test::kernelSamples())
        for (const ValueEnd end : allEnds)
            for (const std::size_t most : {1U, 2U, 43U, 5000U, 16384U})
                for (const std::size_t size : {1U, 7U, 4097U, 5003U}) {
                    INFO(kind << ", " << most << " of an end, blocks of " << size);
                    const LargestValues largest = inPieces(values, end, most, size);
                    CHECK(bitsOf(largest.values()) == bitsOf(bySorting(values, end, most)));
                    CHECK(largest.finite() ==
                          static_cast<std::uint64_t>(std::ranges::count_if(
                              values, [](float x) { return std::isfinite(x); })));
                }
}

TEST_CASE("the order of the values does not matter: ascending, descending, or as they came")
{
    std::vector<float> values = test::normalValues(100003);
    const std::vector<double> expected = bySorting(values, ValueEnd::Magnitudes, 77);
    CHECK(inPieces(values, ValueEnd::Magnitudes, 77, 4096).values() == expected);
    std::ranges::sort(values, {}, [](float x) { return std::abs(x); });
    CHECK(inPieces(values, ValueEnd::Magnitudes, 77, 4096).values() == expected);
    std::ranges::reverse(values);
    CHECK(inPieces(values, ValueEnd::Magnitudes, 77, 4096).values() == expected);
}

TEST_CASE("the largest values of parts, merged, are those of the whole")
{
    for (const auto& [kind, values] : test::kernelSamples())
        for (const ValueEnd end : allEnds)
            for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{2500}}) {
                INFO(kind << ", cut at " << cut);
                LargestValues merged = inPieces(std::span(values).first(cut), end, 60, 512);
                merged += inPieces(std::span(values).subspan(cut), end, 60, 512);
                const LargestValues whole = inPieces(values, end, 60, 5003);
                CHECK(bitsOf(merged.values()) == bitsOf(whole.values()));
                CHECK(merged.finite() == whole.finite());
                merged.add(std::vector<float>{-1e35F, 1e35F});
                CHECK(merged.values().front() ==
                      (end == ValueEnd::Bottom ? -1.0 : 1.0) * static_cast<double>(1e35F));
            }
}

TEST_CASE("fewer values than were asked for, and none, are all there are")
{
    LargestValues largest(ValueEnd::Top, 10);
    CHECK(largest.values().empty());
    largest.add(std::vector<float>{3.0F, -0.0F, std::nanf(""), -7.0F});
    CHECK(largest.values() == std::vector{3.0, 0.0, -7.0});
    CHECK_FALSE(std::signbit(largest.values()[1]));
}

TEST_CASE("a request lies at the end that is within reach")
{
    const auto placeOf = [](Domain domain, std::uint64_t rank) {
        return placeFromEnd({.domain = domain, .rank = rank}, 1000000);
    };
    CHECK(placeOf(Domain::Magnitude, 999999)->end == ValueEnd::Magnitudes);
    CHECK(placeOf(Domain::Magnitude, 999989)->place == 10);
    CHECK(placeOf(Domain::Magnitude, 1000000 - 16384)->place == 16383);
    CHECK_FALSE(placeOf(Domain::Magnitude, 1000000 - 16385));
    CHECK_FALSE(placeOf(Domain::Magnitude, 5));
    CHECK(placeOf(Domain::Signed, 999999)->end == ValueEnd::Top);
    CHECK(placeOf(Domain::Signed, 5)->end == ValueEnd::Bottom);
    CHECK(placeOf(Domain::Signed, 16383)->place == 16383);
    CHECK_FALSE(placeOf(Domain::Signed, 16384));
}

}  // namespace largest_values_test
