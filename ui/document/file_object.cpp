#include "ui/document/file_object.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

using Json = nlohmann::json;

FileObject::FileObject(const Json& object, std::string place)
    : m_object(object), m_place(std::move(place))
{
    if (!m_object.is_object())
        fail("is not an object");
}

bool FileObject::has(const char* key) const
{
    const auto found = m_object.find(key);
    return found != m_object.end() && !found->is_null();
}

std::string FileObject::text(const char* key, const std::string& fallback) const
{
    return has(key) ? ofType(key, Json::value_t::string, "a string").get<std::string>() : fallback;
}

bool FileObject::flag(const char* key, bool fallback) const
{
    return has(key) ? ofType(key, Json::value_t::boolean, "true or false").get<bool>() : fallback;
}

double FileObject::number(const char* key, double fallback) const
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

std::int64_t FileObject::integer(const char* key, std::int64_t fallback) const
{
    if (!has(key))
        return fallback;
    return member(key, m_object[key].is_number_integer(), "a whole number").get<std::int64_t>();
}

std::uint64_t FileObject::count(const char* key, std::uint64_t fallback) const
{
    if (!has(key))
        return fallback;
    return member(key, m_object[key].is_number_unsigned(), "a whole number from 0 on")
        .get<std::uint64_t>();
}

std::size_t FileObject::wordPlace(const char* key, const std::vector<std::string>& words) const
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

std::vector<std::string> FileObject::texts(const char* key) const
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

void FileObject::object(const char* key, const std::function<void(const FileObject&)>& read) const
{
    if (has(key))
        read(FileObject(m_object[key], m_place + ": " + key));
}

void FileObject::list(const char* key, const std::function<void(const FileObject&)>& read) const
{
    if (!has(key))
        return;
    std::size_t place = 0;
    for (const Json& entry : ofType(key, Json::value_t::array, "a list"))
        read(FileObject(entry, m_place + ": " + key + "[" + std::to_string(place++) + "]"));
}

void FileObject::objects(
    const char* key, const std::function<void(const std::string&, const FileObject&)>& read) const
{
    if (!has(key))
        return;
    for (const auto& [name, value] : ofType(key, Json::value_t::object, "an object").items())
        read(name, FileObject(value, m_place + ": " + key + " of " + name));
}

std::map<std::string, std::string> FileObject::textMap(const char* key) const
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

std::map<std::string, bool> FileObject::flagMap(const char* key) const
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

void FileObject::fail(const std::string& what) const
{
    throw Error(Fault::Input, m_place + ": " + what);
}

const Json& FileObject::ofType(const char* key, Json::value_t type, const char* wanted) const
{
    return member(key, m_object[key].type() == type, wanted);
}

const Json& FileObject::member(const char* key, bool isRight, const char* wanted) const
{
    if (!isRight)
        fail(std::string(key) + " is not " + wanted);
    return m_object[key];
}

Json numberValue(double value)
{
    return std::isfinite(value) ? Json(value) : Json(numberText(value));
}

}  // namespace calibscope
