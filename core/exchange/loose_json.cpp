// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/loose_json.h"

#include "core/base/json_object.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace calibscope::exchange {

namespace {

struct Word
{
    std::string_view text;
    std::string_view standsFor;
};

constexpr std::array<Word, 3> pythonWords{
    {{"NaN", "\"nan\""}, {"-Infinity", "\"-inf\""}, {"Infinity", "\"inf\""}}};

/// Past the text that begins at `start` with its quotation mark.
std::size_t endOfText(std::string_view json, std::size_t start)
{
    for (std::size_t place = start + 1; place < json.size(); ++place) {
        if (json[place] == '\\')
            ++place;
        else if (json[place] == '"')
            return place + 1;
    }
    return json.size();
}

}  // namespace

LooseJson::LooseJson(std::string_view text, const std::string& origin)
{
    std::string strict;
    strict.reserve(text.size());
    std::uint64_t line = 1;
    int depth = 0;
    for (std::size_t place = 0; place < text.size();) {
        const char byte = text[place];
        if (byte == '"') {
            const std::size_t end = endOfText(text, place);
            const std::string_view quoted = text.substr(place, end - place);
            if (depth <= jsonDepthLimit)
                m_places.emplace(std::pair(depth, std::string(quoted)),
                                 Place{.offset = place, .line = line});
            strict += quoted;
            place = end;
            continue;
        }
        const auto* word = std::ranges::find_if(
            pythonWords, [&](const Word& one) { return text.substr(place).starts_with(one.text); });
        if (word != pythonWords.end()) {
            strict += word->standsFor;
            place += word->text.size();
            continue;
        }
        line += byte == '\n' ? 1U : 0U;
        depth += byte == '{' || byte == '[' ? 1 : byte == '}' || byte == ']' ? -1 : 0;
        strict += byte;
        ++place;
    }
    m_value = parseJson(strict, origin);
}

LooseJson::Place LooseJson::placeOf(int depth, const std::string& text) const
{
    for (const bool isAscii : {true, false}) {
        const std::string quoted =
            nlohmann::json(text).dump(-1, ' ', isAscii, nlohmann::json::error_handler_t::replace);
        if (const auto found = m_places.find({depth, quoted}); found != m_places.end())
            return found->second;
    }
    return {};
}

std::uint64_t LooseJson::lineOf(int depth, const std::string& text) const
{
    return placeOf(depth, text).line;
}

std::vector<ScaleEntry> LooseJson::inOrder(int depth, std::vector<ScaleEntry> entries) const
{
    std::vector<std::pair<std::size_t, ScaleEntry>> placed;
    for (ScaleEntry& entry : entries) {
        const Place place = placeOf(depth, entry.name);
        entry.line = place.line;
        placed.emplace_back(place.offset, std::move(entry));
    }
    std::ranges::stable_sort(placed, {}, &std::pair<std::size_t, ScaleEntry>::first);
    entries.clear();
    for (auto& [offset, entry] : placed)
        entries.push_back(std::move(entry));
    return entries;
}

double looseJsonNumber(const nlohmann::json& value)
{
    if (value.is_number())
        return value.get<double>();
    if (value.is_string())
        return parseNumber(value.get<std::string>())
            .value_or(std::numeric_limits<double>::quiet_NaN());
    return std::numeric_limits<double>::quiet_NaN();
}

const nlohmann::json& memberOf(const nlohmann::json& object, const char* name)
{
    static const nlohmann::json none;
    if (!object.is_object())
        return none;
    const auto found = object.find(name);
    return found == object.end() ? none : *found;
}

std::string pythonText(std::string_view text)
{
    return nlohmann::json(validUtf8(text)).dump(-1, ' ', true);
}

std::string pythonNumber(double value)
{
    if (!std::isfinite(value))
        return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
    std::string text = numberText(value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string pythonBlock(char open, const std::vector<std::string>& items, char close, int depth)
{
    constexpr int indent = 4;
    const auto margin = [](int level) {
        return '\n' + std::string(static_cast<std::size_t>(level * indent), ' ');
    };
    std::string text(1, open);
    for (const std::string& item : items)
        text += (text.size() > 1 ? "," : "") + margin(depth + 1) + item;
    return text + (items.empty() ? "" : margin(depth)) + close;
}

}  // namespace calibscope::exchange
