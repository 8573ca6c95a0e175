// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/zero_blocks.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zero_blocks_test {

using namespace calibscope;

/// 4096 values other than 0 in rows of 24, but for the stretches given as first and length.
struct Stretch
{
    std::size_t first;
    std::size_t count;
};

std::vector<float> valuesWithout(const std::vector<Stretch>& stretches, std::size_t count = 4096)
{
    std::vector<float> values(count);
    for (std::size_t index = 0; index < count; ++index)
        values[index] = 0.5F + 0.001F * static_cast<float>(index % 997);
    for (const Stretch& stretch : stretches)
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(stretch.first), stretch.count,
                    0.0F);
    return values;
}

/// Of values that lie in the file from `place` on, given in blocks of so many.
ZeroBlocks found(const std::vector<float>& values, std::uint64_t place,
                 std::size_t blockValues = 4096, const std::vector<std::uint64_t>& shape = {4096})
{
    TensorInfo info;
    info.elementType = ElementKind::Float32;
    info.shape = shape;
    ZeroBlockCounter counter(info);
    for (std::size_t first = 0; first < values.size(); first += blockValues) {
        const std::size_t count = std::min(blockValues, values.size() - first);
        counter.add({.values = std::span(values).subspan(first, count),
                     .firstIndex = first,
                     .place = place + first * sizeof(float)});
    }
    return counter.finish();
}

TEST_CASE("zeros that begin and end where blocks of 512 bytes do are found, however they come")
{
    // Values from byte 100 on: blocks begin at value 103, 231, 359, ...
    for (const std::size_t blockValues : {4096U, 1000U, 128U, 103U, 7U, 1U}) {
        INFO(blockValues);
        CHECK(found(valuesWithout({{103, 128}}), 100, blockValues) == ZeroBlocks{1, 128, 0});
        CHECK(found(valuesWithout({{103, 256}, {1127, 128}}), 100, blockValues) ==
              ZeroBlocks{2, 384, 0});
        CHECK(found(valuesWithout({{104, 128}}), 100, blockValues) == ZeroBlocks{0, 0, 1});
        CHECK(found(valuesWithout({{103, 129}}), 100, blockValues) == ZeroBlocks{0, 0, 1});
        CHECK(found(valuesWithout({{103, 127}}), 100, blockValues) == ZeroBlocks{0, 0, 1});
        CHECK(found(valuesWithout({{103, 126}}), 100, blockValues) == ZeroBlocks{});
        CHECK(found(valuesWithout({{3943, 153}}), 100, blockValues) == ZeroBlocks{0, 0, 1});
        CHECK(found(valuesWithout({}), 100, blockValues) == ZeroBlocks{});
    }
}

TEST_CASE("where values lie across blocks, those that are lost by half need not be zero")
{
    // From byte 102 on: blocks begin two bytes after value 102 does.
    CHECK(found(valuesWithout({{103, 127}}), 102) == ZeroBlocks{1, 127, 0});
    CHECK(found(valuesWithout({{103, 255}}), 102) == ZeroBlocks{1, 255, 0});
    CHECK(found(valuesWithout({{104, 254}}), 102) == ZeroBlocks{0, 0, 1});
    CHECK(found(valuesWithout({{102, 257}}), 102) == ZeroBlocks{0, 0, 1});
}

TEST_CASE("zeros that begin and end with rows are the tensor's")
{
    const std::vector<float> values = valuesWithout({{128, 128}});
    CHECK(found(values, 0) == ZeroBlocks{1, 128, 0});
    CHECK(found(values, 0, 4096, {64, 64}) == ZeroBlocks{0, 0, 1});
    CHECK(found(values, 0, 4096, {256, 16, 1}) == ZeroBlocks{0, 0, 1});
    CHECK(found(valuesWithout({{128, 128}}, 4080), 0, 4096, {170, 24}) == ZeroBlocks{1, 128, 0});
}

TEST_CASE("without a place in a file nothing is found")
{
    TensorInfo info;
    info.elementType = ElementKind::Float32;
    info.shape = {4096};
    const std::vector<float> values = valuesWithout({{128, 128}});
    ZeroBlockCounter counter(info);
    counter.add({.values = values});
    CHECK(counter.finish() == ZeroBlocks{});
}

}  // namespace zero_blocks_test
