// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/arrays.h"

#include "core/base/utf8.h"

#include <map>
#include <utility>

namespace calibscope::protocol {

namespace {

constexpr std::string_view packedType = "varint";
constexpr unsigned bitsOfByte = 7;
/// Of all lists of words together: a long word is named in a few bytes as often as one likes.
constexpr std::size_t wordListBytes = std::size_t{256} << 20;

void append(Json::binary_t::container_type& bytes, std::uint64_t number)
{
    for (; number >= 1U << bitsOfByte; number >>= bitsOfByte)
        bytes.push_back(static_cast<std::uint8_t>(number | 1U << bitsOfByte));
    bytes.push_back(static_cast<std::uint8_t>(number));
}

/// The number whose first byte is at `at`, which moves behind it.
std::uint64_t next(const Json::binary_t& bytes, std::size_t& at, const Where& where)
{
    std::uint64_t number = 0;
    for (unsigned shift = 0; at < bytes.size(); shift += bitsOfByte) {
        const std::uint64_t byte = bytes[at++];
        const std::uint64_t bits = byte & ((1U << bitsOfByte) - 1U);
        if (shift > 63 || (shift == 63 && bits > 1))
            where.fail("holds a number that does not fit");
        number |= bits << shift;
        if (byte == bits)
            return number;
    }
    where.fail("ends within a number");
}

}  // namespace

Json writePacked(std::span<const std::uint64_t> numbers)
{
    Json::binary_t::container_type bytes;
    bytes.reserve(numbers.size() * 2);
    for (const std::uint64_t number : numbers)
        append(bytes, number);
    return {
        {"type", packedType}, {"count", numbers.size()}, {"bytes", Json::binary(std::move(bytes))}};
}

std::vector<std::uint64_t> readPacked(const Json& json, const Where& where)
{
    const auto has = [&json](const char* key) { return json.is_object() && json.contains(key); };
    if (!has("type") || !has("count") || !has("bytes") || json["type"] != packedType ||
        !json["count"].is_number_unsigned() || !json["bytes"].is_binary())
        where.fail("is not a list of packed numbers");
    const Json::binary_t& bytes = json["bytes"].get_binary();
    const auto count = json["count"].get<std::uint64_t>();
    if (count > bytes.size())  // before room is made for them
        where.fail("holds another count of numbers than it says");
    std::vector<std::uint64_t> numbers;
    numbers.reserve(count);
    for (std::size_t at = 0; at < bytes.size();)
        numbers.push_back(next(bytes, at, where));
    if (numbers.size() != count)
        where.fail("holds another count of numbers than it says");
    return numbers;
}

Json writeWordLists(const std::vector<std::vector<std::string>>& lists)
{
    std::map<std::string, std::uint32_t> placeOf;
    Json words = Json::array();
    std::vector<std::uint32_t> counts;
    std::vector<std::uint32_t> places;
    for (const std::vector<std::string>& list : lists) {
        counts.push_back(static_cast<std::uint32_t>(list.size()));
        for (const std::string& word : list) {
            const auto [entry, isNew] =
                placeOf.try_emplace(word, static_cast<std::uint32_t>(placeOf.size()));
            if (isNew)
                words.push_back(word);
            places.push_back(entry->second);
        }
    }
    return {{"words", std::move(words)},
            {"counts", writeNumbers(std::span<const std::uint32_t>(counts))},
            {"places", writeNumbers(std::span<const std::uint32_t>(places))}};
}

std::vector<std::vector<std::string>> readWordLists(const Json& json, std::size_t count,
                                                    const Where& where)
{
    if (!json.is_object() || !json.contains("words") || !json["words"].is_array() ||
        !json.contains("counts") || !json.contains("places"))
        where.fail("is not a set of lists of words");
    const Json& words = json["words"];
    const auto counts = readNumbers<std::uint32_t>(json["counts"], where);
    const auto places = readNumbers<std::uint32_t>(json["places"], where);
    if (counts.size() != count)
        where.fail("holds another count of lists than there are rows");
    std::vector<std::vector<std::string>> lists(count);
    std::size_t used = 0;
    std::size_t bytes = 0;
    for (std::size_t list = 0; list < count; ++list) {
        if (counts[list] > places.size() - used)
            where.fail("has fewer words than its lists need");
        for (std::uint32_t word = 0; word < counts[list]; ++word) {
            const std::size_t place = places[used++];
            if (place >= words.size() || !words[place].is_string())
                where.fail("names a word that it does not hold");
            lists[list].push_back(shortened(words[place].get<std::string>()));
            bytes += sizeof(std::string) + lists[list].back().size();
            if (bytes > wordListBytes)
                where.fail("repeats its words too often");
        }
    }
    if (used != places.size())
        where.fail("has more words than its lists need");
    return lists;
}

}  // namespace calibscope::protocol
