#include "core/protocol/codec/word_lists.h"

#include <map>
#include <span>

namespace calibscope::protocol {

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
    for (std::size_t list = 0; list < count; ++list) {
        if (counts[list] > places.size() - used)
            where.fail("has fewer words than its lists need");
        for (std::uint32_t word = 0; word < counts[list]; ++word) {
            const std::size_t place = places[used++];
            if (place >= words.size() || !words[place].is_string())
                where.fail("names a word that it does not hold");
            lists[list].push_back(words[place].get<std::string>());
        }
    }
    if (used != places.size())
        where.fail("has more words than its lists need");
    return lists;
}

}  // namespace calibscope::protocol
