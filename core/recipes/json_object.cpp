#include "core/recipes/json_object.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>

namespace calibscope {

using Json = nlohmann::json;

JsonObject::JsonObject(const Json& object, std::string place,
                       std::initializer_list<std::string_view> known)
    : m_object(object), m_place(std::move(place))
{
    if (!m_object.is_object())
        fail("is not an object");
    for (const auto& [key, value] : m_object.items())
        if (std::ranges::find(known, key) == known.end())
            fail("has an unknown member \"" + key + "\"");
}

std::string JsonObject::text(const char* key, const std::string& fallback) const
{
    if (!has(key))
        return fallback;
    if (!m_object[key].is_string())
        fail(std::string("has a member \"") + key + "\" that is not a string");
    return m_object[key].get<std::string>();
}

std::string JsonObject::requiredText(const char* key) const
{
    if (!has(key))
        fail(std::string("lacks the member \"") + key + "\"");
    return text(key);
}

std::vector<std::string> JsonObject::texts(const char* key) const
{
    std::vector<std::string> list;
    for (const Json& entry : array(key)) {
        if (!entry.is_string())
            fail(std::string("has a member \"") + key + "\" that is not a list of strings");
        list.push_back(entry.get<std::string>());
    }
    return list;
}

Json JsonObject::array(const char* key) const
{
    if (!has(key))
        return Json::array();
    if (!m_object[key].is_array())
        fail(std::string("has a member \"") + key + "\" that is not a list");
    return m_object[key];
}

int JsonObject::integer(const char* key, int fallback) const
{
    if (!has(key))
        return fallback;
    if (!m_object[key].is_number_integer())
        fail(std::string("has a member \"") + key + "\" that is not a whole number");
    return m_object[key].get<int>();
}

bool JsonObject::flag(const char* key) const
{
    if (!has(key))
        return false;
    if (!m_object[key].is_boolean())
        fail(std::string("has a member \"") + key + "\" that is neither true nor false");
    return m_object[key].get<bool>();
}

GivenSettings JsonObject::settings(const char* key) const
{
    GivenSettings given;
    if (!has(key))
        return given;
    if (!m_object[key].is_object())
        fail(std::string("has a member \"") + key + "\" that is not an object");
    for (const auto& [id, value] : m_object[key].items()) {
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
    throw Error(Fault::Usage, m_place + " " + what);
}

Json parseJsonFile(std::string_view text, std::string_view origin)
{
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        throw Error(Fault::Usage, std::string(origin) + " is not valid JSON");
    return json;
}

}  // namespace calibscope
