// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/batch_first.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

namespace calibscope {

namespace {

std::uint64_t product(std::span<const std::uint64_t> lengths)
{
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{1}, std::multiplies{});
}

/// A box seen as rows x columns of runs that stay together.
struct Runs
{
    std::uint64_t rows = 1;     ///< indices of the axes before the moved one
    std::uint64_t columns = 1;  ///< indices of the moved axis
    std::size_t runBytes = 1;   ///< of the axes behind it
};

/// `fixedBytes`: the run's length where it is known to the compiler, else 0.
template <std::size_t fixedBytes>
void transpose(const Runs& runs, const std::byte* box, std::byte* moved)
{
    constexpr std::uint64_t tileRows = 64;  // so that lines of the source are used while in cache
    const std::size_t runBytes = fixedBytes > 0 ? fixedBytes : runs.runBytes;
    for (std::uint64_t firstRow = 0; firstRow < runs.rows; firstRow += tileRows) {
        const std::uint64_t endRow = std::min(firstRow + tileRows, runs.rows);
        for (std::uint64_t column = 0; column < runs.columns; ++column)
            for (std::uint64_t row = firstRow; row < endRow; ++row)
                std::memcpy(moved + (column * runs.rows + row) * runBytes,
                            box + (row * runs.columns + column) * runBytes, runBytes);
    }
}

}  // namespace

TensorInfo batchFirst(TensorInfo info)
{
    if (info.batchAxis.value_or(0) == 0)
        return info;
    const int axis = *info.batchAxis;
    if (info.layout.size() == info.shape.size())
        std::rotate(info.layout.begin(), info.layout.begin() + axis,
                    info.layout.begin() + axis + 1);
    if (info.channelAxis && *info.channelAxis < axis)
        ++*info.channelAxis;
    info.shape = movedToFront(std::move(info.shape), static_cast<std::size_t>(axis));
    info.batchAxis = 0;
    return info;
}

PositionMask batchFirst(PositionMask mask, const TensorInfo& info)
{
    const auto axis = static_cast<std::size_t>(info.batchAxis.value_or(0));
    if (axis == 0 || !mask.counts)
        return mask;
    std::vector<std::uint8_t> counts(mask.counts->size());
    moveAxisToFront(std::as_bytes(std::span(*mask.counts)), mask.shape, axis, 1,
                    std::as_writable_bytes(std::span(counts)));
    return {.shape = movedToFront(std::move(mask.shape), axis),
            .counts = std::make_shared<const std::vector<std::uint8_t>>(std::move(counts))};
}

std::uint64_t indexInFile(const TensorInfo& info, std::uint64_t batchFirstIndex)
{
    const auto axis = static_cast<std::size_t>(info.batchAxis.value_or(0));
    if (axis == 0)
        return batchFirstIndex;
    const std::span<const std::uint64_t> shape(info.shape);
    const std::uint64_t rows = product(shape.first(axis));
    const std::uint64_t run = product(shape.subspan(axis + 1));
    const std::uint64_t sample = batchFirstIndex / run / rows;
    const std::uint64_t row = batchFirstIndex / run % rows;
    return (row * shape[axis] + sample) * run + batchFirstIndex % run;
}

std::vector<std::uint64_t> movedToFront(std::vector<std::uint64_t> perAxis, std::size_t axis)
{
    const auto place = perAxis.begin() + static_cast<std::ptrdiff_t>(axis);
    std::rotate(perAxis.begin(), place, place + 1);
    return perAxis;
}

std::vector<std::uint64_t> movedBack(std::vector<std::uint64_t> perAxis, std::size_t axis)
{
    const auto place = perAxis.begin() + static_cast<std::ptrdiff_t>(axis);
    std::rotate(perAxis.begin(), perAxis.begin() + 1, place + 1);
    return perAxis;
}

void moveAxisToFront(std::span<const std::byte> box, std::span<const std::uint64_t> count,
                     std::size_t axis, std::size_t elementBytes, std::span<std::byte> moved)
{
    const Runs runs{.rows = product(count.first(axis)),
                    .columns = count[axis],
                    .runBytes = product(count.subspan(axis + 1)) * elementBytes};
    switch (runs.runBytes) {
    case 1: transpose<1>(runs, box.data(), moved.data()); break;
    case 2: transpose<2>(runs, box.data(), moved.data()); break;
    case 4: transpose<4>(runs, box.data(), moved.data()); break;
    case 8: transpose<8>(runs, box.data(), moved.data()); break;
    default: transpose<0>(runs, box.data(), moved.data());
    }
}

}  // namespace calibscope
