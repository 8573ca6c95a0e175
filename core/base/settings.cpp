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

std::string accepted(const Parameter& parameter)
{
    std::string text;
    if (parameter.kind != Parameter::Kind::Choice) {
        text = wantsWhole(parameter) ? "a whole number from " : "a number from ";
        text += numberText(parameter.least) + " to " + numberText(parameter.greatest);
    }
    for (const std::string& word : parameter.words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// The value in the form in which equal settings are equal texts ("1.0" becomes "1").
std::string normalized(const Parameter& parameter, const std::string& given, std::string_view owner)
{
    const bool takesWords = parameter.kind == Parameter::Kind::Choice ||
                            parameter.kind == Parameter::Kind::NumberOrWord;
    if (takesWords && std::ranges::find(parameter.words, given) != parameter.words.end())
        return given;
    const std::optional<double> value = parseNumber(given);
    const bool takesNumbers = parameter.kind != Parameter::Kind::Choice;
    const bool isWhole = value && std::floor(*value) == *value;
    if (takesNumbers && value && *value >= parameter.least && *value <= parameter.greatest &&
        (!wantsWhole(parameter) || isWhole))
        return numberText(*value + 0.0);  // + 0.0 turns -0 into 0
    throw Error(Fault::Usage, std::string(owner) + ": " + parameter.id + "=" + given +
                                  " is not accepted; give " + accepted(parameter));
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
        throw Error(Fault::Usage, std::string(owner) + ": there is no parameter " + id +
                                      "; it has " + (known.empty() ? "none" : known));
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
    if (!value)
        throw std::invalid_argument("parameter " + std::string(id) + " is a word, not a number");
    return *value;
}

int Settings::integer(std::string_view id) const
{
    return static_cast<int>(number(id));
}

std::string Settings::toText() const
{
    std::string text;
    for (const auto& [id, value] : m_entries)
        text += (text.empty() ? "" : ";") + id + "=" + value;
    return text;
}

GivenSettings parseGivenSettings(std::string_view text, std::string_view owner)
{
    GivenSettings given;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string_view part = text.substr(0, comma);
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos || equals == 0)
            throw Error(Fault::Usage, std::string(owner) + ": \"" + std::string(part) +
                                          "\" is not parameter=value");
        given[std::string(part.substr(0, equals))] = part.substr(equals + 1);
        text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    }
    return given;
}

}  // namespace calibscope
