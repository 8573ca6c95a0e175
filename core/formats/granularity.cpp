// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/granularity.h"

#include "core/base/error.h"
#include "core/tensor/channel_runs.h"

#include <charconv>
#include <span>

namespace calibscope {

namespace {

constexpr std::uint64_t mostSharing = 1U << 20U;

std::uint64_t productOf(std::span<const std::uint64_t> lengths)
{
    std::uint64_t product = 1;
    for (const std::uint64_t length : lengths)
        product *= length;
    return product;
}

std::uint64_t partsOf(std::uint64_t length, std::uint64_t size)
{
    return length / size + (length % size == 0 ? 0 : 1);
}

MatrixShape viewAlong(std::span<const std::uint64_t> shape, std::size_t axis)
{
    return {.outer = productOf(shape.first(axis)),
            .length = shape[axis],
            .inner = productOf(shape.subspan(axis + 1))};
}

/// A weight has an output for each channel: whatever else there is, is summed over.
MatrixShape viewOfWeight(std::span<const std::uint64_t> shape, std::size_t channelAxis)
{
    if (channelAxis == 0)
        return {.outer = shape[0], .length = productOf(shape.subspan(1)), .inner = 1};
    if (channelAxis + 1 == shape.size())
        return {.outer = 1, .length = productOf(shape.first(channelAxis)), .inner = shape.back()};
    return viewAlong(shape, 0);
}

/// A number up to the end or to a separator; 0 for anything else.
std::uint64_t numberIn(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

}  // namespace

MatrixShape visitedMatrix(const TensorInfo& tensor, const TensorInfo& visited,
                          std::optional<int> axis)
{
    if (axis && tensor.batchAxis)
        if (const auto inFile = axisFromFront(*axis, tensor.shape.size()))
            axis = *inFile == *tensor.batchAxis  ? 0
                   : *inFile < *tensor.batchAxis ? *inFile + 1
                                                 : *inFile;
    return matrixShape(visited, axis);
}

MatrixShape matrixShape(const TensorInfo& tensor, std::optional<int> axis)
{
    const std::span<const std::uint64_t> shape = tensor.shape;
    if (axis) {
        const std::optional<int> fromFront = axisFromFront(*axis, shape.size());
        if (!fromFront)
            throw Error(Fault::Usage, "{}: there is no axis {} among {}", tensor.path, *axis,
                        shape.size());
        return viewAlong(shape, static_cast<std::size_t>(*fromFront));
    }
    if (shape.size() < 2)
        return {.outer = 1, .length = productOf(shape), .inner = 1};
    if (!tensor.channelAxis)
        return viewAlong(shape, shape.size() - 1);
    const auto channelAxis = static_cast<std::size_t>(*tensor.channelAxis);
    return tensor.role == Role::Weight ? viewOfWeight(shape, channelAxis)
                                       : viewAlong(shape, channelAxis);
}

std::optional<int> groupAxis(const TensorInfo& tensor, std::uint64_t columns)
{
    if (tensor.role != Role::Weight || !tensor.channelAxis || tensor.shape.size() < 2)
        return std::nullopt;
    const std::uint64_t length = matrixShape(tensor).length;
    if (length == 0 || length % columns != 0)
        return std::nullopt;
    for (int axis = 0; axis < static_cast<int>(tensor.shape.size()); ++axis)
        if (axis != *tensor.channelAxis && tensor.shape[static_cast<std::size_t>(axis)] == length)
            return axis;
    return std::nullopt;
}

BlockGrid Granularity::grid(const MatrixShape& matrix, std::uint64_t channels) const
{
    if (matrix.values() == 0)
        return {};
    switch (kind) {
    case Kind::Tensor: break;
    case Kind::Channel: return {std::max<std::uint64_t>(channels, 1), 1};
    case Kind::Row: return {matrix.rows(), 1};
    case Kind::Group: return {matrix.rows(), partsOf(matrix.length, columns)};
    case Kind::Tile: return {partsOf(matrix.rows(), rows), partsOf(matrix.length, columns)};
    }
    return {1, 1};
}

std::string Granularity::text() const
{
    switch (kind) {
    case Kind::Tensor: return "tensor";
    case Kind::Channel: return "channel";
    case Kind::Row: return "row";
    case Kind::Group: return "g" + std::to_string(columns);
    case Kind::Tile: return "b" + std::to_string(rows) + "x" + std::to_string(columns);
    }
    return "tensor";
}

Granularity parseGranularity(std::string_view text, std::string_view owner)
{
    for (const Granularity& granularity :
         {Granularity::Tensor, Granularity::Channel, Granularity::Row})
        if (granularity.text() == text)
            return granularity;
    if (text.starts_with("g")) {
        const Granularity granularity{.kind = Granularity::Kind::Group,
                                      .columns = numberIn(text.substr(1))};
        if (granularity.columns >= 2 && granularity.columns <= mostSharing)
            return granularity;
    }
    if (const auto cross = text.find('x'); text.starts_with("b") && cross != text.npos) {
        const Granularity granularity{.kind = Granularity::Kind::Tile,
                                      .rows = numberIn(text.substr(1, cross - 1)),
                                      .columns = numberIn(text.substr(cross + 1))};
        if (granularity.rows >= 1 && granularity.columns >= 1 && granularity.rows <= mostSharing &&
            granularity.columns <= mostSharing / granularity.rows)
            return granularity;
    }
    throw Error(
        Fault::Usage,
        "{}: granularity {} is not accepted; give tensor, channel, row, gN or bRxC, of 2 to "
        "1048576 values",
        owner, text);
}

}  // namespace calibscope
