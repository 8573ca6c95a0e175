// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tensor_values.h"

#include "core/base/error.h"
#include "core/kernels/half_floats.h"
#include "core/model/external_data.h"

#include <bit>
#include <concepts>
#include <cstring>
#include <limits>
#include <utility>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

static_assert(std::endian::native == std::endian::little,
              "raw_data has the lowest byte of an element first, and is copied as it is");

namespace {

/// The elements of a field, each as a Number.
template <typename Number, typename Field>
std::string bytesOf(const Field& field)
{
    std::string bytes(static_cast<std::size_t>(field.size()) * sizeof(Number), '\0');
    char* place = bytes.data();
    for (const auto element : field) {
        const auto number = static_cast<Number>(element);
        std::memcpy(place, &number, sizeof number);
        place += sizeof number;
    }
    return bytes;
}

/// Elements in the field that onnx.proto names for the type.
std::string typedBytes(const ::onnx::TensorProto& tensor, ElementKind kind)
{
    switch (kind) {
    case ElementKind::Float32: return bytesOf<float>(tensor.float_data());
    case ElementKind::Float64: return bytesOf<double>(tensor.double_data());
    case ElementKind::Int64: return bytesOf<std::int64_t>(tensor.int64_data());
    case ElementKind::Uint64: return bytesOf<std::uint64_t>(tensor.uint64_data());
    case ElementKind::Uint32: return bytesOf<std::uint32_t>(tensor.uint64_data());
    case ElementKind::Int32: return bytesOf<std::int32_t>(tensor.int32_data());
    case ElementKind::Int16: return bytesOf<std::int16_t>(tensor.int32_data());
    case ElementKind::Int8: return bytesOf<std::int8_t>(tensor.int32_data());
    case ElementKind::Uint16:
    case ElementKind::Float16:
    case ElementKind::Bfloat16: return bytesOf<std::uint16_t>(tensor.int32_data());
    case ElementKind::Uint8: return bytesOf<std::uint8_t>(tensor.int32_data());
    case ElementKind::Float8E4m3fn:
    case ElementKind::Float8E5m2:
    case ElementKind::Float8E4m3:
    case ElementKind::Float8E4m3fnuz:
    case ElementKind::Float8E5m2fnuz:
    case ElementKind::Float8E4m3b11fnuz: break;
    }
    return {};
}

template <typename Number, typename Result>
std::vector<Result> numbersOf(const std::string& bytes)
{
    std::vector<Result> numbers(bytes.size() / sizeof(Number));
    const char* place = bytes.data();
    for (Result& result : numbers) {
        Number number{};
        std::memcpy(&number, place, sizeof number);
        place += sizeof number;
        if constexpr (std::integral<Result>)
            result = std::in_range<Result>(number) ? static_cast<Result>(number)
                                                   : std::numeric_limits<Result>::max();
        else
            result = static_cast<Result>(number);
    }
    return numbers;
}

/// Integers of 4 bits, a byte each.
std::string unpacked(const std::string& packed, std::uint64_t count, bool isSigned)
{
    std::string bytes;
    bytes.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const unsigned half = static_cast<unsigned char>(packed[i / 2]) >> (i % 2 * 4) & 0xFU;
        bytes += static_cast<char>(isSigned && half >= 8 ? half + 0xF0U : half);
    }
    return bytes;
}

std::vector<float> halfValues(const std::string& bytes, bool isBfloat)
{
    std::vector<float> values(bytes.size() / 2);
    const std::span<const std::byte> stored = std::as_bytes(std::span(bytes));
    if (isBfloat)
        kernels::bfloat16Values(stored, false, values);
    else
        kernels::float16Values(stored, false, values);
    return values;
}

}  // namespace

