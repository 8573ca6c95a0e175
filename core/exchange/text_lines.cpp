// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/text_lines.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace calibscope::exchange {

namespace {

constexpr std::size_t longestStrangeName = 200;

std::string refusal(const ScaleEntry& entry, std::string_view format, const std::string& why)
{
    return entry.name + ": " + why + "; " + std::string(format) + " can't carry that";
}

/// The one value, which has no zero point but 0.
const EntryValue& onlyValue(const ScaleEntry& entry, std::string_view format)
{
    if (entry.isPerChannel)
        throw Error(Fault::Usage, refusal(entry, format, "has a scale for each channel"));
    if (entry.values.size() != 1)
        throw Error(Fault::Usage, refusal(entry, format, "has no value"));
    const EntryValue& value = entry.values.front();
    if (!value.threshold && value.zeroPoint.value_or(0.0) != 0.0)
        throw Error(Fault::Usage,
                    refusal(entry, format, "has the zero point " + numberText(*value.zeroPoint)));
    return value;
}

}  // namespace

std::vector<TextLine> linesOf(std::string_view text)
{
    std::vector<TextLine> lines;
    for (std::uint64_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (!line.empty())
            lines.push_back({.text = line, .number = number});
    }
    return lines;
}

std::optional<double> looseNumber(std::string_view text)
{
    constexpr std::string_view blanks = " \t";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    text = text.substr(0, text.find_last_not_of(blanks) + 1);
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+'))
        text.remove_prefix(1);
    if (text.empty() || text.starts_with('-'))
        return std::nullopt;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument)
        return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        // Too large or too small: from_chars does not tell. A text without a negative exponent and
        // with a digit before its point is too large.
        const bool isSmall = text.find("e-") != std::string_view::npos ||
                             text.find("E-") != std::string_view::npos || text.starts_with("0.") ||
                             text.starts_with('.');
        value = isSmall ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return isNegative ? -value : value;
}

std::string floatText(double value)
{
    const auto single = static_cast<float>(value);
    if (!std::isfinite(single))
        return numberText(value < 0 ? -HUGE_VAL : std::isnan(value) ? value : HUGE_VAL);
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), single);
    return error == std::errc{} ? std::string(text.data(), end) : std::string{};
}

ScaleEntry strangeLine(const TextLine& line, std::string sentence)
{
    return {.name = validUtf8(line.text.substr(0, longestStrangeName)),
            .line = line.number,
            .oddities = {std::move(sentence)}};
}

bool looksLikeText(std::string_view bytes)
{
    return !bytes.empty() && std::ranges::none_of(bytes.substr(0, 4096), [](char byte) {
        return byte >= 0 && byte < ' ' && byte != '\n' && byte != '\r' && byte != '\t';
    });
}

double onlyThreshold(const ScaleEntry& entry, std::string_view format)
{
    const EntryValue& value = onlyValue(entry, format);
    if (value.threshold)
        return *value.threshold;
    if (value.zeroPoint && value.scale)
        return *value.scale * entry.format.high();
    if (value.range.low != -value.range.high)
        throw Error(Fault::Usage, refusal(entry, format,
                                          "has the range " + numberText(value.range.low) + " to " +
                                              numberText(value.range.high)));
    return value.range.high;
}

double onlyMagnitude(const ScaleEntry& entry, std::string_view format)
{
    return widestEnd(onlyValue(entry, format));
}

void requireName(const ScaleEntry& entry, std::string_view endsIt, std::string_view format)
{
    if (entry.name.empty() || entry.name.find_first_of(endsIt) != std::string::npos)
        throw Error(Fault::Usage, "\"{}\": {}; {} can't carry such a name", entry.name,
                    entry.name.empty() ? "is empty" : "has a character that ends a name", format);
}

}  // namespace calibscope::exchange
