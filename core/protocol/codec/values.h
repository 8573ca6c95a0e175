// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/protocol/arrays.h"
#include "core/recipes/diagnosis.h"
#include "core/recipes/outcome.h"
#include "core/stats/magnitude_sketch.h"
#include "core/stats/slice.h"
#include "core/stats/strip.h"

#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Values to and from Json. write() and read() are overloads, found by the type of the value;
/// read() throws Error(Input) that names the place of whatever is missing or of another kind.
namespace calibscope::protocol {

/// A member of a struct and its name in messages.
template <typename Struct, typename Member>
struct Field
{
    std::string_view name;
    Member Struct::*member;
};

template <typename Struct, typename Member>
Field(std::string_view, Member Struct::*) -> Field<Struct, Member>;

/// A member that is only shown: a sentence, or several. The reader cuts what is longer than
/// sentenceLimit, as nobody reads on and drawing it takes gigabytes.
template <typename Struct, typename Member>
struct SentenceField
{
    static constexpr bool isSentence = true;
    std::string_view name;
    Member Struct::*member;
};

template <typename Struct, typename Member>
SentenceField(std::string_view, Member Struct::*) -> SentenceField<Struct, Member>;

/// A member that names a file on the engine's machine (visitFiles()).
template <typename Struct, typename Member>
struct FileField
{
    static constexpr bool isFile = true;
    std::string_view name;
    Member Struct::*member;
};

template <typename Struct, typename Member>
FileField(std::string_view, Member Struct::*) -> FileField<Struct, Member>;

constexpr std::size_t textLimit = std::size_t{64} << 10;  ///< bytes of a name, a path, an id

/// The members of a struct that travel, as `std::tuple{Field{...}, ...}`. From this one list follow
/// writing, reading, and the writing of many as columns. What readers rely on beyond the members'
/// types is in an overload of check(const Struct&, const Where&).
template <typename Struct>
inline constexpr auto fieldsOf = std::tuple{};

template <typename Struct>
concept HasFields = std::tuple_size_v<decltype(fieldsOf<Struct>)> >
0;

template <typename Struct>
concept HasCheck = requires(const Struct& value, const Where& where)
{
    check(value, where);
};

/// Members that are as in a new value do not travel: of structs of which a message holds many.
template <typename Struct>
inline constexpr bool leavesOutDefaults = false;

/// Members of these may be missing, and then are as in a new value: of what only describes.
template <typename Struct>
inline constexpr bool hasDefaults = false;
/// The same of what is asked, which an older side asks with fewer options; but for texts and
/// structs: what it is about. Of results only lists, optional values and sentences may be missing:
/// another number would be one that nobody told.
template <typename Struct>
inline constexpr bool hasOptions = false;

template <typename Member>
inline constexpr bool isEmptyWhenNew = false;
template <typename Value>
inline constexpr bool isEmptyWhenNew<std::optional<Value>> = true;
template <typename Item>
inline constexpr bool isEmptyWhenNew<std::vector<Item>> = true;
template <typename Key, typename Value>
inline constexpr bool isEmptyWhenNew<std::map<Key, Value>> = true;

/// Calls visit(field) for each field of the struct, in order.
template <HasFields Struct, typename Visit>
void forEachField(Visit visit)
{
    std::apply([&visit](const auto&... field) { (visit(field), ...); }, fieldsOf<Struct>);
}

/// Calls visit(file) for each FileField of the value and of what it holds.
template <typename Value, typename Visit>
void visitFilesOf(Value& value, const Visit& visit)
{
    if constexpr (HasFields<Value>) {
        forEachField<Value>([&](const auto& field) {
            if constexpr (requires { field.isFile; })
                visit(value.*field.member);
            else
                visitFilesOf(value.*field.member, visit);
        });
    } else if constexpr (requires { value.has_value(); }) {
        if (value)
            visitFilesOf(*value, visit);
    } else if constexpr (requires { requires HasFields<typename Value::value_type>; }) {
        for (auto& item : value)
            visitFilesOf(item, visit);
    }
}

/// How many values an enum has that travels; its values are 0 to one less.
template <typename Enum>
constexpr int enumCount = 0;

template <typename Row>
inline constexpr bool isTableRow = false;  ///< vectors of it travel as columns (table.h)

template <typename Row>
Json writeTable(const std::vector<Row>& rows);
template <typename Row>
void readTable(const Json& json, std::vector<Row>& rows, const Where& where);

// Defined in values.cpp.
void readSentences(const Json& json, std::string& sentence, const Where& where);
void readSentences(const Json& json, std::vector<std::string>& sentences, const Where& where);
void readSentences(const Json& json, std::map<std::string, std::string>& texts, const Where& where);
[[nodiscard]] Json write(const std::string& text);
void read(const Json& json, std::string& text, const Where& where);
/// Null without a calibrator.
[[nodiscard]] Json write(const Choice& choice);
void read(const Json& json, Choice& choice, const Where& where);
[[nodiscard]] Json write(const MetricValues& metrics);
void read(const Json& json, MetricValues& metrics, const Where& where);
[[nodiscard]] Json write(const std::map<std::string, std::string>& texts);
void read(const Json& json, bool& flag, const Where& where);
/// As an array of bytes.
[[nodiscard]] Json write(const std::vector<bool>& flags);
void read(const Json& json, std::vector<bool>& flags, const Where& where);
void read(const Json& json, double& number, const Where& where);
void read(const Json& json, float& number, const Where& where);
/// As its text.
[[nodiscard]] Json write(FindingLevel level);
void read(const Json& json, FindingLevel& level, const Where& where);
/// Without what its kind says.
[[nodiscard]] Json write(const TensorFinding& finding);
void read(const Json& json, TensorFinding& finding, const Where& where);
// Defined in stats_fields.cpp.
[[nodiscard]] Json write(const MagnitudeSketch& sketch);
void read(const Json& json, MagnitudeSketch& sketch, const Where& where);
[[nodiscard]] Json write(const Strip& strip);
void read(const Json& json, Strip& strip, const Where& where);
// Defined in slice_fields.cpp.
[[nodiscard]] Json write(const Slice& slice);
void read(const Json& json, Slice& slice, const Where& where);
/// The member of that name. Fails where the value is not an object or has none.
[[nodiscard]] const Json& member(const Json& json, std::string_view name, const Where& where);

template <typename Number>
requires std::is_arithmetic_v<Number> Json write(Number number)
{
    return number;
}

template <std::integral Number>
requires(!std::same_as<Number, bool>) void read(const Json& json, Number& number,
                                                const Where& where)
{
    const bool fits =
        json.is_number_unsigned()
            ? std::in_range<Number>(json.get<std::uint64_t>())
            : json.is_number_integer() && std::in_range<Number>(json.get<std::int64_t>());
    if (!fits)
        where.fail("is not a whole number that fits");
    number = json.get<Number>();
}

template <typename Enum>
requires std::is_enum_v<Enum> Json write(Enum value)
{
    return static_cast<int>(value);
}

template <typename Enum>
requires std::is_enum_v<Enum>
void read(const Json& json, Enum& value, const Where& where)
{
    static_assert(enumCount<Enum> > 0);
    int number = 0;
    read(json, number, where);
    if (number < 0 || number >= enumCount<Enum>)
        where.fail("is a kind that is not known");
    value = static_cast<Enum>(number);
}

template <HasFields Struct>
Json write(const Struct& value);
template <HasFields Struct>
void read(const Json& json, Struct& value, const Where& where);

template <typename Value>
Json write(const std::optional<Value>& value)
{
    return value ? write(*value) : Json();
}

template <typename Value>
void read(const Json& json, std::optional<Value>& value, const Where& where)
{
    value.reset();
    if (!json.is_null())
        read(json, value.emplace(), where);
}

template <typename Item>
Json write(const std::vector<Item>& items)
{
    if constexpr (ArrayNumber<Item>) {
        return writeNumbers(std::span<const Item>(items));
    } else if constexpr (isTableRow<Item>) {
        return writeTable(items);
    } else {
        Json array = Json::array();
        for (const Item& item : items)
            array.push_back(write(item));
        return array;
    }
}

template <typename Item>
void read(const Json& json, std::vector<Item>& items, const Where& where)
{
    if constexpr (ArrayNumber<Item>) {
        items = readNumbers<Item>(json, where);
    } else if constexpr (isTableRow<Item>) {
        readTable(json, items, where);
    } else {
        if (!json.is_array())
            where.fail("is not a list");
        items.clear();
        for (const Json& item : json)
            read(item, items.emplace_back(), where);
    }
}

template <HasFields Struct>
Json write(const Struct& value)
{
    Json object = Json::object();
    forEachField<Struct>([&](const auto& field) {
        if constexpr (leavesOutDefaults<Struct>)
            if (static const Struct none{}; value.*field.member == none.*field.member)
                return;
        object[std::string(field.name)] = write(value.*field.member);
    });
    return object;
}

template <HasFields Struct>
void read(const Json& json, Struct& value, const Where& where)
{
    if (!json.is_object())
        where.fail("is not an object");
    forEachField<Struct>([&](const auto& field) {
        using Member = std::remove_cvref_t<decltype(value.*field.member)>;
        constexpr bool isOption =
            hasOptions<Struct> && !HasFields<Member> && !std::same_as<Member, std::string>;
        if constexpr (leavesOutDefaults<Struct> || hasDefaults<Struct> || isOption ||
                      isEmptyWhenNew<Member> || requires { field.isSentence; })
            if (static const Struct none{}; !json.contains(field.name)) {
                value.*field.member = none.*field.member;
                return;
            }
        const Json& told = member(json, field.name, where);
        if constexpr (requires { field.isSentence; })
            readSentences(told, value.*field.member, Where{&where, field.name});
        else
            read(told, value.*field.member, Where{&where, field.name});
    });
    if constexpr (HasCheck<Struct>)
        check(value, where);
}

}  // namespace calibscope::protocol