std::optional<ElementKind> kindOfDataType(std::int32_t dataType)
{
    switch (dataType) {
    case ::onnx::TensorProto::FLOAT: return ElementKind::Float32;
    case ::onnx::TensorProto::DOUBLE: return ElementKind::Float64;
    case ::onnx::TensorProto::FLOAT16: return ElementKind::Float16;
    case ::onnx::TensorProto::BFLOAT16: return ElementKind::Bfloat16;
    case int4DataType:
    case ::onnx::TensorProto::INT8: return ElementKind::Int8;
    case ::onnx::TensorProto::INT16: return ElementKind::Int16;
    case ::onnx::TensorProto::INT32: return ElementKind::Int32;
    case ::onnx::TensorProto::INT64: return ElementKind::Int64;
    case uint4DataType:
    case ::onnx::TensorProto::UINT8: return ElementKind::Uint8;
    case ::onnx::TensorProto::UINT16: return ElementKind::Uint16;
    case ::onnx::TensorProto::UINT32: return ElementKind::Uint32;
    case ::onnx::TensorProto::UINT64: return ElementKind::Uint64;
    default: return std::nullopt;
    }
}

std::optional<std::uint64_t> elementCount(const std::vector<std::uint64_t>& shape)
{
    constexpr std::uint64_t most = std::uint64_t{1} << 59U;
    std::uint64_t count = 1;
    bool isEmpty = false;
    for (const std::uint64_t length : shape) {
        if (length == 0)
            isEmpty = true;
        else if (count > most / length)
            return std::nullopt;
        else
            count *= length;
    }
    return isEmpty ? 0 : count;
}

std::vector<std::uint64_t> shapeOf(const ::onnx::TensorProto& tensor, const std::string& where)
{
    constexpr int mostAxes = 64;  // runtimes take fewer
    if (tensor.dims_size() > mostAxes)
        throw Error(Fault::Input, "{}:{}: its shape has {} axes", where, tensor.name(),
                    tensor.dims_size());
    std::vector<std::uint64_t> shape;
    for (const std::int64_t length : tensor.dims()) {
        if (length < 0)
            throw Error(Fault::Input, "{}:{}: its shape has the length {}", where, tensor.name(),
                        length);
        shape.push_back(static_cast<std::uint64_t>(length));
    }
    if (!elementCount(shape))
        throw Error(Fault::Input, "{}:{}: its shape has more elements than any file", where,
                    tensor.name());
    return shape;
}

std::optional<std::uint64_t> storedBytes(const ::onnx::TensorProto& tensor,
                                         const std::string& where)
{
    const std::uint64_t count = elementCount(shapeOf(tensor, where)).value_or(0);
    if (isPacked(tensor.data_type()))
        return (count + 1) / 2;
    if (const std::optional<ElementKind> kind = kindOfDataType(tensor.data_type()))
        return count * ElementType{*kind}.bytes();
    // Types that later versions of ONNX have added have no name in the header.
    constexpr int firstFloat8 = 17;
    constexpr int lastFloat8 = 20;
    constexpr int float4 = 23;
    const int type = tensor.data_type();
    if (type == ::onnx::TensorProto::BOOL || (type >= firstFloat8 && type <= lastFloat8))
        return count;
    if (type == float4)
        return (count + 1) / 2;
    if (type == ::onnx::TensorProto::COMPLEX64 || type == ::onnx::TensorProto::COMPLEX128)
        return count * (type == ::onnx::TensorProto::COMPLEX64 ? 8 : 16);
    return std::nullopt;
}

std::string insideBytes(const ::onnx::TensorProto& tensor)
{
    if (tensor.has_raw_data())
        return tensor.raw_data();
    if (isPacked(tensor.data_type()))
        return bytesOf<std::uint8_t>(tensor.int32_data());
    const std::optional<ElementKind> kind = kindOfDataType(tensor.data_type());
    return kind ? typedBytes(tensor, *kind) : std::string();
}

