// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/text_lines.h"
#include "core/exchange/yaml_scalar.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace calibscope::exchange {

namespace {

constexpr std::string_view nameKey = "NodeOutputName";
constexpr std::size_t valueColumn = 16;  // of LLVM's YAML: keys are filled up to it
constexpr std::size_t wrapColumn = 70;
constexpr int printedDecimals = 126;  // Glow prints that many and cuts zeros

struct Member
{
    std::string key;
    std::string value;
    std::uint64_t line = 0;
    bool opensItem = false;  ///< follows "- "
};

/// "  Min:   -1.5" or "- NodeOutputName: x"; nothing for what has no key.
std::optional<Member> memberOfLine(const TextLine& line)
{
    std::string_view text = line.text;
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    Member member{.line = line.number};
    if (text.starts_with("- ")) {
        member.opensItem = true;
        text.remove_prefix(2);
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || colon == 0 || text.front() == '\'')
        return std::nullopt;
    member.key = text.substr(0, colon);
    std::string_view value = text.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    member.value = value.substr(0, value.find_last_not_of(" \t") + 1);
    return member;
}

/// The members of all documents; a list in brackets may go over several lines.
std::vector<Member> membersOf(std::string_view bytes, ScaleFile& file)
{
    std::vector<Member> members;
    bool isInList = false;
    std::size_t oddLines = 0;
    std::size_t firstOdd = 0;
    for (const TextLine& line : linesOf(bytes)) {
        if (line.text == "---" || line.text == "...")
            continue;
        if (isInList) {
            members.back().value += ' ';
            members.back().value += line.text;
        } else if (auto member = memberOfLine(line)) {
            members.push_back(std::move(*member));
        } else {
            if (++oddLines == 1)
                firstOdd = line.number;
            continue;
        }
        const std::string& value = members.back().value;
        isInList = value.starts_with('[') && value.find(']') == std::string::npos;
    }
    if (oddLines > 0)
        file.oddities.push_back("line " + std::to_string(firstOdd) +
                                (oddLines == 1
                                     ? " is not understood"
                                     : " and " + countText(oddLines - 1, "line", "lines") +
                                           " behind it are not understood"));
    if (isInList)
        file.oddities.emplace_back("a list has no end; the file may be truncated");
    return members;
}

void takeCounts(ScaleEntry& entry, std::string_view list)
{
    list.remove_prefix(list.starts_with('[') ? 1 : 0);
    list = list.substr(0, list.find(']'));
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        const std::string_view word = list.substr(0, end);
        if (const auto count = looseNumber(word)) {
            entry.counts.push_back(*count);
        } else if (word.find_first_not_of(' ') != std::string_view::npos) {
            entry.oddities.emplace_back("a count of the histogram is not a number");
            return;
        }
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

/// Numbers of an item, until all of it is known.
struct Numbers
{
    std::optional<double> min;
    std::optional<double> max;
    std::optional<double> scale;
    std::optional<double> offset;
};

/// Of YAML's ".nan" and ".inf", too.
std::optional<double> yamlNumber(std::string value)
{
    if (const std::size_t point = value.find('.');
        point + 1 < value.size() && point != std::string::npos &&
        std::string_view("nNiI").find(value[point + 1]) != std::string_view::npos)
        value.erase(point, 1);
    return looseNumber(value);
}

void finish(ScaleEntry& entry, const Numbers& numbers)
{
    if (numbers.min && numbers.max) {
        entry.values = {{.range = {.low = *numbers.min, .high = *numbers.max}}};
    } else if (numbers.scale && numbers.offset) {
        // Files before the ranges were kept: real = (q - offset) scale.
        entry.values = {
            {.range = {.low = (entry.format.low() - *numbers.offset) * *numbers.scale,
                       .high = (entry.format.high() - *numbers.offset) * *numbers.scale},
             .scale = *numbers.scale,
             .zeroPoint = *numbers.offset}};
    } else {
        entry.oddities.emplace_back("has not both Min and Max");
    }
}

Likeness recogniseGlowProfile(std::string_view bytes)
{
    const std::string_view start = bytes.substr(0, 65536);
    return start.find("NodeOutputName:") != std::string_view::npos ? Likeness::Certain
                                                                   : Likeness::None;
}

ScaleFile readGlowProfile(std::string_view bytes, const std::string& origin)
{
    ScaleFile file;
    std::optional<Numbers> numbers;  // of the item that is read
    for (const Member& member : membersOf(bytes, file)) {
        if (member.key == nameKey) {
            if (numbers)
                finish(file.entries.back(), *numbers);
            numbers.emplace();
            file.entries.push_back({.name = fromYamlScalar(member.value),
                                    .role = Role::Activation,
                                    .line = member.line});
        } else if (!numbers) {
            file.facts[member.key] = fromYamlScalar(member.value);
        } else if (member.key == "Min") {
            numbers->min = yamlNumber(member.value);
        } else if (member.key == "Max") {
            numbers->max = yamlNumber(member.value);
        } else if (member.key == "Scale") {
            numbers->scale = yamlNumber(member.value);
        } else if (member.key == "Offset") {
            numbers->offset = yamlNumber(member.value);
        } else if (member.key == "Histogram") {
            takeCounts(file.entries.back(), member.value);
        }
    }
    if (!numbers)
        throw Error(Fault::Input, "{}: has no item with \"NodeOutputName\"", origin);
    finish(file.entries.back(), *numbers);
    return file;
}

/// All digits of a float32, without zeros at the end.
std::string exactText(double value)
{
    const auto single = static_cast<float>(value);
    if (!std::isfinite(single))
        return std::isnan(single) ? ".nan" : single > 0 ? ".inf" : "-.inf";
    std::string text = fmt::format("{:.{}f}", static_cast<double>(single), printedDecimals);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

std::string member(std::string_view key, const std::string& value)
{
    const std::string padding(std::max(valueColumn, key.size() + 1) - key.size(), ' ');
    return std::string(key) + ':' + padding + value + '\n';
}

/// As LLVM wraps it: behind the comma that passes the column, under the list's first item.
std::string countsText(const std::vector<double>& counts)
{
    constexpr std::size_t start = 2 + valueColumn + 1;
    std::string text = "[ ";
    std::size_t column = start + text.size();
    for (std::size_t place = 0; place < counts.size(); ++place) {
        if (place > 0) {
            text += ", ";
            column += 2;
            if (column > wrapColumn) {
                text += '\n' + std::string(start + 2, ' ');
                column = start + 2;
            }
        }
        const std::string count = fmt::format("{:g}", counts[place]);
        text += count;
        column += count.size();
    }
    return text + " ]";
}

std::string writeGlowProfile(const ScaleFile& file)
{
    const auto fact = [&](const char* key, const char* fallback) {
        const auto found = file.facts.find(key);
        return found == file.facts.end() ? std::string(fallback) : found->second;
    };
    std::string text =
        "---\n" + member("GlowToolsVersion", yamlScalar(fact("GlowToolsVersion", ""))) +
        "...\n---\n" + member("GraphPreLowerHash", fact("GraphPreLowerHash", "0x0")) + "...\n---\n";
    for (const ScaleEntry& entry : file.entries) {
        requireName(entry, {}, "a profile of Glow");
        const bool hasRange = entry.values.size() == 1 && !entry.isPerChannel;
        if (!hasRange)
            throw Error(Fault::Usage, "{}: has {}; a profile of Glow can't carry that", entry.name,
                        entry.values.empty() ? "no value" : "a scale for each channel");
        const Range& range = entry.values.front().range;
        text += "- " + member(nameKey, yamlScalar(entry.name)) + "  " +
                member("Min", exactText(range.low)) + "  " + member("Max", exactText(range.high)) +
                "  " + member("Histogram", countsText(entry.counts));
    }
    return text + "...\n";
}

}  // namespace

ExchangeFormat glowProfile()
{
    return {.order = 50,
            .id = "glow-profile",
            .title = "Glow profile (YAML)",
            .suffix = "yaml",
            .source = "Glow: lib/Quantization/Serialization.cpp",
            .holds = "Min, Max and a histogram of each activation; no zero point, no weights",
            .needsCounts = true,
            .recognise = recogniseGlowProfile,
            .read = readGlowProfile,
            .write = writeGlowProfile};
}

}  // namespace calibscope::exchange
