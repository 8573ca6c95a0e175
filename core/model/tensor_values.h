// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace onnx {
class TensorProto;
}

namespace calibscope::model {

// Data types of ONNX 1.16, which the header does not know: integers of 4 bits, two in a byte, the
// first in the lower half; behind an uneven count the last half is 0.
constexpr std::int32_t uint4DataType = 21;
constexpr std::int32_t int4DataType = 22;

[[nodiscard]] constexpr bool isPacked(std::int32_t dataType)
{
    return dataType == uint4DataType || dataType == int4DataType;
}

/// Integers as raw data of a tensor of that type, which has 4, 8 or 16 bits: of each its lowest
/// bits.
template <std::integral Integer>
[[nodiscard]] std::string integerBytes(std::span<const Integer> integers, std::int32_t dataType)
{
    constexpr std::int32_t uint16 = 4;
    constexpr std::int32_t int16 = 5;
    const std::size_t halves = isPacked(dataType)                        ? 1
                               : dataType == uint16 || dataType == int16 ? 4
                                                                         : 2;
    std::string bytes((integers.size() * halves + 1) / 2, '\0');
    for (std::size_t half = 0; half < integers.size() * halves; ++half) {
        const auto integer = static_cast<unsigned>(integers[half / halves]);
        const unsigned bits = (integer >> (half % halves * 4) & 0xFU) << (half % 2 * 4);
        bytes[half / 2] = static_cast<char>(static_cast<unsigned char>(bytes[half / 2]) | bits);
    }
    return bytes;
}

/// The element type for TensorProto's `data_type`: uint8 and int8 for packed integers of 4 bits,
/// which are read as such; nothing for strings, booleans, complex numbers and floats below 8 bits.
[[nodiscard]] std::optional<ElementKind> kindOfDataType(std::int32_t dataType);

/// Number of elements; nothing where a tensor of 8-byte elements would have 2^62 bytes or more.
[[nodiscard]] std::optional<std::uint64_t> elementCount(const std::vector<std::uint64_t>& shape);

/// A constant's elements as they are in a file, packed ones in a byte each.
struct StoredTensor
{
    ElementKind kind = ElementKind::Float32;
    std::vector<std::uint64_t> shape;
    std::string bytes;  ///< row by row, the lowest byte of each first: elementCount() of the shape
};

/// The tensor's shape. Throws Error(Input), a sentence with the model's path, for dimensions that
/// are negative, have too large a product, or are more than 64. `where` is the model's path.
[[nodiscard]] std::vector<std::uint64_t> shapeOf(const ::onnx::TensorProto& tensor,
                                                 const std::string& where);

/// Bytes that its elements have as raw data; nothing for strings and for types that this program
/// does not know. Throws as shapeOf().
[[nodiscard]] std::optional<std::uint64_t> storedBytes(const ::onnx::TensorProto& tensor,
                                                       const std::string& where);

/// The bytes that it has in raw_data or the field of its type, as raw data; nothing is unpacked.
[[nodiscard]] std::string insideBytes(const ::onnx::TensorProto& tensor);

/// Reads its elements from raw_data, the field of its type, from the file that it refers to, or
/// where it is of an outlinedModel(), from the model's.
/// Throws Error(Input), a sentence with the path, where they can't be read: kindOfDataType() has
/// no answer, other bytes than its shape needs, a file that is missing, too short, or outside of
/// the model's folder. `where` is the model's path.
[[nodiscard]] StoredTensor storedTensor(const ::onnx::TensorProto& tensor,
                                        const std::string& where);

/// Its values, row by row. Integers and float64 beyond float32's digits are rounded to the nearest.
[[nodiscard]] std::vector<float> floatValues(const StoredTensor& tensor);

/// Its values if they are integers, else empty. Above 2^63 - 1: that.
[[nodiscard]] std::vector<std::int64_t> integerValues(const StoredTensor& tensor);

}  // namespace calibscope::model