StoredTensor storedTensor(const ::onnx::TensorProto& tensor, const std::string& where)
{
    const std::string who = where + ":" + tensor.name();
    const std::optional<ElementKind> kind = kindOfDataType(tensor.data_type());
    if (!kind)
        throw Error(Fault::Input,
                    "{}: its elements, of data type {} of ONNX, are not read as numbers", who,
                    tensor.data_type());
    StoredTensor stored{.kind = *kind, .shape = shapeOf(tensor, where), .bytes = {}};
    const std::uint64_t bytes = storedBytes(tensor, where).value_or(0);
    if (const std::optional<ExternalPlace> place = placeInFile(tensor, where))
        stored.bytes = readExternal(*place, bytes, who);
    else
        stored.bytes = insideBytes(tensor);
    if (stored.bytes.size() != bytes)
        throw Error(Fault::Input, "{}: it has {} bytes, its shape needs {}", who,
                    stored.bytes.size(), bytes);
    if (isPacked(tensor.data_type()))
        stored.bytes = unpacked(stored.bytes, elementCount(stored.shape).value_or(0),
                                tensor.data_type() == int4DataType);
    return stored;
}

std::vector<float> floatValues(const StoredTensor& tensor)
{
    switch (tensor.kind) {
    case ElementKind::Float32: return numbersOf<float, float>(tensor.bytes);
    case ElementKind::Float64: return numbersOf<double, float>(tensor.bytes);
    case ElementKind::Float16: return halfValues(tensor.bytes, false);
    case ElementKind::Bfloat16: return halfValues(tensor.bytes, true);
    case ElementKind::Int8: return numbersOf<std::int8_t, float>(tensor.bytes);
    case ElementKind::Int16: return numbersOf<std::int16_t, float>(tensor.bytes);
    case ElementKind::Int32: return numbersOf<std::int32_t, float>(tensor.bytes);
    case ElementKind::Int64: return numbersOf<std::int64_t, float>(tensor.bytes);
    case ElementKind::Uint8: return numbersOf<std::uint8_t, float>(tensor.bytes);
    case ElementKind::Uint16: return numbersOf<std::uint16_t, float>(tensor.bytes);
    case ElementKind::Uint32: return numbersOf<std::uint32_t, float>(tensor.bytes);
    case ElementKind::Uint64: return numbersOf<std::uint64_t, float>(tensor.bytes);
    case ElementKind::Float8E4m3fn:
    case ElementKind::Float8E5m2:
    case ElementKind::Float8E4m3:
    case ElementKind::Float8E4m3fnuz:
    case ElementKind::Float8E5m2fnuz:
    case ElementKind::Float8E4m3b11fnuz: break;
    }
    return {};
}

std::vector<std::int64_t> integerValues(const StoredTensor& tensor)
{
    switch (tensor.kind) {
    case ElementKind::Int8: return numbersOf<std::int8_t, std::int64_t>(tensor.bytes);
    case ElementKind::Int16: return numbersOf<std::int16_t, std::int64_t>(tensor.bytes);
    case ElementKind::Int32: return numbersOf<std::int32_t, std::int64_t>(tensor.bytes);
    case ElementKind::Int64: return numbersOf<std::int64_t, std::int64_t>(tensor.bytes);
    case ElementKind::Uint8: return numbersOf<std::uint8_t, std::int64_t>(tensor.bytes);
    case ElementKind::Uint16: return numbersOf<std::uint16_t, std::int64_t>(tensor.bytes);
    case ElementKind::Uint32: return numbersOf<std::uint32_t, std::int64_t>(tensor.bytes);
    case ElementKind::Uint64: return numbersOf<std::uint64_t, std::int64_t>(tensor.bytes);
    case ElementKind::Float64:
    case ElementKind::Float32:
    case ElementKind::Float16:
    case ElementKind::Bfloat16:
    case ElementKind::Float8E4m3fn:
    case ElementKind::Float8E5m2:
    case ElementKind::Float8E4m3:
    case ElementKind::Float8E4m3fnuz:
    case ElementKind::Float8E5m2fnuz:
    case ElementKind::Float8E4m3b11fnuz: break;
    }
    return {};
}

}  // namespace calibscope::model
