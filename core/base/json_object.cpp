// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_object.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

using Json = nlohmann::json;

namespace {

/// Depth of nested lists and objects, where the text is JSON.
int depthOf(std::string_view text)
{
    int depth = 0;
    int most = 0;
    bool isInString = false;
    for (std::size_t place = 0; place < text.size(); ++place) {
        const char character = text[place];
        if (character == '"')
            isInString = !isInString;
        else if (isInString)
            place += character == '\\' ? 1U : 0U;
        else if (character == '[' || character == '{')
            most = std::max(most, ++depth);
        else if (character == ']' || character == '}')
            --depth;
    }
    return most;
}

}  // namespace

JsonObject::JsonObject(const Json& object, std::string place, Fault fault)
    : m_object(object), m_place(std::move(place)), m_fault(fault)
{
    if (!m_object.is_object())
        fail("is not an object");
}

void JsonObject::allowOnly(std::initializer_list<std::string_view> known) const
{
    for (const auto& [key, value] : m_object.items())
        if (std::ranges::find(known, key) == known.end())
            fail("has an unknown member \"" + key + "\"");
}

bool JsonObject::has(const char* key) const
{
    const auto found = m_object.find(key);
    return found != m_object.end() && !found->is_null();
}

std::string JsonObject::text(const char* key, const std::string& fallback) const
{
    return has(key) ? ofType(key, Json::value_t::string, "a string").get<std::string>() : fallback;
}

std::string JsonObject::requiredText(const char* key) const
{
    if (!has(key))
        fail(std::string("lacks the member \"") + key + "\"");
    return text(key);
}

bool JsonObject::flag(const char* key, bool fallback) const
{
    return has(key) ? ofType(key, Json::value_t::boolean, "true or false").get<bool>() : fallback;
}

double JsonObject::number(const char* key, double fallback) const
{
    if (!has(key))
        return fallback;
    const Json& value = m_object[key];
    if (value.is_number())
        return value.get<double>();
    const double infinity =
        value.is_string() ? parseNumber(value.get<std::string>()).value_or(fallback) : fallback;
    (void)member(key, std::isinf(infinity), "a number, \"inf\" or \"-inf\"");
    return infinity;
}

std::int64_t JsonObject::integer(const char* key, std::int64_t fallback) const
{
    if (!has(key))
        return fallback;
    return member(key, m_object[key].is_number_integer(), "a whole number").get<std::int64_t>();
}

std::uint64_t JsonObject::count(const char* key, std::uint64_t fallback) const
{
    if (!has(key))
        return fallback;
    return member(key, m_object[key].is_number_unsigned(), "a whole number from 0 on")
        .get<std::uint64_t>();
}

std::size_t JsonObject::wordPlace(const char* key, const std::vector<std::string>& words) const
{
    const std::string given = text(key);
    const auto found = std::ranges::find(words, given);
    if (found != words.end())
        return static_cast<std::size_t>(found - words.begin());
    std::string known;
    for (const std::string& word : words)
        known += (known.empty() ? "" : ", ") + word;
    fail(std::string(key) + " is \"" + given + "\"; available: " + known);
}

std::vector<std::string> JsonObject::texts(const char* key) const
{
    std::vector<std::string> list;
    if (!has(key))
        return list;
    for (const Json& entry : ofType(key, Json::value_t::array, "a list of strings")) {
        (void)member(key, entry.is_string(), "a list of strings");
        list.push_back(entry.get<std::string>());
    }
    return list;
}

std::vector<double> JsonObject::numbers(const char* key) const
{
    std::vector<double> list;
    if (!has(key))
        return list;
    for (const Json& entry : ofType(key, Json::value_t::array, "a list of numbers")) {
        (void)member(key, entry.is_number(), "a list of numbers");
        list.push_back(entry.get<double>());
    }
    return list;
}

void JsonObject::object(const char* key, const std::function<void(const JsonObject&)>& read) const
{
    if (has(key))
        read(JsonObject(m_object[key], m_place + ": " + key, m_fault));
}

void JsonObject::list(const char* key, const std::function<void(const JsonObject&)>& read) const
{
    if (!has(key))
        return;
    std::size_t place = 0;
    for (const Json& entry : ofType(key, Json::value_t::array, "a list"))
        read(
            JsonObject(entry, m_place + ": " + key + "[" + std::to_string(place++) + "]", m_fault));
}

void JsonObject::objects(
    const char* key, const std::function<void(const std::string&, const JsonObject&)>& read) const
{
    if (!has(key))
        return;
    for (const auto& [name, value] : ofType(key, Json::value_t::object, "an object").items())
        read(name, JsonObject(value, m_place + ": " + key + " of " + name, m_fault));
}

std::map<std::string, std::string> JsonObject::textMap(const char* key) const
{
    std::map<std::string, std::string> texts;
    if (!has(key))
        return texts;
    for (const auto& [name, value] : ofType(key, Json::value_t::object, "an object").items()) {
        (void)member(key, value.is_string(), "an object of strings");
        texts[name] = value.get<std::string>();
    }
    return texts;
}

std::map<std::string, bool> JsonObject::flagMap(const char* key) const
{
    std::map<std::string, bool> flags;
    if (!has(key))
        return flags;
    for (const auto& [name, value] : ofType(key, Json::value_t::object, "an object").items()) {
        (void)member(key, value.is_boolean(), "an object of true and false");
        flags[name] = value.get<bool>();
    }
    return flags;
}

GivenSettings JsonObject::settings(const char* key) const
{
    GivenSettings given;
    if (!has(key))
        return given;
    for (const auto& [id, value] : ofType(key, Json::value_t::object, "an object").items()) {
        if (value.is_number())
            given[id] = numberText(value.get<double>());
        else if (value.is_string())
            given[id] = value.get<std::string>();
        else
            fail("has a setting \"" + id + "\" that is neither a number nor a text");
    }
    return given;
}

void JsonObject::fail(const std::string& what) const
{
    throw Error(m_fault, m_place + ": " + what);
}

const Json& JsonObject::ofType(const char* key, Json::value_t type, const char* wanted) const
{
    return member(key, m_object[key].type() == type, wanted);
}

const Json& JsonObject::member(const char* key, bool isRight, const char* wanted) const
{
    if (!isRight)
        fail(std::string(key) + " is not " + wanted);
    return m_object[key];
}

Json parseJson(std::string_view text, const std::string& origin, Fault fault)
{
    // Whoever walks through the value recurses. A callback of the parser would tell the depth, but
    // with one the parser looks through a list for each of its entries.
    if (depthOf(text) > jsonDepthLimit)
        throw Error(fault, origin + ": is nested deeper than " + std::to_string(jsonDepthLimit));
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        throw Error(fault, origin + ": is not valid JSON; it may be damaged or truncated");
    return json;
}

Json numberValue(double value)
{
    return std::isfinite(value) ? Json(value) : Json(numberText(value));
}

}  // namespace calibscope
