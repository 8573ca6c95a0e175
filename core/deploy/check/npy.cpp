// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/npy.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/whole_file.h"
#include "core/kernels/half_floats.h"
#include "core/tensor/npz_writer.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace calibscope::deploy {

static_assert(std::endian::native == std::endian::little, "elements are copied as they are");

namespace {

/// Calls `use` with a value of the C++ type that holds such elements; float16 is not among them.
template <typename Use>
void withElementType(NpyType type, const Use& use)
{
    switch (type) {
    case NpyType::Bool:
    case NpyType::Uint8: use(std::uint8_t{}); break;
    case NpyType::Int8: use(std::int8_t{}); break;
    case NpyType::Int16: use(std::int16_t{}); break;
    case NpyType::Int32: use(std::int32_t{}); break;
    case NpyType::Int64: use(std::int64_t{}); break;
    case NpyType::Uint16: use(std::uint16_t{}); break;
    case NpyType::Uint32: use(std::uint32_t{}); break;
    case NpyType::Uint64: use(std::uint64_t{}); break;
    case NpyType::Float32: use(float{}); break;
    case NpyType::Float64: use(double{}); break;
    case NpyType::Float16: break;
    }
}

template <typename Element>
bool holds(float value)
{
    if constexpr (std::is_floating_point_v<Element>)
        return true;
    else {
        // Both ends are powers of two, which double holds: the upper one is not included.
        const double below = static_cast<double>(std::numeric_limits<Element>::min());
        const double above = std::ldexp(1.0, std::numeric_limits<Element>::digits);
        const auto number = static_cast<double>(value);
        return number >= below && number < above && number == std::trunc(number);
    }
}

template <typename Element>
std::string elementBytes(std::span<const float> values, NpyType type)
{
    std::string bytes(values.size() * sizeof(Element), '\0');
    char* to = bytes.data();
    for (const float value : values) {
        if (type != NpyType::Bool && !holds<Element>(value))
            throw Error(Fault::Input, numberText(static_cast<double>(value)) + " is no " +
                                          std::string(npyTypeText(type)));
        const auto element = type == NpyType::Bool ? static_cast<Element>(value != 0.0F ? 1 : 0)
                                                   : static_cast<Element>(value);
        std::memcpy(to, &element, sizeof element);
        to += sizeof element;
    }
    return bytes;
}

}  // namespace

std::uint64_t NpyArray::count() const
{
    std::uint64_t product = 1;
    for (const std::uint64_t length : shape)
        product *= length;
    return product;
}

NpyArray npyArray(std::span<const float> values, std::vector<std::uint64_t> shape, NpyType type)
{
    NpyArray array{.type = type, .shape = std::move(shape), .bytes = {}};
    if (type == NpyType::Float16) {
        array.bytes.resize(values.size() * 2);
        char* to = array.bytes.data();
        for (const float value : values) {
            const std::uint16_t pattern = kernels::float16Pattern(value);
            std::memcpy(to, &pattern, sizeof pattern);
            to += sizeof pattern;
        }
        return array;
    }
    withElementType(
        type, [&](auto element) { array.bytes = elementBytes<decltype(element)>(values, type); });
    return array;
}

std::vector<float> floatsOf(const NpyArray& array)
{
    std::vector<float> values(array.bytes.size() / npyTypeBytes(array.type));
    const char* from = array.bytes.data();
    const auto take = [&]<typename Element>(Element element) {
        std::memcpy(&element, from, sizeof element);
        from += sizeof element;
        return element;
    };
    if (array.type == NpyType::Float16)
        for (float& value : values)
            value = kernels::float16Value(take(std::uint16_t{}));
    else
        withElementType(array.type, [&](auto element) {
            for (float& value : values)
                value = static_cast<float>(take(element));
        });
    if (array.type == NpyType::Bool)
        for (float& value : values)
            value = value != 0.0F ? 1.0F : 0.0F;
    return values;
}

std::string npyText(const NpyArray& array)
{
    return calibscope::npyText((npyTypeBytes(array.type) == 1 ? "|" : "<") +
                                   std::string(npyTypeCode(array.type)),
                               array.shape, array.bytes);
}

NpyArray parseNpy(std::string_view text, const std::string& origin)
{
    NpyHeader header = parseNpyHeader(text, origin);
    if (header.descr.starts_with('['))
        throw Error(Fault::Input, origin + ": holds records, which are not tensors");
    if (!header.type || header.isBigEndian)
        throw Error(Fault::Input, origin + ": holds elements of type \"" + header.descr +
                                      "\"; little-endian numbers and bool are taken");
    if (header.isFortran)
        throw Error(Fault::Input, origin + ": is in Fortran's order; C's is taken");
    const std::string_view elements = text.substr(header.firstByte);
    if (header.elementBytes() != elements.size())
        throw Error(Fault::Input, origin + ": has " + std::to_string(elements.size()) +
                                      " bytes of elements, which is not what its shape " +
                                      shapeLiteral(header.shape) + " of " +
                                      std::string(npyTypeText(*header.type)) + " takes");
    return {.type = *header.type, .shape = std::move(header.shape), .bytes = std::string(elements)};
}

NpyArray readNpy(const std::string& path)
{
    return parseNpy(readWholeFile(path, mostNpyBytes), path);
}

}  // namespace calibscope::deploy
