#pragma once

#include "core/base/settings.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Reads members of one JSON object of a recipe or preset file. Wrong, missing and unknown members
/// are Error(Usage) that names the object's place.
class JsonObject
{
public:
    JsonObject(const nlohmann::json& object, std::string place,
               std::initializer_list<std::string_view> known);

    [[nodiscard]] bool has(const char* key) const { return m_object.contains(key); }
    [[nodiscard]] std::string text(const char* key, const std::string& fallback = {}) const;
    [[nodiscard]] std::string requiredText(const char* key) const;
    [[nodiscard]] std::vector<std::string> texts(const char* key) const;
    [[nodiscard]] nlohmann::json array(const char* key) const;
    [[nodiscard]] int integer(const char* key, int fallback) const;
    [[nodiscard]] bool flag(const char* key) const;
    /// Members of the object `key` as parameter values: texts, or numbers in their shortest form.
    [[nodiscard]] GivenSettings settings(const char* key) const;
    [[noreturn]] void fail(const std::string& what) const;

private:
    const nlohmann::json& m_object;
    std::string m_place;
};

/// The value that a file's text stands for. Throws Error(Usage) that names the file.
[[nodiscard]] nlohmann::json parseJsonFile(std::string_view text, std::string_view origin);

}  // namespace calibscope
