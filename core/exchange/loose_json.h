// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/scale_file.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace calibscope::exchange {

/// JSON as Python's module writes it: with NaN, Infinity and -Infinity, which become texts that
/// number() reads.
class LooseJson
{
public:
    /// Throws Error(Input) that names the origin for what is not JSON or too deep (jsonDepthLimit).
    LooseJson(std::string_view text, const std::string& origin);

    [[nodiscard]] const nlohmann::json& value() const { return m_value; }
    /// Line of the first text, a member's name or a value, inside so many brackets; 0: none.
    [[nodiscard]] std::uint64_t lineOf(int depth, const std::string& text) const;
    /// The entries in the order of the file with their lines, by their names inside so many
    /// brackets.
    [[nodiscard]] std::vector<ScaleEntry> inOrder(int depth, std::vector<ScaleEntry> entries) const;

private:
    struct Place
    {
        std::size_t offset = 0;
        std::uint64_t line = 0;
    };
    [[nodiscard]] Place placeOf(int depth, const std::string& text) const;

    nlohmann::json m_value;
    std::map<std::pair<int, std::string>, Place> m_places;  // by the text with its escapes
};

/// A number, or what stands for one that JSON has not; NaN for anything else.
[[nodiscard]] double looseJsonNumber(const nlohmann::json& value);

/// A member of an object; null where there is none, or no object.
[[nodiscard]] const nlohmann::json& memberOf(const nlohmann::json& object, const char* name);

/// A text as Python's module writes it: ASCII, with escapes.
[[nodiscard]] std::string pythonText(std::string_view text);
/// A number likewise: "1.0", "1e-05", "NaN", "Infinity".
[[nodiscard]] std::string pythonNumber(double value);
/// Members or items after each other, one a line, inside of these brackets, as with indent=4
/// at that depth.
[[nodiscard]] std::string pythonBlock(char open, const std::vector<std::string>& items, char close,
                                      int depth);

}  // namespace calibscope::exchange
