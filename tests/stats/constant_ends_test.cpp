// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/constant_ends.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace constant_ends_test {

using namespace calibscope;

TensorInfo activation(std::vector<std::uint64_t> shape, std::optional<int> batchAxis,
                      std::optional<int> channelAxis)
{
    TensorInfo info;
    info.role = Role::Activation;
    info.shape = std::move(shape);
    info.batchAxis = batchAxis;
    info.channelAxis = channelAxis;
    return info;
}

/// No two are alike.
std::vector<float> counting(const TensorInfo& info)
{
    std::vector<float> values(info.valueCount());
    for (std::size_t place = 0; place < values.size(); ++place)
        values[place] = static_cast<float>(place + 1);
    return values;
}

ConstantEnds found(const TensorInfo& info, std::span<const float> values, std::size_t blockValues)
{
    ConstantEndsCounter counter(info);
    for (std::size_t first = 0; first < values.size(); first += blockValues)
        counter.add({.values = values.subspan(first, std::min(blockValues, values.size() - first)),
                     .firstIndex = first});
    return counter.finish();
}

/// NCHW: each value of these columns is its row's last one.
std::vector<float> paddedRight(const TensorInfo& info, std::uint64_t sample, std::uint64_t columns,
                               std::vector<float> values)
{
    const std::uint64_t width = info.shape.back();
    const std::uint64_t perSample = info.valuesPerSample();
    for (std::uint64_t row = 0; row < perSample / width; ++row)
        for (std::uint64_t column = width - columns; column < width; ++column)
            values[sample * perSample + row * width + column] =
                values[sample * perSample + row * width + width - 1];
    return values;
}

TEST_CASE("columns that repeat at the right are found, each sample by its own width")
{
    const TensorInfo info = activation({3, 2, 8, 10}, 0, 1);
    std::vector<float> values = counting(info);
    CHECK(found(info, values, values.size()) == ConstantEnds{});
    values = paddedRight(info, 0, 4, values);
    values = paddedRight(info, 2, 2, values);
    // 4 columns of 2 x 8 rows, none, 2 columns; wherever the blocks end.
    for (const std::size_t block : {std::size_t{480}, std::size_t{160}, std::size_t{7}})
        CHECK(found(info, values, block) == ConstantEnds{.axis = 3, .values = 4 * 16 + 2 * 16});
    // One row of a sample that goes on ends it there.
    values[7 * 10 + 8] = -1.0F;
    CHECK(found(info, values, 480) == ConstantEnds{.axis = 3, .values = 2 * 16});
}

TEST_CASE("rows that repeat at the top and the bottom are found")
{
    const TensorInfo info = activation({1, 2, 9, 5}, 0, 1);
    std::vector<float> values = counting(info);
    for (const std::uint64_t plane : {std::uint64_t{0}, std::uint64_t{1}})
        for (std::uint64_t column = 0; column < 5; ++column) {
            float* const first = values.data() + plane * 45 + column;
            first[5] = first[0];                         // rows 0 and 1
            first[6 * 5] = first[7 * 5] = first[8 * 5];  // rows 6 to 8
        }
    for (const std::size_t block : {std::size_t{90}, std::size_t{45}, std::size_t{3}})
        CHECK(found(info, values, block) == ConstantEnds{.axis = 2, .values = (2 + 3) * 2 * 5});
    // The other plane's bottom is two rows only, its top none.
    values[45 + 5] = -1.0F;
    values[45 + 6 * 5 + 2] = -1.0F;
    CHECK(found(info, values, 90) == ConstantEnds{.axis = 2, .values = 2 * 2 * 5});
}

TEST_CASE("a blank sample is a region of its own, and all of it counts")
{
    const TensorInfo info = activation({4, 20, 8}, 0, 2);
    std::vector<float> values = counting(info);
    std::fill_n(values.begin() + 160, 160, 0.25F);
    CHECK(found(info, values, 64) == ConstantEnds{.axis = 1, .values = 160});
}

TEST_CASE("what lies inside, NaN, channels and weights are not constant ends")
{
    const TensorInfo info = activation({1, 2, 12, 12}, 0, 1);
    std::vector<float> inside = counting(info);
    for (std::size_t row = 0; row < 24; ++row)
        std::fill_n(inside.begin() + static_cast<std::ptrdiff_t>(row * 12 + 3), 5, 7.0F);
    CHECK(found(info, inside, 288) == ConstantEnds{});
    const std::vector<float> nan(288, std::numeric_limits<float>::quiet_NaN());
    CHECK(found(info, nan, 288) == ConstantEnds{});
    // Channels alike are another matter.
    const TensorInfo channels = activation({4, 16}, 0, 1);
    CHECK(found(channels, std::vector<float>(64, 1.0F), 64) == ConstantEnds{});
    TensorInfo weight = info;
    weight.role = Role::Weight;
    CHECK(found(weight, std::vector<float>(288, 1.0F), 288) == ConstantEnds{});
}

TEST_CASE("odd shapes have no constant ends, and a part of the values tells nothing")
{
    CHECK(found(activation({}, {}, {}), std::vector<float>{1.0F}, 1) == ConstantEnds{});
    CHECK(found(activation({0, 8}, 0, {}), {}, 1) == ConstantEnds{});
    CHECK(found(activation({5}, 0, {}), std::vector<float>(5, 1.0F), 5) == ConstantEnds{});
    CHECK(found(activation({2, 7}, 0, {}), std::vector<float>(14, 1.0F), 14) == ConstantEnds{});
    const TensorInfo info = activation({2, 8}, 0, {});
    CHECK(found(info, std::vector<float>(16, 1.0F), 16) == ConstantEnds{.axis = 1, .values = 16});
    CHECK(found(info, std::vector<float>(8, 1.0F), 8) == ConstantEnds{});
    // Without samples all is one.
    CHECK(found(activation({8, 2}, {}, {}), std::vector<float>(16, 1.0F), 16) ==
          ConstantEnds{.axis = 0, .values = 16});
}

TEST_CASE("the outermost positions, which convolutions change, are passed over")
{
    // Axis of 64: 4 at either end are not looked at; 10 constant ones lie before them.
    const TensorInfo info = activation({1, 3, 64}, 0, 1);
    std::vector<float> values = counting(info);
    for (std::size_t row = 0; row < 3; ++row)
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(row * 64 + 50), 10, -2.0F);
    CHECK(found(info, values, 192) == ConstantEnds{.axis = 2, .values = 3 * 10});
    // They may go on to the end: those are not counted.
    for (std::size_t row = 0; row < 3; ++row)
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(row * 64 + 60), 4, -2.0F);
    CHECK(found(info, values, 192) == ConstantEnds{.axis = 2, .values = 3 * 10});
    values[64 + 59] = 1.0F;
    CHECK(found(info, values, 192) == ConstantEnds{});
    // The same along rows: an axis of 32 has 2.
    const TensorInfo rows = activation({1, 2, 32, 5}, 0, 1);
    std::vector<float> high = counting(rows);
    for (std::size_t plane = 0; plane < 2; ++plane)
        std::fill_n(high.begin() + static_cast<std::ptrdiff_t>(plane * 160 + 10), 3 * 5, 0.0F);
    CHECK(found(rows, high, 320) == ConstantEnds{.axis = 2, .values = 2 * 3 * 5});
}

}  // namespace constant_ends_test
