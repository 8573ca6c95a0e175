// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/parameter.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace calibscope {

/// Values given for some parameters, as text by parameter id.
using GivenSettings = std::map<std::string, std::string>;

/// A valid value for each of an algorithm's parameters, in the order of the parameters.
class Settings
{
public:
    Settings() = default;

    /// The given values, and defaults for all others. Throws Error(Usage), naming `owner`, for an
    /// unknown id or a value that is not a number, not in range or not one of the words; the text
    /// lists what is accepted.
    Settings(std::span<const Parameter> parameters, const GivenSettings& given,
             std::string_view owner);

    /// A parameter's value. Asking for an id that the algorithm does not declare throws
    /// std::invalid_argument.
    [[nodiscard]] const std::string& text(std::string_view id) const;
    /// The value must not be a word, nor a list of numbers.
    [[nodiscard]] double number(std::string_view id) const;
    [[nodiscard]] int integer(std::string_view id) const;
    [[nodiscard]] bool is(std::string_view id, std::string_view word) const
    {
        return text(id) == word;
    }

    /// The same with another value of a parameter, which is not checked.
    [[nodiscard]] Settings with(std::string_view id, std::string value) const;
    /// "parameter=value;..." with every value, defaults included.
    [[nodiscard]] std::string toText() const;
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& entries() const
    {
        return m_entries;
    }
    bool operator==(const Settings&) const = default;

private:
    std::vector<std::pair<std::string, std::string>> m_entries;
};

/// The numbers of a value that has one for each channel (Parameter::isPerChannel); of any other
/// value the value alone.
[[nodiscard]] std::vector<std::string> listedNumbers(std::string_view value);

/// "64 numbers from 0.01 to 0.3" for a list; any other value as it is.
[[nodiscard]] std::string shortValue(std::string_view value);

/// Reads "a=1,b=word" as given on a command line after an algorithm's id; with the separator `;`
/// what Settings::toText() writes. Throws Error(Usage), naming `owner`, for a part without "=".
[[nodiscard]] GivenSettings parseGivenSettings(std::string_view text, std::string_view owner,
                                               char separator = ',');

}  // namespace calibscope
