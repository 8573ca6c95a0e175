// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_profile.h"
#include "core/tensor/layout_override.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/h5_file.h"

#include <algorithm>
#include <string>
#include <vector>

namespace batch_axis_test {

using namespace calibscope;
using test::Storage;

using Lengths = std::vector<std::uint64_t>;

/// numpy.moveaxis(values, axis, 0), index by index.
std::vector<float> moveAxis(const std::vector<float>& values, const Lengths& shape,
                            std::size_t axis)
{
    Lengths strides(shape.size(), 1);
    for (std::size_t outer = shape.size() - 1; outer > 0; --outer)
        strides[outer - 1] = strides[outer] * shape[outer];
    std::rotate(strides.begin(), strides.begin() + static_cast<std::ptrdiff_t>(axis),
                strides.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
    Lengths lengths = shape;
    std::rotate(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(axis),
                lengths.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
    std::vector<float> result;
    for (std::uint64_t at = 0; at < values.size(); ++at) {
        std::uint64_t rest = at;
        std::uint64_t from = 0;
        for (std::size_t place = lengths.size(); place-- > 0; rest /= lengths[place])
            from += rest % lengths[place] * strides[place];
        result.push_back(values[from]);
    }
    return result;
}

std::vector<float> ramp(std::size_t count)
{
    std::vector<float> values(count);
    for (std::size_t place = 0; place < count; ++place)
        values[place] = static_cast<float>(place);
    return values;
}

TensorInfo withBatchAxis(const TensorInfo& info, int axis, std::uint64_t batchSize)
{
    return understoodAs(info, {.batchAxis = axis, .batchSize = batchSize});
}

TEST_CASE("samples along any axis come first, whatever the storage")
{
    const Lengths shape{4, 3, 5, 2};
    for (const Storage& storage :
         {Storage{}, Storage{.isCompact = true}, Storage{.chunk = {2, 3, 2, 1}},
          Storage{.chunk = {1, 1, 5, 2}, .hasShuffle = true, .gzip = 4},
          Storage{.chunk = {4, 3, 5, 2}}}) {
        test::H5File file;
        file.write("/a", {4, 3, 5, 2}, ramp(120), storage);
        const auto dump = DumpFile::open(file.path());
        for (int axis = 0; axis < 4; ++axis) {
            const auto front = static_cast<std::size_t>(axis);
            const ValueSource source = dump->source(withBatchAxis(dump->tensors()[0], axis, 2));
            CHECK(source.info.batchAxis == 0);
            CHECK(source.info.shape.front() == shape[front]);
            CHECK(test::valuesOf(source) == moveAxis(ramp(120), shape, front));
            for (const test::SeenBlock& block : test::blocksOf(source))
                CHECK(block.batch == block.firstIndex / (2 * 120 / shape[front]));
        }
    }
}

TEST_CASE("the first batches along another axis alone can be read")
{
    test::H5File file;
    file.write("/a", {3, 5, 2}, ramp(30), {.chunk = {1, 2, 2}});
    const auto dump = DumpFile::open(file.path());
    const TensorInfo info = withBatchAxis(dump->tensors()[0], 1, 2);
    const ValueSource two = dump->source(info, 2);
    CHECK(two.info.shape == Lengths{4, 3, 2});
    CHECK(two.info.batchCount() == 2);
    std::vector<float> expected = moveAxis(ramp(30), {3, 5, 2}, 1);
    expected.resize(24);
    CHECK(test::valuesOf(two) == expected);
    CHECK(test::valuesOf(dump->source(info, 3)).size() == 30);
}

TEST_CASE("statistics per batch and channel are those of the moved axes")
{
    test::H5File file;
    file.write("/a", {2, 3, 2}, ramp(12));  // channel, sample, value
    const auto dump = DumpFile::open(file.path());
    TensorInfo info =
        understoodAs(dump->tensors()[0], {.batchAxis = 1, .batchSize = 1, .channelAxis = 0});
    const TensorProfile profile = collectProfile(dump->source(info));
    REQUIRE(profile.batches.size() == 3);
    CHECK(profile.batches[1].min == 2.0);  // 2 3 and 8 9
    CHECK(profile.batches[1].max == 9.0);
    REQUIRE(profile.channels.size() == 2);
    CHECK(profile.channels[0].max == 5.0);
    CHECK(profile.channels[1].min == 6.0);
}

TEST_CASE("another type and another batch axis go together")
{
    test::H5File file;
    file.writeBytes("/a", {2, 2}, {"\x80\x3f\x00\x40\x40\x40\x80\x40", 8},
                    {.kind = test::RawType::Kind::Opaque, .bytes = 2});
    const auto dump = DumpFile::open(file.path());
    const TensorInfo info = understoodAs(
        dump->tensors()[0], {.batchAxis = 1, .batchSize = 1, .elementType = ElementKind::Bfloat16});
    CHECK(test::valuesOf(dump->source(info)) == std::vector<float>{1.0F, 3.0F, 2.0F, 4.0F});
}

TEST_CASE("chunks that hold all samples are read in bounded pieces")
{
    // 38 MiB; a whole row of chunks along the samples would be all of it.
    constexpr std::size_t rows = 600;
    constexpr std::size_t samples = 64;
    constexpr std::size_t columns = 1024;
    const auto byteAt = [](std::size_t row, std::size_t sample, std::size_t column) {
        return static_cast<unsigned char>((row * 7 + sample * 31 + column) % 251);
    };
    std::string bytes;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t sample = 0; sample < samples; ++sample)
            for (std::size_t column = 0; column < columns; ++column)
                bytes += static_cast<char>(byteAt(row, sample, column));
    test::H5File file;
    file.writeBytes("/a", {rows, samples, columns}, bytes, {}, {.chunk = {100, samples, columns}});
    const auto dump = DumpFile::open(file.path());
    const ValueSource source = dump->source(withBatchAxis(dump->tensors()[0], 1, 1));
    std::uint64_t next = 0;
    std::size_t different = 0;
    source.visit(
        [&](const Block& block) {
            different += block.firstIndex == next ? 0U : 1U;
            for (const float value : block.values) {
                const std::size_t sample = next / (rows * columns);
                const std::size_t row = next / columns % rows;
                different +=
                    value == static_cast<float>(byteAt(row, sample, next % columns)) ? 0U : 1U;
                ++next;
            }
        },
        {});
    CHECK(next == rows * samples * columns);
    CHECK(different == 0);
}

}  // namespace batch_axis_test
