// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace onnx {
class TensorProto;
}

namespace calibscope::model {

/// The element type for TensorProto's `data_type`; nothing for strings, booleans, complex
/// numbers and what has fewer than 8 bits.
[[nodiscard]] std::optional<ElementKind> kindOfDataType(std::int32_t dataType);

/// Number of elements; nothing where a tensor of 8-byte elements would have 2^62 bytes or more.
[[nodiscard]] std::optional<std::uint64_t> elementCount(const std::vector<std::uint64_t>& shape);

/// A constant's elements as they are in a file.
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
