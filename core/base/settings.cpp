// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/settings.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace calibscope {

namespace {

bool wantsWhole(const Parameter& parameter)
{
    return parameter.kind == Parameter::Kind::Integer || parameter.isWhole;
}

bool isText(const Parameter& parameter)
{
    return parameter.kind == Parameter::Kind::Choice && parameter.words.empty();
}

std::string accepted(const Parameter& parameter)
{
    if (isText(parameter))
        return "a text without commas, semicolons and line ends";
    std::string text;
    if (parameter.kind != Parameter::Kind::Choice) {
        text = wantsWhole(parameter) ? "a whole number from " : "a number from ";
        text += numberText(parameter.least) + " to " + numberText(parameter.greatest);
    }
    for (const std::string& word : parameter.words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// Of so many characters a message shows the beginning.
constexpr std::size_t mostShown = 60;

std::string shown(const std::string& given)
{
    return given.size() <= mostShown ? given : given.substr(0, mostShown) + "...";
}

/// The value in the form in which equal settings are equal texts ("1.0" becomes "1").
std::string normalizedOne(const Parameter& parameter, const std::string& given,
                          std::string_view owner)
{
    const bool takesWords = parameter.kind == Parameter::Kind::Choice ||
                            parameter.kind == Parameter::Kind::NumberOrWord;
    if (takesWords && std::ranges::find(parameter.words, given) != parameter.words.end())
        return given;
    // It stands between commas on a command line, between semicolons in a table.
    const auto isPlain = [](unsigned char byte) {
        return byte >= ' ' && byte != ',' && byte != ';';
    };
    if (isText(parameter) && std::ranges::all_of(given, isPlain))
        return given;
    const std::optional<double> value = parseNumber(given);
    const bool takesNumbers = parameter.kind != Parameter::Kind::Choice;
    const bool isWhole = value && std::floor(*value) == *value;
    if (takesNumbers && value && *value >= parameter.least && *value <= parameter.greatest &&
        (!wantsWhole(parameter) || isWhole))
        return numberText(*value + 0.0);  // + 0.0 turns -0 into 0
    throw Error(Fault::Usage, "{}: {}={} is not accepted; give {}", owner, parameter.id,
                shown(given), accepted(parameter));
}

std::string normalized(const Parameter& parameter, const std::string& given, std::string_view owner)
{
    const std::vector<std::string> parts = listedNumbers(given);
    if (!parameter.isPerChannel || parts.size() < 2)
        return normalizedOne(parameter, given, owner);
    std::string list;
    for (const std::string& part : parts) {
        if (!parseNumber(part))
            throw Error(Fault::Usage, "{}: {}={} is not accepted; a list has numbers alone", owner,
                        parameter.id, shown(given));
        list += (list.empty() ? "" : " ") + normalizedOne(parameter, part, owner);
    }
    return list;
}

}  // namespace

Settings::Settings(std::span<const Parameter> parameters, const GivenSettings& given,
                   std::string_view owner)
{
    for (const auto& [id, value] : given) {
        if (std::ranges::find(parameters, id, &Parameter::id) != parameters.end())
            continue;
        std::string known;
        for (const Parameter& parameter : parameters)
            known += (known.empty() ? "" : ", ") + parameter.id;
        throw Error(Fault::Usage, "{}: there is no parameter {}; it has {}", owner, id,
                    known.empty() ? "none" : known);
    }
    for (const Parameter& parameter : parameters) {
        const auto found = given.find(parameter.id);
        const std::string& value = found == given.end() ? parameter.fallback : found->second;
        m_entries.emplace_back(parameter.id, normalized(parameter, value, owner));
    }
}

const std::string& Settings::text(std::string_view id) const
{
    for (const auto& [key, value] : m_entries)
        if (key == id)
            return value;
    throw std::invalid_argument("no parameter " + std::string(id));
}

double Settings::number(std::string_view id) const
{
    const std::optional<double> value = parseNumber(text(id));
    if (value)
        return *value;
    const std::size_t listed = listedNumbers(text(id)).size();
    throw std::invalid_argument(
        "parameter " + std::string(id) +
        (listed > 1 ? " has " + std::to_string(listed) +
                          " numbers, one for each channel; there is one scale for the tensor"
                    : " is a word, not a number"));
}

int Settings::integer(std::string_view id) const
{
    return static_cast<int>(number(id));
}

Settings Settings::with(std::string_view id, std::string value) const
{
    Settings changed = *this;
    const auto found = std::ranges::find(
        changed.m_entries, id, [](const auto& entry) { return std::string_view(entry.first); });
    if (found == changed.m_entries.end())
        throw std::invalid_argument("no parameter " + std::string(id));
    found->second = std::move(value);
    return changed;
}

std::string Settings::toText() const
{
    std::string text;
    for (const auto& [id, value] : m_entries)
        text += (text.empty() ? "" : ";") + id + "=" + value;
    return text;
}

std::vector<std::string> listedNumbers(std::string_view value)
{
    std::vector<std::string> numbers;
    while (!value.empty()) {
        const std::size_t blank = std::min(value.find(' '), value.size());
        if (blank > 0)
            numbers.emplace_back(value.substr(0, blank));
        value.remove_prefix(std::min(blank + 1, value.size()));
    }
    return numbers;
}

std::string shortValue(std::string_view value)
{
    const std::vector<std::string> listed = listedNumbers(value);
    if (listed.size() < 2)
        return std::string(value);
    std::vector<double> numbers;
    for (const std::string& one : listed)
        numbers.push_back(parseNumber(one).value_or(0.0));
    const auto [least, most] = std::ranges::minmax(numbers);
    return std::to_string(listed.size()) + " numbers from " + numberText(least) + " to " +
           numberText(most);
}

GivenSettings parseGivenSettings(std::string_view text, std::string_view owner, char separator)
{
    GivenSettings given;
    while (!text.empty()) {
        const std::size_t end = text.find(separator);
        const std::string_view part = text.substr(0, end);
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos || equals == 0)
            throw Error(Fault::Usage, "{}: \"{}\" is not parameter=value", owner, part);
        given[std::string(part.substr(0, equals))] = part.substr(equals + 1);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return given;
}

}  // namespace calibscope
