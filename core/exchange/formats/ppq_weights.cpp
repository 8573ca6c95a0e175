// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace calibscope::exchange {

namespace {

struct NextWord
{
    std::string_view word;
    std::string_view rest;
};

NextWord nextWord(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::size_t end = std::min(text.find(' '), text.size());
    return {.word = text.substr(0, end), .rest = text.substr(end)};
}

std::optional<std::uint32_t> numberIn(std::string_view word, int base)
{
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
    if (error != std::errc{} || end != word.data() + word.size() || word.empty())
        return std::nullopt;
    return number;
}

ScaleEntry entryOfPpqWeights(const TextLine& line)
{
    const NextWord name = nextWord(line.text);
    const NextWord count = nextWord(name.rest);
    const auto stated = numberIn(count.word, 10);
    if (!stated)
        return strangeLine(line, "the line is not NAME COUNT VALUES");
    EntryValue value{.range = {.low = HUGE_VAL, .high = -HUGE_VAL}};
    std::uint64_t seen = 0;
    for (NextWord next = nextWord(count.rest); !next.word.empty(); next = nextWord(next.rest)) {
        const auto pattern = numberIn(next.word, 16);
        if (!pattern)
            return strangeLine(line, fmt::format("\"{}\" is not a float32 in hexadecimal digits",
                                                 std::string(next.word.substr(0, 40))));
        const auto number = static_cast<double>(std::bit_cast<float>(*pattern));
        value.range.low = std::isnan(number) ? number : std::min(value.range.low, number);
        value.range.high = std::isnan(number) ? number : std::max(value.range.high, number);
        ++seen;
    }
    ScaleEntry entry{.name = std::string(name.word), .role = Role::Weight, .line = line.number};
    if (seen > 0)
        entry.values = {value};
    entry.oddities.emplace_back("holds the weight's values: their ends are taken for the range");
    if (seen != *stated)
        entry.oddities.push_back(fmt::format("has {} values, but says {}", seen, *stated));
    return entry;
}

Likeness recognisePpqWeights(std::string_view bytes)
{
    const std::string_view start = bytes.substr(0, 65536);
    const std::vector<TextLine> lines =
        looksLikeText(start) ? linesOf(start) : std::vector<TextLine>{};
    if (lines.size() < 2 || !numberIn(lines.front().text, 10))
        return Likeness::None;
    const NextWord name = nextWord(lines[1].text);
    return numberIn(nextWord(name.rest).word, 10) ? Likeness::Certain : Likeness::None;
}

ScaleFile readPpqWeights(std::string_view bytes, const std::string& origin)
{
    const std::vector<TextLine> lines =
        looksLikeText(bytes) ? linesOf(bytes) : std::vector<TextLine>{};
    const auto count = lines.empty() ? std::nullopt : numberIn(lines.front().text, 10);
    if (!count)
        throw Error(Fault::Input, "{}: does not begin with the number of its weights", origin);
    ScaleFile file;
    for (std::size_t index = 1; index < lines.size(); ++index)
        file.entries.push_back(entryOfPpqWeights(lines[index]));
    if (file.entries.size() != *count)
        file.oddities.push_back(fmt::format("has {} weights, but says {}; it may be truncated",
                                            file.entries.size(), *count));
    return file;
}

}  // namespace

ExchangeFormat ppqWeights()
{
    return {.order = 11,
            .id = "ppq-weights",
            .title = "ppq, quantized.wts",
            .suffix = "wts",
            .source = "ppq 0.6: parser/tensorRT.py",
            .holds = "The weights' values themselves; is read only",
            .hasWeights = true,
            .hasActivations = false,
            .recognise = recognisePpqWeights,
            .read = readPpqWeights};
}

}  // namespace calibscope::exchange
