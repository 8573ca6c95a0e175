// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/protocol/wire.h"

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Arrays of numbers and of words as they travel: packed, not value by value.
namespace calibscope::protocol {

/// Place in a message, for errors: "view: profile: batches". Built on the stack, turned into text
/// only when something is wrong there.
struct Where
{
    const Where* parent = nullptr;
    std::string_view name;

    [[nodiscard]] std::string text() const
    {
        return (parent != nullptr ? parent->text() + ": " : "engine message: ") + std::string(name);
    }
    [[noreturn]] void fail(std::string_view problem) const
    {
        throw Error(Fault::Input,
                    text() + ": " + std::string(problem) +
                        "; the application and its engine may be of different versions");
    }
};

/// What number arrays hold: their size in a message does not depend on the machine.
template <typename Number>
concept ArrayNumber = std::same_as<Number, double> || std::unsigned_integral<Number>;

template <ArrayNumber Number>
constexpr std::string_view arrayType()
{
    if constexpr (std::same_as<Number, double>)
        return "f8";
    else if constexpr (sizeof(Number) == 8)
        return "u8";
    else if constexpr (sizeof(Number) == 4)
        return "u4";
    else
        return "u1";
}

/// Numbers as {"type": "f8", "count": n, "bytes": little-endian byte string}; parsing such an array
/// value by value would cost 20 ms for each 100 000.
template <ArrayNumber Number>
Json writeNumbers(std::span<const Number> numbers)
{
    Json::binary_t::container_type bytes;
    bytes.reserve(numbers.size_bytes());
    for (const Number number : numbers) {
        std::uint64_t pattern = 0;
        if constexpr (std::same_as<Number, double>)
            pattern = std::bit_cast<std::uint64_t>(number);
        else
            pattern = number;
        for (std::size_t byte = 0; byte < sizeof(Number); ++byte)
            bytes.push_back(static_cast<std::uint8_t>(pattern >> (8 * byte)));
    }
    return {{"type", arrayType<Number>()},
            {"count", numbers.size()},
            {"bytes", Json::binary(std::move(bytes))}};
}

template <ArrayNumber Number>
std::vector<Number> readNumbers(const Json& json, const Where& where)
{
    const auto has = [&json](const char* key) { return json.is_object() && json.contains(key); };
    if (!has("type") || !has("count") || !has("bytes") || json["type"] != arrayType<Number>() ||
        !json["count"].is_number_unsigned() || !json["bytes"].is_binary())
        where.fail("is not an array of numbers of the expected type");
    const Json::binary_t& bytes = json["bytes"].get_binary();
    if (bytes.size() % sizeof(Number) != 0 ||
        json["count"].get<std::uint64_t>() != bytes.size() / sizeof(Number))
        where.fail("holds another count of numbers than it says");
    std::vector<Number> numbers;
    numbers.reserve(bytes.size() / sizeof(Number));
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Number)) {
        std::uint64_t pattern = 0;
        for (std::size_t byte = sizeof(Number); byte-- > 0;)
            pattern = (pattern << 8U) | bytes[at + byte];
        if constexpr (std::same_as<Number, double>)
            numbers.push_back(std::bit_cast<double>(pattern));
        else
            numbers.push_back(static_cast<Number>(pattern));
    }
    return numbers;
}

/// Whole numbers most of which are small, as {"type": "varint", "count": n, "bytes": ...}: seven
/// bits to a byte, the least first, the eighth bit set where more follow. A strip's counts take a
/// fifth of the bytes that 64 bits each would.
[[nodiscard]] Json writePacked(std::span<const std::uint64_t> numbers);
[[nodiscard]] std::vector<std::uint64_t> readPacked(const Json& json, const Where& where);

/// Many short lists of words, most of them empty or alike (the notes of thousands of channels).
/// Written as {"words": distinct ones, "counts": words of each list, "places": index of each word}.
[[nodiscard]] Json writeWordLists(const std::vector<std::vector<std::string>>& lists);

/// The lists again, long words shortened(); fails unless there are exactly `count`, and where they
/// repeat words until all together fill the memory.
[[nodiscard]] std::vector<std::vector<std::string>>
readWordLists(const Json& json, std::size_t count, const Where& where);

}  // namespace calibscope::protocol
