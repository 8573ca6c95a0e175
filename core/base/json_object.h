// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/settings.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Reads members of one JSON object of a file or a message. A member that is absent or null is its
/// fallback; one of a wrong type is an Error that names its place; others are left alone.
class JsonObject
{
public:
    /// `place` names the object in errors, whose fault is `fault`: "a.calsession: dumps[0]".
    JsonObject(const nlohmann::json& object, std::string place, Fault fault = Fault::Input);

    /// Fails where it has a member that is none of these.
    void allowOnly(std::initializer_list<std::string_view> known) const;
    [[nodiscard]] bool has(const char* key) const;
    [[nodiscard]] std::string text(const char* key, const std::string& fallback = {}) const;
    /// Fails where it is absent.
    [[nodiscard]] std::string requiredText(const char* key) const;
    [[nodiscard]] bool flag(const char* key, bool fallback = false) const;
    /// Also the texts "inf" and "-inf".
    [[nodiscard]] double number(const char* key, double fallback = 0.0) const;
    [[nodiscard]] std::optional<double> numberIfThere(const char* key) const
    {
        return has(key) ? std::optional(number(key)) : std::nullopt;
    }
    [[nodiscard]] std::int64_t integer(const char* key, std::int64_t fallback = 0) const;
    [[nodiscard]] std::uint64_t count(const char* key, std::uint64_t fallback = 0) const;
    /// Index of the text in `words`.
    template <typename Enum>
    [[nodiscard]] Enum word(const char* key, const std::vector<std::string>& words,
                            Enum fallback) const
    {
        return has(key) ? static_cast<Enum>(wordPlace(key, words)) : fallback;
    }
    [[nodiscard]] std::vector<std::string> texts(const char* key) const;
    /// Finite numbers.
    [[nodiscard]] std::vector<double> numbers(const char* key) const;

    /// Reads an object, each object of a list, or each member of an object of objects.
    void object(const char* key, const std::function<void(const JsonObject&)>& read) const;
    void list(const char* key, const std::function<void(const JsonObject&)>& read) const;
    void objects(const char* key,
                 const std::function<void(const std::string&, const JsonObject&)>& read) const;
    /// The members of an object of texts, or of flags.
    [[nodiscard]] std::map<std::string, std::string> textMap(const char* key) const;
    [[nodiscard]] std::map<std::string, bool> flagMap(const char* key) const;
    /// The members of an object as values of parameters: texts, or numbers in their shortest form.
    [[nodiscard]] GivenSettings settings(const char* key) const;

    [[noreturn]] void fail(const std::string& what) const;

private:
    [[nodiscard]] std::size_t wordPlace(const char* key,
                                        const std::vector<std::string>& words) const;
    [[nodiscard]] const nlohmann::json& member(const char* key, bool isRight,
                                               const char* wanted) const;
    [[nodiscard]] const nlohmann::json& ofType(const char* key, nlohmann::json::value_t type,
                                               const char* wanted) const;

    const nlohmann::json& m_object;
    std::string m_place;
    Fault m_fault = Fault::Input;
};

constexpr int jsonDepthLimit = 64;  ///< of nested arrays and objects in a file

/// The value that a file's text stands for. Throws an Error of that fault that names the file,
/// also where it is nested deeper than jsonDepthLimit.
[[nodiscard]] nlohmann::json parseJson(std::string_view text, const std::string& origin,
                                       Fault fault = Fault::Input);

/// A number as a value that number() reads back: infinities are texts.
[[nodiscard]] nlohmann::json numberValue(double value);

}  // namespace calibscope
