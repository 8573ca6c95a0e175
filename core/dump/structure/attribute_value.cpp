// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/structure_parts.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace calibscope::structure {

namespace {

using namespace std::string_view_literals;

constexpr unsigned wholeKind = 0;
constexpr unsigned floatKind = 1;
constexpr unsigned textKind = 3;
constexpr unsigned variableKind = 9;

/// The bytes behind the version of IEEE's little-endian types.
constexpr std::string_view storedFloat32 = "\x20\x1f\0\4\0\0\0\0\0\x20\0\x17\x08\0\x17\x7f\0\0\0"sv;
constexpr std::string_view storedFloat64 =
    "\x20\x3f\0\x08\0\0\0\0\0\x40\0\x34\x0b\0\x34\xff\x03\0\0"sv;

std::int64_t signedOf(std::uint64_t stored, std::size_t bytes, bool isSigned)
{
    if (isSigned)
        return static_cast<std::int64_t>(stored << (64 - 8 * bytes)) >> (64 - 8 * bytes);
    return static_cast<std::int64_t>(std::min(stored, static_cast<std::uint64_t>(INT64_MAX)));
}

/// Little-endian two's complement, all bits of it.
std::optional<AttributeValue> wholeValue(StoredReader type, std::uint64_t bits, std::size_t bytes,
                                         std::uint64_t count, StoredReader values)
{
    constexpr std::uint64_t signBit = 8;
    const bool isPlain = (bits & ~signBit) == 0 && std::has_single_bit(bytes) && bytes <= 8 &&
                         type.u16() == 0 && type.u16() == 8 * bytes;
    if (!isPlain)
        return std::nullopt;
    const auto next = [&] { return signedOf(values.number(bytes), bytes, (bits & signBit) != 0); };
    if (count == 1)
        return next();
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
    std::ranges::generate(numbers, next);
    return numbers;
}

std::optional<AttributeValue> floatValue(std::string_view type, StoredReader values)
{
    if (type == storedFloat32)
        return static_cast<double>(std::bit_cast<float>(values.u32()));
    if (type == storedFloat64)
        return std::bit_cast<double>(values.u64());
    return std::nullopt;
}

std::string fixedText(std::string_view stored, bool isPadded)
{
    std::string text(stored.substr(0, stored.find('\0')));
    if (isPadded)
        text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

/// As checkVariable() found it sound.
std::optional<std::string> variableText(StructureParts& parts, StoredReader reference)
{
    const std::uint32_t bytes = reference.u32();
    const std::uint64_t collection = reference.address();
    if (collection == undefinedAddress)
        return std::nullopt;
    if (bytes == 0 || collection == 0)
        return std::string();
    const GlobalHeap::Item item = parts.texts.find(collection, reference.u32());
    const std::string text = parts.file.look(item.address, bytes).bytes;
    return text.substr(0, text.find('\0'));
}

}  // namespace

std::optional<AttributeValue> attributeValue(StructureParts& parts, StoredReader type,
                                             const StoredSpace& space, StoredReader values)
{
    constexpr unsigned byteOfKind = 15;
    constexpr unsigned spacePadded = 2;
    const unsigned kind = type.u8() & byteOfKind;
    StoredReader behindVersion = type;
    const std::uint64_t bits = type.number(3);
    const std::size_t bytes = type.u32();
    const std::uint64_t count = space.count();
    if (count == 0)
        return std::nullopt;
    if (kind == wholeKind)
        return wholeValue(type, bits, bytes, count, values);
    if (kind == floatKind && count > 1)
        return AttributeValue();  // no layout rule asks for any
    if (kind == floatKind)
        return floatValue(behindVersion.bytes(std::min(storedFloat32.size(), type.left() + 7)),
                          values);
    const bool isVariable = kind == variableKind && (bits & byteOfKind) == 1;
    if (kind != textKind && !isVariable)
        return std::nullopt;
    std::vector<std::string> texts;
    while (texts.size() < count) {
        StoredReader one = values.part(bytes);
        const std::optional<std::string> text =
            isVariable ? variableText(parts, one)
                       : fixedText(one.bytes(bytes), (bits & byteOfKind) == spacePadded);
        if (!text)
            return std::nullopt;
        texts.push_back(*text);
    }
    if (space.kind == StoredSpace::Kind::Scalar)
        return std::move(texts.front());
    return texts;
}

}  // namespace calibscope::structure
